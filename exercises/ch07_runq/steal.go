// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

package ch07

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// stealDelay is how long a thief waits before it takes a Runnext, in
// microseconds.
const stealDelay = 3

// Runqgrab takes half of the Gs in pp's ring, rounded up, from the head. It puts them
// into batch, the ring of the caller's own P, which has as many slots as pp's, in
// order from number batchHead on, and returns their number. If there is none in the
// ring, it takes the G in Runnext if stealRunNext is set; when pp is Prunning it first
// waits for 3 µs (machine.Usleep), since its owner may be just about to run that G. If
// Runnext then holds a different G, it starts again: that G has not been waited for.
// It never stores into more than half of the slots of batch, whatever it sees, since
// the others may hold Gs of the caller. Called by any M but pp's owner; it does not
// touch the Gs. The runtime's runqgrab.
func (p *runQueue) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	// Holds: Each G that it returns in batch was taken by this thief, and by
	//        no other thread; and at least half of the slots of batch were
	//        never written to.
	// Question: The owner goes on while you read. When is a copy of a slot
	//           worth something, and how do you find out?
	panic(gmp.TODO("Runqgrab"))
}

// Runqsteal lets pp steal from p2: of what Runqgrab takes, it returns the last G, nil if
// there is none, and puts the others on pp's ring, in order. Throws "runqsteal: runq
// overflow" if all that Runqgrab took, including the returned G, would not have fitted; a
// thief has an empty ring. Called by pp's owner. The runtime's runqsteal.
func (p *runQueue) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	// Holds: From the moment when others can see the stolen Gs, these are in
	//        pp's ring, all written; the one that is returned is not among
	//        them.
	panic(gmp.TODO("Runqsteal"))
}
