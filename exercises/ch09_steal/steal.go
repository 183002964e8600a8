// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch09

// Package ch09 is stealing: chapter 9, Go 1.1.
//
// A P without work takes half of what another P has. Which one it asks is left to
// chance, so that thieves spread over all Ps, and do not follow each other.
package ch09

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Stealing: NewStealing,
}

// stealing takes work from other Ps.
type stealing struct {
	s *gmp.Sched
}

// NewStealing makes the Stealing of s.
func NewStealing(s *gmp.Sched) gmp.Stealing { return &stealing{s: s} }

// stealTries is how many times a thief asks every other P. A queue that was empty
// may have something when the thief comes by again.
const stealTries = 4

// StealWork tries, for mp's P, the queues of all other Ps, in four passes, and returns
// the first G that it gets. Each pass tries each P once, in a random order of its own; the
// random numbers are mp's (M.Cheaprand). (The runtime, since Go 1.7, starts at a random P
// and goes on in steps of random size.) Only in the last pass does it also
// run the timers of a P, before it tries that P's queue, and may it take a Runnext. If
// timers ran, there may be something in its own P's queue: that comes before all further
// Ps, and inheritTime is as Runqget has it. For a stolen G it is false.
//
// Besides the G, nil if there is none, it returns rnow, which is now, or if that is 0
// the time, if it had to look; pollUntil, when the next of the timers that it has
// seen is due, 0 if there is none; and newWork: timers ran, and may have made
// something ready which it has not found; with a G that says nothing. Before each P
// it looks whether the world is to stop (Gcwaiting), and if so gives up, as if there
// were new work. The Ps are those now in s.Allp: their number may change between two
// calls.
//
// The queue of mp's own P is empty. The caller holds no lock, and StealWork holds
// none while it calls others. The runtime's stealWork.
func (p *stealing) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	// Holds: If it returns no G, each other P was asked once in each pass, or
	//        the world is to stop; and whatever it has taken from others is
	//        returned, or is in the queue of its own P. It makes no other M
	//        wait.
	// Question: A timer that you have run puts its G where other thieves see
	//           it, too. What do you know when you look for it, and what must
	//           your caller learn?
	panic(gmp.TODO("StealWork"))
}
