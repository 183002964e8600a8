// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

package ch07

import "gosched/chapters/gmp"

// Globrunqputbatch puts all of q at the tail of the global queue.
func (p *runQueue) Globrunqputbatch(q gmp.GQueue) {
	// 1. They are linked already: link the first one behind the last of the
	//    global queue, and count. Mind that one of the two queues may be
	//    empty.
	panic(gmp.TODO("Globrunqputbatch"))
}

// Globrunqgetbatch takes a G and its P's share of the others from the global
// queue.
func (p *runQueue) Globrunqgetbatch(n int32) (*gmp.G, gmp.GQueue) {
	// 1. How many: what is asked for, and what is there, and this P's share of
	//    it, so that the other Ps find some, too; but always one.
	// 2. The first one is to run; the others go on a queue of their own.
	panic(gmp.TODO("Globrunqgetbatch"))
}
