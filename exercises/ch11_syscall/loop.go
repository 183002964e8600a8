// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch11

package ch11

import "gosched/chapters/gmp"

// loop lets an M run one G after the other, or always the same one.
type loop struct {
	s *gmp.Sched
}

// NewLoop makes the Loop of s.
func NewLoop(s *gmp.Sched) gmp.Loop { return &loop{s: s} }

// Schedule finds a runnable G and executes it. In the runtime schedule never
// returns. Here it returns when mp.Curg is the G to run, and returning to the
// router is gogo; it also returns when the program is over (Exited), and then
// leaves the queue alone. It takes and releases s.Lock itself. With one thread, if
// there is no G, it calls Checkdead, with s.Lock held.
//
// From chapter 5 on mp sleeps while there is no G and other Ms could make one
// runnable.
//
// From chapter 8 on it calls Wakep, before Execute, only if FindRunnable wants
// it: whoever queued the G has already called it. And each time before it looks for a G
// it throws "schedule: spinning with local work" if mp spins and its P has a G.
//
// From chapter 11 on Gs and Ms may be locked to each other, and before anything else
// Schedule looks whether that is so. If mp is locked to a G, which cannot run now, it
// waits for it by Stoplockedm, and executes it, with a new time slice. If its locked G
// has ended (LockedExt is not 0, and Lockedg is nil), mp ends, by Mexit. And a G that
// it has found and that is locked to another M is for that one: Startlockedm, after mp
// has ceased to spin; then everything begins anew.
func (p *loop) Schedule(mp *gmp.M) {
	// Holds: A G that is locked to an M runs there and nowhere else, and that
	//        M runs nothing else.
	// Question: mp has found a G that is locked to another M. It has a P, and
	//           it may spin. What becomes of both?
	panic(gmp.TODO("Schedule"))
}

// Execute makes gp, which is Grunnable and on no queue, mp's current G in state
// Grunning, linked both ways. It links them before gp's state says that it runs:
// another M that holds the scan bit of a running G looks in G.M for the M that it
// must turn to. Called by Schedule without s.Lock held. inheritTime: gp continues
// the time slice of the G before it; otherwise a new one begins. Time slices exist
// from chapter 6 on.
//
// From chapter 8 on a new time slice increments the P's Schedtick. And whether the slice is
// new or not, gp was not asked to stop when it begins to run: Preempt is false, and the
// guard, Sched.Guard, is StackGuard bytes above the low end of the stack; in a Go with
// signals (HasSignals, chapter 14) P.Preempt is false, too. A request that is left from
// before was for a G that ran too long, and it has stopped since. This, too, is so before
// gp's state says that it runs.
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	// Holds: An M that sees a running G finds its M; Schedtick has counted
	//        each time slice once; and gp stops only if it is asked to from
	//        now on.
	panic(gmp.TODO("Execute"))
}
