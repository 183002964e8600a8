// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch09

// Package ch09 is stealing: chapter 9, Go 1.1.
//
// A P without work takes half of what another one has. Which one it asks is left to
// chance, so that thieves spread over all, and do not follow each other.
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

// stealTries is how many times a thief asks everybody. A queue that was empty may
// have something when it comes by again.
const stealTries = 4

// StealWork asks all other Ps for work, for mp. Nothing is locked: whoever is asked goes on
// meanwhile, and Runqsteal sees to it that a G is had by one of both.
func (p *stealing) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	// 1. In the last pass only, timers and a Runnext are taken as well. They
	//    are better left where they are: a G in Runnext is about to run there.
	// 2. Each pass asks each P once, in an order of its own: from a random one
	//    on, in steps of a random size that has no divisor in common with the
	//    number of Ps.
	// 3. If the world is to stop, give up, and let the caller see that.
	// 4. Timers first. Those that fire put their Gs on pp, where there may be
	//    no room for stolen ones any more: so look there at once.
	// 5. Then half of its queue.
	// 6. Nobody had anything. But a timer that ran may have made something
	//    ready, on some P.
	panic(gmp.TODO("StealWork"))
}
