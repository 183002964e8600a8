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

// Runqgrab takes half of pp's ring into batch, for a thief.
func (p *runQueue) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	// 1. Look at the head and then at the tail. How many are half of them,
	//    rounded up?
	// 2. None in the ring: unless you are asked to steal Runnext, or that is
	//    empty, too, there is nothing to take.
	// 3. If pp is running, its owner may run that G in a moment. Leave it 3 µs
	//    (machine.Usleep).
	// 4. Take it, if it is still there. If not, begin again.
	// 5. You have looked twice, and the queue may have changed in between. If
	//    that makes more than half of the ring, they do not go together, and a
	//    copy of so many might overwrite Gs of your own: begin again.
	// 6. Copy them, and then take them, by moving the head past them. The
	//    owner may overwrite a slot as soon as the head is past it; if the
	//    head has moved already, what you copied is worth nothing, so begin
	//    again.
	panic(gmp.TODO("Runqgrab"))
}

// Runqsteal moves half of p2's ring to pp's and returns one of the Gs.
func (p *runQueue) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	// 1. Grab into your own ring, behind the tail, where nobody looks yet.
	// 2. The last one is the one to return; the others stay on the ring.
	// 3. They must all have had room, the one to return as well; throw if not.
	//    Then store the tail: from that moment others may steal them from you.
	panic(gmp.TODO("Runqsteal"))
}
