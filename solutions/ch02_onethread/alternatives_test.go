package ch02_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// TestAlternatives proves that the checks ask for what the contracts say and for
// nothing else: right solutions that keep other state and take other ways pass.
func TestAlternatives(t *testing.T) {
	t.Run("slice", func(t *testing.T) { suite.Suite.Test(t, solutions.Base("ch02"), ownSlice) })
	t.Run("links", func(t *testing.T) { suite.Suite.Test(t, solutions.Base("ch02"), links) })
	t.Run("given", func(t *testing.T) { suite.Suite.Test(t, solutions.Base("ch02"), given) })
}

// ownSlice keeps the queue in a slice of its own, from which it writes the links
// of s.Runq anew after each change. Its other parts do the same as the solution
// in other steps: all Gs enter the queue through one function, hooks are taken
// off their list all at once, and Checkdead counts all states.
var ownSlice = gmp.Version{
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return &sliceQueue{s: s} },
	Loop:        func(s *gmp.Sched) gmp.Loop { return &loopingLoop{s: s} },
	Submission:  func(s *gmp.Sched) gmp.Submission { return &oneDoor{s: s} },
	Boot:        func(s *gmp.Sched) gmp.Boot { return &carefulBoot{s: s} },
	Deadlock:    func(s *gmp.Sched) gmp.Deadlock { return &census{s: s} },
}

type sliceQueue struct {
	s  *gmp.Sched
	gs []*gmp.G
}

func (p *sliceQueue) Globrunqput(gp *gmp.G)     { p.gs = append(p.gs, gp); p.relink() }
func (p *sliceQueue) Globrunqputhead(gp *gmp.G) { p.gs = slices.Insert(p.gs, 0, gp); p.relink() }

func (p *sliceQueue) Globrunqget() *gmp.G {
	if len(p.gs) == 0 {
		return nil
	}
	gp := p.gs[0]
	p.gs = slices.Delete(p.gs, 0, 1)
	gp.Schedlink.Set(nil)
	p.relink()
	return gp
}

func (p *sliceQueue) relink() {
	p.s.Runq.Set(gmp.GQueue{Size: int32(len(p.gs))})
	var next *gmp.G
	for i, gp := range slices.Backward(p.gs) {
		if i == len(p.gs)-1 {
			q := p.s.Runq.Get()
			q.Tail = gp
			p.s.Runq.Set(q)
		}
		gp.Schedlink.Set(next)
		next = gp
	}
	q := p.s.Runq.Get()
	q.Head = next
	p.s.Runq.Set(q)
}

type loopingLoop struct{ s *gmp.Sched }

func (p *loopingLoop) Schedule(mp *gmp.M) {
	for mp.Curg.Get() == nil && !p.s.Exited() {
		if gp := p.next(); gp != nil {
			p.s.Execute(mp, gp, false)
		}
	}
}

func (p *loopingLoop) next() *gmp.G {
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
	}
	p.s.Lock.Unlock()
	return gp
}

func (p *loopingLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// oneDoor lets all Gs in through one function.
type oneDoor struct{ s *gmp.Sched }

func (p *oneDoor) enter(gp *gmp.G, from uint32) {
	if from != gmp.Grunnable {
		p.s.Casgstatus(gp, from, gmp.Grunnable)
	}
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	p.s.Globrunqput(gp)
}

func (p *oneDoor) Newproc(mp *gmp.M, fn machine.Addr) {
	if mp.Curg.Get() == nil {
		p.enter(p.s.Newproc1(mp, fn, nil, 0), gmp.Grunnable)
		return
	}
	p.enter(p.s.Newproc1(mp, fn, mp.Curg.Get(), mp.Curg.Get().Sched.PC), gmp.Grunnable)
}

func (p *oneDoor) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	switch gp.Atomicstatus.Load() {
	case gmp.Gwaiting, gmp.Gwaiting | gmp.Gscan:
		p.enter(gp, gmp.Gwaiting)
	default:
		p.s.Throw("bad g->status in ready")
	}
}

func (p *oneDoor) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.enter(gp, gmp.Grunnable)
	p.s.Schedule(mp)
}

type carefulBoot struct{ s *gmp.Sched }

func (p *carefulBoot) Schedinit(mp *gmp.M) {
	p.s.Lock.Lock()
	p.s.Goidgen.Store(0)
	for p.s.Globrunqget() != nil {
	}
	p.s.Runq.Set(gmp.GQueue{})
	p.s.Maxmcount.Set(10_000)
	p.s.Lock.Unlock()
	p.s.GFree.Lock.Lock()
	p.s.GFree.Stack.Set(gmp.GList{})
	p.s.GFree.NoStack.Set(gmp.GList{})
	p.s.GFree.N.Set(0)
	p.s.GFree.Lock.Unlock()
	p.s.Newproc(mp, p.s.Mainfn)
}

