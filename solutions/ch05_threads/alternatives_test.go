package ch05_test

import (
	"fmt"
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch05 "gosched/solutions/ch05_threads"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch05"), map[string]gmp.Version{
		"wakes-late": wakesLate, "recursive": recursive, "sums": sums,
		"asks-first": asksFirst, "lies-down-first": liesDownFirst, "one-section": oneSection, "stack-of-ms": stackOfMs,
	})
}

// wakesLate first hands out all Gs and then wakes all Ms, and counts them at once.
var wakesLate = gmp.Version{
	Matching: func(s *gmp.Sched) gmp.Matching { return &late{s} },
}

type late struct{ s *gmp.Sched }

func (p *late) Matchmg(mp *gmp.M) {
	s := p.s
	var asleep, fresh []*gmp.M
	given := map[int64]*gmp.G{}
	for n := s.Mcpumax.Get() - s.Mcpu.Get(); n > 0 && s.Runq.Get().Head != nil; n-- {
		gp := s.Globrunqget()
		if idle := s.Mget(); idle != nil {
			idle.Nextg.Set(gp)
			asleep = append(asleep, idle)
		} else {
			id := s.MReserveID()
			given[id] = gp
			fresh = append(fresh, &gmp.M{ID: id})
		}
	}
	s.Mcpu.Set(s.Mcpu.Get() + int32(len(asleep)+len(fresh)))
	for _, idle := range asleep {
		idle.Park.Wakeup()
	}
	for _, m := range fresh {
		gp := given[m.ID]
		s.Newm(mp, func(newm *gmp.M) { newm.Nextg.Set(gp) }, nil, m.ID)
	}
}

func (p *late) NextGAndUnlock(mp *gmp.M) *gmp.G {
	s := p.s
	if mp.Nextg.Get() == nil {
		// It counts on, if it finds another: so Mcpu does not change twice.
		if s.Mcpu.Get() <= s.Mcpumax.Get() && s.Runq.Get().Head != nil {
			mp.Nextg.Set(s.Globrunqget())
		} else {
			s.Mcpu.Set(s.Mcpu.Get() - 1)
			s.Mput(mp)
		}
	}
	gp := mp.Nextg.Get()
	s.Lock.Unlock()
	if gp == nil {
		s.MPark(mp)
		if gp = mp.Nextg.Get(); gp == nil {
			s.Throw("bad m->nextg in nextgoroutine")
		}
	}
	mp.Nextg.Set(nil)
	return gp
}

// recursive hands out one G and calls itself for the rest, and has the lock given back
// by defer where that is possible.
var recursive = gmp.Version{
	Matching:   func(s *gmp.Sched) gmp.Matching { return &stepwise{ch05.NewMatching(s), s} },
	Submission: func(s *gmp.Sched) gmp.Submission { return &deferring{s} },
}

type stepwise struct {
	gmp.Matching
	s *gmp.Sched
}

func (p *stepwise) Matchmg(mp *gmp.M) {
	s := p.s
	if s.Mcpu.Get() >= s.Mcpumax.Get() || s.Runq.Get().Head == nil {
		return
	}
	s.Mcpu.Set(s.Mcpu.Get() + 1)
	gp := s.Globrunqget()
	idle := s.Mget()
	if idle == nil {
		id := s.MReserveID()
		s.Newm(mp, func(newm *gmp.M) { newm.Nextg.Set(gp) }, nil, id)
	} else {
		idle.Nextg.Set(gp)
		idle.Park.Wakeup()
	}
	p.Matchmg(mp)
}

type deferring struct{ s *gmp.Sched }

func (p *deferring) put(mp *gmp.M, gp *gmp.G, match bool) {
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	p.s.Globrunqput(gp)
	if match {
		p.s.Matchmg(mp)
	}
}

func (p *deferring) Newproc(mp *gmp.M, fn machine.Addr) {
	var pc machine.PC
	if mp.Curg.Get() != nil {
		pc = mp.Curg.Get().Sched.PC
	}
	p.put(mp, p.s.Newproc1(mp, fn, mp.Curg.Get(), pc), true)
}

func (p *deferring) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if st := gp.Atomicstatus.Load(); st != gmp.Gwaiting && st != gmp.Gwaiting|gmp.Gscan {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.put(mp, gp, true)
}

func (p *deferring) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.put(mp, gp, false)
	p.s.Schedule(mp)
}

// sums tells a deadlock with other arithmetic, and counts Gs by their states.
var sums = gmp.Version{
	Deadlock: func(s *gmp.Sched) gmp.Deadlock { return &counter{s} },
	Loop:     func(s *gmp.Sched) gmp.Loop { return &looper{s} },
}

type counter struct{ s *gmp.Sched }

