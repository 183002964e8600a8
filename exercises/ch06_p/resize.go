// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

package ch06

import "gosched/chapters/gmp"

// sudogRoom is how many free sudogs a P keeps.
const sudogRoom = 128

// Procresize makes the number of Ps nprocs: afterwards s.Allp has that many, in
// order of ID, and s.Gomaxprocs is their number. New ones (NewP, with RunqLen slots
// and room for some sudogs) are empty. A surplus one becomes Pdead; its Gs, first
// the one in Runnext, go to the head of the global queue, in order, and its free Gs
// and sudogs to the shared lists, under their locks: an M without a P, which a
// stopped world does not stop, may be at work there. The dead P stays beyond the end
// of s.Allp, and is used again when the number rises.
//
// mp keeps its P, which becomes Prunning again. If it has none or loses it, it takes
// the one with ID 0, made Pidle for it, by Acquirep. Before that, it unlinks itself
// from the old one, without Releasep: that throws, since the P of a stopped world is
// Pgcstop.
//
// All others, whether they were new, stopped or dead, become Pidle. Those without
// work are put on the list of idle Ps, so that the one with the lowest ID comes
// first. Those with work it returns, linked by Link, in order of ID; the caller gives
// an M to each. Throws "procresize: invalid arg" if nprocs is not positive, before it
// changes anything.
//
// s.Lock is held, and the world is stopped: mp alone runs, and no P is on the
// list or in the hands of another M. The runtime's procresize, which also picks
// the Ms. There a P that is new or was dead becomes _Pgcstop and then _Pidle; and
// since Go 1.26 those that are returned are not in order of ID.
func (p *procs) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	// Holds: Each P is in one place: mp has it, or it is idle on the list, or
	//        returned, or dead; and whatever was on a P that died is where
	//        others find it.
	// Question: The world is stopped, so no other M has a P. Which M may still
	//           be at work, and what may it touch?
	panic(gmp.TODO("Procresize"))
}
