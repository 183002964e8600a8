package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch05 "gosched/solutions/ch05_threads"
)

// TestAlternatives proves that the checks ask for what the contracts say and for
// nothing else: right solutions that take other ways pass.
func TestAlternatives(t *testing.T) {
	for name, parts := range map[string]gmp.Version{"wakes-late": wakesLate, "recursive": recursive, "sums": sums} {
		t.Run(name, func(t *testing.T) { suite.Suite.Test(t, solutions.Base("ch05"), ch05.Parts.With(parts)) })
	}
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
			s.Throw("bad m->nextg in nextgandunlock")
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
	p.s.Dropg(mp)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
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