func (p *counter) Checkdead() {
	s := p.s
	resting := s.Nmfreed.Get() + int64(s.Nmidle.Get()+s.Nmidlelocked.Get()+s.Nmsys.Get())
	timers := s.Timerlist.Len.Load()
	for _, pp := range s.Allp.Get() {
		timers += pp.Timers.Len.Load()
	}
	switch {
	case resting > s.Mnext.Get():
		s.Throw("checkdead: inconsistent counts")
	case resting < s.Mnext.Get() || timers > 0:
		return
	}
	n := map[uint32]int{}
	s.ForEachG(func(gp *gmp.G) { n[gp.Atomicstatus.Load()&^gmp.Gscan]++ })
	switch {
	case n[gmp.Grunnable]+n[gmp.Grunning]+n[gmp.Gsyscall] > 0:
		s.Throw("checkdead: runnable g")
	case n[gmp.Gwaiting]+n[gmp.Gpreempted] == 0:
		s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	s.Throw("all goroutines are asleep - deadlock!")
}

type looper struct{ s *gmp.Sched }

func (p *looper) Schedule(mp *gmp.M) {
	for !p.s.Exited() && mp.Curg.Get() == nil {
		p.s.Lock.Lock()
		p.s.Execute(mp, p.s.NextGAndUnlock(mp), false)
	}
}

func (p *looper) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// asksFirst calls Matchmg only where it sees that an M may come.
var asksFirst = gmp.Version{
	Submission: func(s *gmp.Sched) gmp.Submission { return &asking{ch05.NewSubmission(s), s} },
}

type asking struct {
	gmp.Submission
	s *gmp.Sched
}

func (p *asking) queue(mp *gmp.M, gp *gmp.G) {
	s := p.s
	s.Lock.Lock()
	if s.Globrunqput(gp); s.Mcpu.Get() < s.Mcpumax.Get() {
		s.Matchmg(mp)
	}
	s.Lock.Unlock()
}

func (p *asking) Newproc(mp *gmp.M, fn machine.Addr) {
	caller := mp.Curg.Get()
	if caller == nil {
		p.queue(mp, p.s.Newproc1(mp, fn, nil, 0))
		return
	}
	p.queue(mp, p.s.Newproc1(mp, fn, caller, caller.Sched.PC))
}

func (p *asking) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	switch gp.Atomicstatus.Load() {
	case gmp.Gwaiting, gmp.Gwaiting | gmp.Gscan:
	default:
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.queue(mp, gp)
}

// liesDownFirst matches once more when the M is on the list, and before it sleeps looks
// again, under the lock, whether it was given something.
var liesDownFirst = gmp.Version{
	Matching: func(s *gmp.Sched) gmp.Matching { return &again{ch05.NewMatching(s), s} },
}

type again struct {
	gmp.Matching
	s *gmp.Sched
}

func (p *again) NextGAndUnlock(mp *gmp.M) *gmp.G {
	s := p.s
	gp := mp.Nextg.Get()
	if gp == nil && s.Mcpu.Get() <= s.Mcpumax.Get() {
		gp = s.Globrunqget()
	}
	if gp != nil {
		mp.Nextg.Set(nil)
		s.Lock.Unlock()
		return gp
	}
	s.Mcpu.Set(s.Mcpu.Get() - 1)
	s.Mput(mp)
	s.Matchmg(mp)
	s.Lock.Unlock()
	s.Lock.Lock()
	s.Lock.Unlock()
	s.MPark(mp)
	if gp = mp.Nextg.Get(); gp == nil {
		s.Throw("bad m->nextg in nextgoroutine")
	}
	mp.Nextg.Set(nil)
	return gp
}

// oneSection does under the lock all that may be done there.
var oneSection = gmp.Version{
	Submission: func(s *gmp.Sched) gmp.Submission { return &inside{ch05.NewSubmission(s), s} },
	Threads:    func(s *gmp.Sched) gmp.Threads { return &reserving{ch05.NewThreads(s), s} },
}

type inside struct {
	gmp.Submission
	s *gmp.Sched
}

func (p *inside) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	s := p.s
	s.Lock.Lock()
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		s.Throw("bad g->status in ready")
	}
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	s.Globrunqput(gp)
	s.Matchmg(mp)
	s.Lock.Unlock()
}

func (p *inside) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	s := p.s
	s.Lock.Lock()
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	s.Globrunqput(gp)
	s.Lock.Unlock()
	s.Schedule(mp)
}

type reserving struct {
	gmp.Threads
	s *gmp.Sched
}

func (p *reserving) MReserveID() int64 {
	p.s.Mnext.Set(p.s.Mnext.Get() + 1)
	defer p.s.Checkmcount()
	return p.s.Mnext.Get() - 1
}

// stackOfMs keeps the list of idle Ms with a type of its own, and tells a new M all that
// it shall do by one function.
var stackOfMs = gmp.Version{
	Threads: func(s *gmp.Sched) gmp.Threads { return &stacked{idle{&s.Midle, &s.Nmidle}, s} },
}

// An idle list of Ms.
type idle struct {
	first *machine.Cell[*gmp.M]
	n     *machine.Cell[int32]
}

func (l idle) push(mp *gmp.M) {
	l.n.Set(l.n.Get() + 1)
	next := l.first.Get()
	l.first.Set(mp)
	mp.Schedlink.Set(next)
}

func (l idle) pop() *gmp.M {
	mp := l.first.Get()
	if mp != nil {
		l.n.Set(l.n.Get() - 1)
		l.first.Set(mp.Schedlink.Get())
		mp.Schedlink.Set(nil)
	}
	return mp
}

type stacked struct {
	idle idle
	s    *gmp.Sched
}

func (p *stacked) Mput(mp *gmp.M) {
	p.idle.push(mp)
	p.s.Checkdead()
}

func (p *stacked) Mget() *gmp.M { return p.idle.pop() }

func (p *stacked) MReserveID() int64 {
	next := p.s.Mnext.Get() + 1
	p.s.Mnext.Set(next)
	p.s.Checkmcount()
	return next - 1
}

func (p *stacked) Checkmcount() {
	if limit := int64(p.s.Maxmcount.Get()); p.s.Mnext.Get() > limit+p.s.Nmfreed.Get() {
		fmt.Fprintf(p.s.Stderr(), "runtime: program exceeds %d-thread limit\n", limit)
		p.s.Throw("thread exhaustion")
	}
}

func (p *stacked) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := p.s.NewM(id)
	newm.Mstartfn.Set(func(newm *gmp.M) {
		if fn != nil {
			fn(newm)
		}
		if pp != nil {
			p.s.Acquirep(newm, pp)
		}
	})
	p.s.Newosproc(newm)
}

func (p *stacked) MPark(mp *gmp.M) {
	defer mp.Park.Clear()
	mp.Park.Sleep()
}
