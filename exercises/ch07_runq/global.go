// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

package ch07

import "gosched/chapters/gmp"

// Globrunqputbatch puts all of q, which may be empty, at the tail of the
// global queue. s.Lock is held. The runtime's globrunqputbatch.
func (p *runQueue) Globrunqputbatch(q gmp.GQueue) {
	// Holds: The Gs of q are behind all those that were on the global queue,
	//        in their order, and are counted.
	panic(gmp.TODO("Globrunqputbatch"))
}

// Globrunqgetbatch takes Gs from the head of the global queue and returns the
// first, which is to run, nil if there is none, and a queue of the others, in
// order. There are min(n, s.Runq.Size, s.Runq.Size/s.Gomaxprocs+1) of them in
// all, where n, at least 1, is what the caller has room for. s.Lock is held.
// The runtime's globrunqgetbatch.
func (p *runQueue) Globrunqgetbatch(n int32) (*gmp.G, gmp.GQueue) {
	// Holds: What it returns is off the global queue; what the other Ps may
	//        want of it stays there.
	panic(gmp.TODO("Globrunqgetbatch"))
}
