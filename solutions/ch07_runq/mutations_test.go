package ch07_test

import (
	"testing"

	"gosched/chapters/check/mutation"
)

// Why some changes change nothing.
const (
	ownTail  = "the owner alone moves the tail, so it is the same whenever the owner looks"
	ownSlots = "the owner alone stores into slots, and it is here: nobody overwrites them"
)

// TestMutations proves that each change of one atomic operation is seen by a check,
// or that it is none.
func TestMutations(t *testing.T) {
	mutation.Test(t, mutation.Subject{
		Chapter:     "ch07",
		Suite:       "gosched/chapters/ch07_runq",
		Solution:    "gosched/solutions/ch07_runq",
		Interface:   "RunQueue",
		Receiver:    "runQueue",
		Constructor: "NewRunQueue",
		Equivalent: map[string]string{
			"Runqput: pp.Runqhead.Load() and pp.Runqtail.Load(): loads swapped":      ownTail,
			"Runqputbatch: pp.Runqhead.Load() and pp.Runqtail.Load(): loads swapped": ownTail,
			"Runqget: pp.Runqhead.Load() and pp.Runqtail.Load(): loads swapped":      ownTail,
			"Runqdrain: pp.Runqhead.Load() and pp.Runqtail.Load(): loads swapped":    ownTail,

			"Runqget: slot(pp, h).Load(): after pp.Runqhead.CompareAndSwap(h, h+1)":                    ownSlots,
			"Runqputslow: the loop of slot(pp, h+i).Load(): after !pp.Runqhead.CompareAndSwap(h, h+n)": ownSlots,

			"Runqempty: pp.Runqhead.Load() and pp.Runqtail.Load(): loads swapped": "the tail is the same at its two looks, so nothing was put into the ring in between; when the head was equal to it the ring was empty, and so it was when Runnext was",
			"Runqempty: pp.Runqtail.Load() and pp.Runnext.Load(): loads swapped":  "if the tail is at last what the head was at first, nothing was put into the ring in between; so the ring was empty all the time, also when Runnext was",

			"Runqgrab: !pp.Runnext.CompareAndSwap(next, nil) and into(0).Store(next): stores swapped": "the slot is the thief's own, behind its tail, where nobody looks",
		},
	})
}
