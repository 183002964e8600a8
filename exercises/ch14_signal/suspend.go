// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch14

package ch14

import (
	"gosched/chapters/gmp"
)

// PreemptPark stops gp, which runs on mp, for whoever suspends it: gp becomes Gpreempted,
// mp and gp let go of each other, and mp schedules. Throws "bad g status" if gp is not
// Grunning; the scan bit does not matter.
//
// As soon as gp is Gpreempted another M may claim it, make it ready, and run it. So mp
// must have let go of it by then; but as long as it is Grunning it is linked to mp. So
// in between it is Gpreempted with the scan bit: it has stopped, and nobody may have it.
//
// The runtime's preemptPark.
func (p *signals) PreemptPark(mp *gmp.M, gp *gmp.G) {
	// Holds: As long as gp counts as running it is linked to mp; from the
	//        moment when another M can have it, mp has let go of it.
	// Question: Casgstatus takes gp from one state to the other in one step.
	//           When would you call Dropg, before or after it, and who would
	//           look in between?
	panic(gmp.TODO("PreemptPark"))
}

// SuspendG stops gp at a safe point, and sets its scan bit: when it returns gp does not
// run, and will not until ResumeG, which must be called with what it returns. Until then
// the caller may look at gp's stack and move it, but must not take a lock or wait for a G.
// It waits for gp as long as it takes, and tries again and again, since gp changes its
// state meanwhile:
//
//   - Gdead: nothing is to be suspended; Dead is set, the G is nil.
//   - Gcopystack, or a state with the scan bit: somebody else is at work; wait.
//   - Gpreempted: gp has stopped for somebody. Whoever claims it (CasGFromPreempted) has to
//     make it ready at the end: Stopped is set. From then on it is Gwaiting.
//   - Grunnable, Gsyscall, Gwaiting: set the scan bit. Then gp.PreemptStop and gp.Preempt
//     are false and the guard is StackGuard above the low end: it has stopped, and must
//     not do so again for nobody.
//   - Grunning: ask it to stop, while its scan bit is set: PreemptStop, Preempt, and then
//     the guard. Then, without the bit, send a signal to its M (PreemptM). It was asked
//     already if those three are set and the M to which the last signal went has not
//     answered it since (PreemptGen, as it was before that signal was sent); otherwise ask
//     and send again.
//
// When the program is over (Exited) gp may never stop: then it returns, with Dead set.
//
// Between two looks it lets others have the CPU, by machine.Osyield. (The runtime spins for
// 10 µs before it does that, and then between one osyield and the next for 5 µs.)
//
// mp has no G, or one that does not count as running: two Gs that suspend each other would
// wait for ever. Throws "suspendG from non-preemptible goroutine" otherwise, and "invalid g
// status" for any other state. The runtime's suspendG.
func (p *signals) SuspendG(mp *gmp.M, gp *gmp.G) gmp.SuspendGState {
	// Holds: When it returns gp does not run, and cannot begin to; or it is
	//        dead.
	// Question: Between your look at gp's state and what you do about it, gp
	//           runs, parks, ends, or another M suspends it. What makes sure
	//           that you notice?
	panic(gmp.TODO("SuspendG"))
}

// ResumeG undoes SuspendG: it clears the scan bit, and makes the G ready (Ready, with next
// set) if SuspendG has stopped it (Stopped). If Dead is set there is nothing to do. Throws
// "unexpected g status" if the G is not in a state with the scan bit. The runtime's resumeG.
func (p *signals) ResumeG(mp *gmp.M, state gmp.SuspendGState) {
	// Holds: A G that had stopped for a SuspendG runs again; one that had not
	//        goes on with what it did.
	panic(gmp.TODO("ResumeG"))
}
