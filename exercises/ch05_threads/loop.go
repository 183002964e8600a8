// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05

import "gosched/chapters/gmp"

// loop is the heart: each M picks a G and runs it. It sleeps when there is none.
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
func (p *loop) Schedule(mp *gmp.M) {
	// Holds: mp runs a G that no other M has, without the lock; or the program
	//        is over.
	panic(gmp.TODO("Schedule"))
}

// Execute makes gp, which is Grunnable and on no queue, mp's current G in state
// Grunning, linked both ways. It links them before gp's state says that it runs:
// another M that holds the scan bit of a running G looks in G.M for the M that it
// must turn to. Called by Schedule without s.Lock held. inheritTime: gp continues
// the time slice of the G before it; otherwise a new one begins. Time slices exist
// from chapter 6 on.
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	// Holds: An M that sees that gp runs finds the M that runs it.
	panic(gmp.TODO("Execute"))
}
