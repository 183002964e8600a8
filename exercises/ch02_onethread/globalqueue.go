// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch02

package ch02

import "gosched/chapters/gmp"

// globalQueue is a list of Gs linked by Schedlink, from Head to Tail, which are both
// nil if it is empty.
//
// GlobalQueue is the queue of runnable Gs that all Ms share, s.Runq. Other
// parts read its fields. The caller of each method holds s.Lock.
type globalQueue struct {
	s *gmp.Sched
}

// NewGlobalQueue makes the GlobalQueue of s.
func NewGlobalQueue(s *gmp.Sched) gmp.GlobalQueue { return &globalQueue{s: s} }

// Globrunqput puts gp at the tail, whatever its Schedlink was. The runtime's
// globrunqput.
func (p *globalQueue) Globrunqput(gp *gmp.G) {
	// Holds: Head, Tail, Size and the Schedlinks agree, and gp is the last G
	//        in all of them.
	panic(gmp.TODO("Globrunqput"))
}

// Globrunqputhead puts gp at the head. The runtime's globrunqputhead.
func (p *globalQueue) Globrunqputhead(gp *gmp.G) {
	// Holds: gp is the next one taken, and the others follow it in their
	//        order.
	// Question: Which fields change if the queue was empty?
	panic(gmp.TODO("Globrunqputhead"))
}

// Globrunqget takes the G at the head, nil if the queue is empty. Its
// Schedlink is nil afterwards. The runtime's globrunqget.
func (p *globalQueue) Globrunqget() *gmp.G {
	// Holds: The G that is returned is on no list, and the queue is what it
	//        was without it.
	// Question: The last G leaves, and later another one comes. Which field
	//           does Globrunqput look at then?
	panic(gmp.TODO("Globrunqget"))
}
