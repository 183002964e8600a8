package ch14

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// PreemptPark stops gp for whoever suspends it.
//
//course:exercise
func (p *signals) PreemptPark(mp *gmp.M, gp *gmp.G) {
	//course:holds As long as gp counts as running it is linked to mp; from the moment when another M can have it, mp has let go of it.
	//course:question Casgstatus takes gp from one state to the other in one step. When would you call Dropg, before or after it, and who would look in between?
	s := p.s
	//course:step Refuse a G that does not run.
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("bad g status")
	}
	//course:step It has stopped, and nobody can have it. Let go of it. Now whoever wants it can have it.
	s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	s.Dropg(mp)
	s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	//course:step mp finds something else.
	s.Schedule(mp)
}

// SuspendG stops gp.
//
//course:exercise
func (p *signals) SuspendG(mp *gmp.M, gp *gmp.G) gmp.SuspendGState {
	//course:holds When it returns gp does not run, and cannot begin to; or it is dead.
	//course:question Between your look at gp's state and what you do about it, gp runs, parks, ends, or another M suspends it. What makes sure that you notice?
	//course:lead For each state: is gp stopped already? If so, one atomic step locks it. If that fails, look again.
	//course:lead gp runs. You ask it, and wait. Who may take the request away meanwhile, and how do you notice that a signal was answered, but not obeyed?
	s := p.s
	//course:step Two Gs that suspend each other would wait for ever.
	if cur := mp.Curg.Get(); cur != nil && cur.Atomicstatus.Load()&^gmp.Gscan == gmp.Grunning {
		s.Throw("suspendG from non-preemptible goroutine")
	}
	stopped := false
	var asked *gmp.M      // to which the last signal went
	var generation uint32 // its PreemptGen before that
	for !s.Exited() {
		switch st := gp.Atomicstatus.Load(); st {
		//course:step Nothing is left of it.
		case gmp.Gdead:
			return gmp.SuspendGState{Dead: true}

		//course:step Somebody else is at work.
		case gmp.Gcopystack:

		//course:step It has stopped for somebody. Whoever claims it must make it ready. Now it waits, as the next look shows.
		case gmp.Gpreempted:
			stopped = s.CasGFromPreempted(gp, gmp.Gpreempted, gmp.Gwaiting)

		//course:step It does not run. With the bit it stays like that. The request, if there was one, is served.
		case gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting:
			if !s.Castogscanstatus(gp, st, st|gmp.Gscan) {
				break
			}
			gp.PreemptStop.Set(false)
			gp.Preempt.Set(false)
			gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
			return gmp.SuspendGState{G: gp, Stopped: stopped}

		case gmp.Grunning:
			//course:step If it was asked, and the signal is not answered yet, wait for that.
			if gp.PreemptStop.Get() && gp.Preempt.Get() && gp.Sched.Guard.Load() == machine.StackPreempt &&
				asked != nil && asked.PreemptGen.Load() == generation {
				break
			}
			//course:step Otherwise ask it. With the bit it neither ends nor changes its M meanwhile.
			if !s.Castogscanstatus(gp, gmp.Grunning, gmp.Grunning|gmp.Gscan) {
				break
			}
			gp.PreemptStop.Set(true)
			gp.Ask()
			asked = gp.M.Get()
			generation = asked.PreemptGen.Load()
			s.CasfromGscanstatus(gp, gmp.Grunning|gmp.Gscan, gmp.Grunning)
			//course:step And interrupt its M. Do that without the bit: it may be in the way there.
			s.PreemptM(mp, asked)

		//course:step Another M has the scan bit; and there is no other state.
		default:
			if st&gmp.Gscan == 0 {
				s.Throw("invalid g status")
			}
		}
		//course:step Let others have the CPU, and look again, as long as the program is not over.
		machine.Osyield()
	}
	return gmp.SuspendGState{Dead: true}
}

// ResumeG lets a G go on.
//
//course:exercise
func (p *signals) ResumeG(mp *gmp.M, state gmp.SuspendGState) {
	//course:holds A G that had stopped for a SuspendG runs again; one that had not goes on with what it did.
	s := p.s
	//course:step Nothing is to be resumed.
	if state.Dead {
		return
	}
	//course:step Unlock the state.
	st := state.G.Atomicstatus.Load()
	if st&gmp.Gscan == 0 {
		s.Throw("unexpected g status")
	}
	s.CasfromGscanstatus(state.G, st, st&^gmp.Gscan)
	//course:step If it was stopped for this, nobody else makes it ready.
	if state.Stopped {
		s.Ready(mp, state.G, true)
	}
}
