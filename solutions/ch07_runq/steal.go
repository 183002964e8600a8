package ch07

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// stealDelay is how long a thief waits before it takes a Runnext, in
// microseconds.
const stealDelay = 3

// Runqgrab takes half of pp's ring into batch, for a thief.
//
//course:exercise
func (p *runQueue) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	//course:holds Each G that it returns in batch was taken by this thief, and by no other thread; and at least half of the slots of batch were never written to.
	//course:question The owner goes on while you read. When is a copy of a slot worth something, and how do you find out?
	//course:lead You see the head at one moment and the tail at another. How far apart can the two numbers be? And the G that you saw in Runnext before you waited: is it the one that you take?
	into := func(i uint32) *machine.Pointer[gmp.G] { return &batch[(batchHead+i)%uint32(len(batch))] }
	for {
		//course:step Look at the head and then at the tail. How many are half of them, rounded up?
		h := pp.Runqhead.Load()
		t := pp.Runqtail.Load()
		n := t - h
		n -= n / 2
		if n == 0 {
			//course:step None in the ring: unless you are asked to steal Runnext, and it is not empty, there is nothing to take.
			if !stealRunNext {
				return 0
			}
			next := pp.Runnext.Load()
			if next == nil {
				return 0
			}
			//course:step If pp is running, its owner may run that G in a moment. Leave it 3 µs (machine.Usleep).
			if pp.Status.Load() == gmp.Prunning {
				machine.Usleep(stealDelay)
			}
			//course:step Take it, if it is still there. If not, start again.
			if !pp.Runnext.CompareAndSwap(next, nil) {
				continue
			}
			into(0).Store(next)
			return 1
		}
		//course:step You have looked twice, and the queue may have changed in between. If that makes more than half of the ring, the two looks do not belong together, and a copy of so many might overwrite Gs of your own: start again.
		if n > uint32(len(pp.Runq))/2 {
			continue
		}
		//course:step Copy them, and then take them, by moving the head past them. The owner may overwrite a slot as soon as the head is past it; if the head has already moved, what you copied is worth nothing, so start again.
		for i := range n {
			into(i).Store(slot(pp, h+i).Load())
		}
		if pp.Runqhead.CompareAndSwap(h, h+n) {
			return n
		}
	}
}

// Runqsteal moves half of p2's ring to pp's and returns one of the Gs.
//
//course:exercise
func (p *runQueue) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	//course:holds From the moment when others can see the stolen Gs, these are in pp's ring, all written; the one that is returned is not among them.
	//course:lead Who looks behind the tail of your own ring? What changes when the tail moves?
	//course:step Grab into your own ring, behind the tail, where no other M looks yet.
	t := pp.Runqtail.Load()
	n := p.s.Runqgrab(p2, pp.Runq, t, stealRunNext)
	if n == 0 {
		return nil
	}
	//course:step The last one is the one to return. If there are no others, the ring stays as it is.
	n--
	gp := slot(pp, t+n).Load()
	if n == 0 {
		return gp
	}
	//course:step All of them must have had room, including the one to return; throw if not. Then store the tail: from that moment others may steal them from you.
	h := pp.Runqhead.Load()
	if t-h+n >= uint32(len(pp.Runq)) {
		p.s.Throw("runqsteal: runq overflow")
	}
	pp.Runqtail.Store(t + n)
	return gp
}
