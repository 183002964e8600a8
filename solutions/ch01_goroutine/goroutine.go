// Package ch01 is the life of a goroutine: how it is made, which states it goes
// through, and how what is left of a dead one is used again.
package ch01

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts that this chapter implements.
var Parts = gmp.Version{
	Goroutines: NewGoroutines,
	Statuses:   NewStatuses,
	Freelists:  NewFreelists,
}

// goroutines makes Gs and ends them.
type goroutines struct{ s *gmp.Sched }

// NewGoroutines makes the part; it only stores s.
func NewGoroutines(s *gmp.Sched) gmp.Goroutines { return &goroutines{s: s} }

// Newproc1 makes a runnable G for the closure fn. callergp, which may be nil,
// executed the go statement, at callerpc.
//
//course:exercise
func (p *goroutines) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	//course:holds An M that finds the G runnable finds all of it, and nothing of a former life.
	//course:question The list of all Gs is public. When can another M find this G there, and what tells that M that it may look?
	//course:lead A G from the free list has lived before. Which of its fields did Goexit0 leave alone, and what may they hold?
	//course:lead Draw the stack and the registers of a function that goexit has just called. Which part of that picture does Gostartcall draw, and what must be there beforehand?
	s := p.s
	//course:step Refuse a nil fn, before taking anything for it.
	if fn == 0 {
		s.Throw("go of nil func value")
	}

	//course:step Get a dead G: from the free list, or a new one. A new one becomes Gdead before it enters the list of all Gs, where others may find it.
	gp := s.Gfget(mp)
	if gp == nil {
		gp = s.Malg(gmp.StartingStack)
		s.Casgstatus(gp, gmp.Gidle, gmp.Gdead)
		s.Allgadd(gp)
	}

	//course:step Give it a clean context (Context.Reset): the stack pointer at the top of its stack, the guard StackGuard above the low end, the pc at goexit. Then let Gostartcall put fn on top of that.
	gp.Sched.Reset(s.Program().Goexit, gp.Stack.Get().Hi)
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	s.Gostartcall(&gp.Sched, fn)

	//course:step Record what it runs, and who created it and where. The main goroutine has no creator: its G may be a reused one, so say so.
	gp.Startfn.Set(fn)
	gp.Gopc.Set(0)
	gp.Parentgoid.Set(0)
	if callergp != nil {
		gp.Gopc.Set(callerpc)
		gp.Parentgoid.Set(callergp.Goid.Get())
	}

	//course:step Give it the next Goid. Only then is it runnable: whoever sees it runnable sees all of it.
	gp.Goid.Set(s.Goidgen.Add(1))
	s.Casgstatus(gp, gmp.Gdead, gmp.Grunnable)
	return gp
}

// Goexit0 ends gp, the current G of mp, and schedules.
//
//course:exercise
func (p *goroutines) Goexit0(mp *gmp.M, gp *gmp.G) {
	//course:holds As long as gp counts as running it is linked to its M; from the moment when it can be taken from the free list, no M has anything more to do with it.
	//course:question After which of the steps can another M have gp? What is left for you to do then, and with what?
	//course:lead For each step ask what another M would look at first: the state, the links, the free list.
	//course:step gp is dead.
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)

	//course:step It forgets what it was about, and mp forgets that it was locked to it.
	forget(gp)
	mp.Lockedg.Set(nil)

	//course:step mp lets go of it (Dropg), before any other M can have it.
	p.s.Dropg(mp)

	//course:step It goes to the free list, and mp schedules.
	p.s.Gfput(mp, gp)
	p.s.Schedule(mp)
}

// forget clears what belongs to one life of gp. Pointers must go, since they
// keep alive what they point to; flags and the continuation must go, since the
// next life would act on them.
//
//course:omit
func forget(gp *gmp.G) {
	gp.Lockedm.Set(nil)
	gp.Waitreason.Set(gmp.WaitReasonZero)
	gp.Cont.Set(nil)
	gp.Waiting.Set(nil)
	gp.Param.Set(nil)
	gp.Success.Set(false)
	gp.Selects.Set(nil)
	gp.Preempt.Set(false)
	gp.PreemptStop.Set(false)
	gp.AsyncSafe.Set(false)
	gp.Timer.Set(nil)
}
