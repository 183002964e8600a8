// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch18

package ch18

import "gosched/chapters/gmp"

// masks keeps nothing of its own: the bits are in gmp.Sched.
//
// Masks says without a lock which Ps are worth a look. Whoever looks for work asks each P, and
// most of them have none: they are idle. To learn that from their queues costs a cache miss for each;
// in a mask 32 of them have one word together.
//
// Idlepmask has the bit of each P that is on the list of idle ones. Such a P has no G. Timerpmask
// has the bit of each P that may have timers. A P that has an M may get one at any moment, by that
// M; one that is idle gets none, but keeps those that it has.
//
// The bits are read without a lock, so what is read may be old. A P that is idle may still be
// taken for one that is not, and one without timers for one that has some: that costs a look. The
// other mistake would be one: an M that skips a P with work, or with a timer, has relied on a bit
// that another M ought to have changed before it queued that work.
type masks struct {
	s *gmp.Sched
}

// NewMasks makes the Masks of s.
func NewMasks(s *gmp.Sched) gmp.Masks { return &masks{s: s} }

// MaskIdle says in the masks that pp, which belongs to the caller and has no G, is idle, and,
// if its heap is empty (Timers.Len), that it has no timers. Called by Pidleput, before pp is
// on the list, with s.Lock held. The runtime does this in pidleput.
func (p *masks) MaskIdle(pp *gmp.P) {
	// Holds: A P that is in Idlepmask has no G, and one that is not in
	//        Timerpmask has no timers; both until an M takes it.
	// Question: An M sets a timer and has nothing to do afterwards. Who runs
	//           that timer?
	panic(gmp.TODO("MaskIdle"))
}

// MaskBusy says in the masks that pp is not idle any more, and may have timers. Called by
// Pidleget, when pp is off the list, with s.Lock held: so before any M has it. The runtime does
// this in pidleget.
func (p *masks) MaskBusy(pp *gmp.P) {
	// Holds: Before the M that gets pp can queue a G or set a timer, everybody
	//        who looks knows that it may.
	panic(gmp.TODO("MaskBusy"))
}

// BusyPs returns those of allp, in order, that are not in idlepmask. Neither argument is
// changed. mp, who calls it, has no P, and idlepmask is what s.Idlepmask was together with
// allp, as long as it had one. In the runtime checkRunqsNoP looks at each bit just before
// the queue.
func (p *masks) BusyPs(allp []*gmp.P, idlepmask gmp.PMask) []*gmp.P {
	// Question: Which of the two masks is it, which belongs to these Ps: the
	//           one of now, or the one of then?
	panic(gmp.TODO("BusyPs"))
}

// TimerPs returns those of allp, in order, that are in timerpmask; otherwise it is like
// BusyPs. In the runtime checkTimersNoP does this.
func (p *masks) TimerPs(allp []*gmp.P, timerpmask gmp.PMask) []*gmp.P {
	panic(gmp.TODO("TimerPs"))
}