func (p *carefulBoot) MainExit(mp *gmp.M, gp *gmp.G) {
	hooks := p.s.Exithooks.Get()
	p.s.Exithooks.Set(nil)
	for _, hook := range slices.Backward(hooks) {
		hook()
	}
	p.s.Exit(mp, 0)
}

type census struct{ s *gmp.Sched }

func (p *census) Checkdead() {
	count := map[uint32]int{}
	p.s.ForEachG(func(gp *gmp.G) { count[gp.Atomicstatus.Load()&^gmp.Gscan]++ })
	switch {
	case count[gmp.Grunnable]+count[gmp.Grunning]+count[gmp.Gsyscall] > 0:
		p.s.Throw("checkdead: runnable g")
	case count[gmp.Gwaiting]+count[gmp.Gpreempted] > 0:
		p.s.Throw("all goroutines are asleep - deadlock!")
	}
	p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
}

// links has a queue without a case for the empty one: it knows how the
// pointer to the next G that is put is set. The other parts are the ones of the
// solution.
var links = gmp.Version{
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return newLinkQueue(s) },
}

type linkQueue struct {
	s   *gmp.Sched
	end func(gp *gmp.G) // sets the nil pointer after the last G
}

func newLinkQueue(s *gmp.Sched) *linkQueue {
	p := &linkQueue{s: s}
	p.end = p.setHead
	return p
}

func (p *linkQueue) setHead(gp *gmp.G) {
	q := p.s.Runq.Get()
	q.Head = gp
	p.s.Runq.Set(q)
}

func (p *linkQueue) Globrunqput(gp *gmp.G) {
	gp.Schedlink.Set(nil)
	p.end(gp)
	q := p.s.Runq.Get()
	q.Tail, p.end = gp, gp.Schedlink.Set
	q.Size++
	p.s.Runq.Set(q)
}

func (p *linkQueue) Globrunqputhead(gp *gmp.G) {
	q := p.s.Runq.Get()
	if q.Size == 0 {
		p.Globrunqput(gp)
		return
	}
	gp.Schedlink.Set(q.Head)
	q.Head = gp
	q.Size++
	p.s.Runq.Set(q)
}

func (p *linkQueue) Globrunqget() *gmp.G {
	q := p.s.Runq.Get()
	gp := q.Head
	switch {
	case gp == nil:
		return nil
	case gp == q.Tail:
		q, p.end = gmp.GQueue{}, p.setHead
	default:
		q.Head = gp.Schedlink.Get()
		q.Size--
	}
	p.s.Runq.Set(q)
	gp.Schedlink.Set(nil)
	return gp
}

// given uses the methods of gmp.GQueue, which later chapters have for lists of their own.
// Its loop runs under the lock up to Execute, and Checkdead stops at the first G that can
// run.
var given = gmp.Version{
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return &givenQueue{s} },
	Loop:        func(s *gmp.Sched) gmp.Loop { return &tailLoop{s} },
	Deadlock:    func(s *gmp.Sched) gmp.Deadlock { return &firstFound{s} },
}

type givenQueue struct{ s *gmp.Sched }

func (p *givenQueue) Globrunqput(gp *gmp.G) { p.s.Runq.PushBack(gp) }

func (p *givenQueue) Globrunqputhead(gp *gmp.G) {
	old := p.s.Runq.Get()
	p.s.Runq.Set(gmp.GQueue{})
	p.s.Runq.PushBack(gp)
	for old.Head != nil {
		p.s.Runq.PushBack(old.Pop())
	}
}

func (p *givenQueue) Globrunqget() *gmp.G { return p.s.Runq.Pop() }

type tailLoop struct{ s *gmp.Sched }

func (p *tailLoop) Schedule(mp *gmp.M) {
	if p.s.Exited() {
		return
	}
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
		p.s.Lock.Unlock()
		p.s.Schedule(mp)
		return
	}
	p.s.Lock.Unlock()
	p.s.Execute(mp, gp, false)
}

func (p *tailLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

type firstFound struct{ s *gmp.Sched }

func (p *firstFound) Checkdead() {
	waits := false
	p.s.ForEachG(func(gp *gmp.G) {
		switch gp.Atomicstatus.Load() &^ gmp.Gscan {
		case gmp.Grunnable, gmp.Grunning, gmp.Gsyscall:
			p.s.Throw("checkdead: runnable g")
		case gmp.Gwaiting, gmp.Gpreempted:
			waits = true
		}
	})
	if waits {
		p.s.Throw("all goroutines are asleep - deadlock!")
	}
	p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
}
