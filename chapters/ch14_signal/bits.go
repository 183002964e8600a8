package ch14

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// scan checks that the scan bit is set, and cleared.
func scan(t *check.T) {
	all := []uint32{gmp.Gidle, gmp.Grunnable, gmp.Grunning, gmp.Gsyscall, gmp.Gwaiting, gmp.Gdead, gmp.Gcopystack, gmp.Gpreempted}
	w := newWorld(t)
	for _, from := range []uint32{gmp.Grunnable, gmp.Grunning, gmp.Gsyscall, gmp.Gwaiting} {
		for _, found := range all {
			for _, bit := range []uint32{0, gmp.Gscan} {
				w.gp.Atomicstatus.Store(found | bit)
				got := w.s.Castogscanstatus(w.gp, from, from|gmp.Gscan)
				what := fmt.Sprintf("G1 is %s; after Castogscanstatus(G1, %s, %s)", is(found|bit), is(from), is(from|gmp.Gscan))
				want := found == from && bit == 0
				check.Want(t, what+" the result", got, want)
				state := found | bit
				if want {
					state |= gmp.Gscan
				}
				check.Want(t, what+" the state of G1", check.State(w.gp), is(state))
				if t.Failed() {
					return
				}
			}
		}
	}
	for _, c := range [][2]uint32{{gmp.Grunning, gmp.Gwaiting | gmp.Gscan}, {gmp.Gwaiting, gmp.Gwaiting}, {gmp.Gdead, gmp.Gdead | gmp.Gscan}, {gmp.Gpreempted, gmp.Gpreempted | gmp.Gscan}} {
		w.gp.Atomicstatus.Store(c[0])
		if msg := t.Throws(func() { w.s.Castogscanstatus(w.gp, c[0], c[1]) }); msg == "" {
			t.Errorf("Castogscanstatus(G1, %s, %s) must throw: only the scan bit may change, and only in the four states in which a stack can be looked at", is(c[0]), is(c[1]))
		}
	}
	for _, from := range []uint32{gmp.Grunnable, gmp.Grunning, gmp.Gsyscall, gmp.Gwaiting, gmp.Gpreempted} {
		w.gp.Atomicstatus.Store(from | gmp.Gscan)
		w.s.CasfromGscanstatus(w.gp, from|gmp.Gscan, from)
		check.Want(t, fmt.Sprintf("after CasfromGscanstatus(G1, %s, %s) the state of G1", is(from|gmp.Gscan), is(from)), check.State(w.gp), is(from))
	}
	for _, c := range [][3]uint32{
		{gmp.Gwaiting, gmp.Gwaiting | gmp.Gscan, gmp.Gwaiting}, // the bit is not set
		{gmp.Gwaiting | gmp.Gscan, gmp.Gwaiting | gmp.Gscan, gmp.Grunnable},
		{gmp.Gwaiting, gmp.Gwaiting, gmp.Gwaiting},
		{gmp.Grunnable, gmp.Grunnable, gmp.Grunnable},
	} {
		w.gp.Atomicstatus.Store(c[0])
		if msg := t.Throws(func() { w.s.CasfromGscanstatus(w.gp, c[1], c[2]) }); msg == "" {
			t.Errorf("G1 is %s; CasfromGscanstatus(G1, %s, %s) must throw: somebody is wrong about who has locked the state", is(c[0]), is(c[1]), is(c[2]))
		}
	}
}

// preemptedBits checks the two edges of Gpreempted.
func preemptedBits(t *check.T) {
	w := newWorld(t)
	w.s.CasGToPreemptScan(w.gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	check.Want(t, "after CasGToPreemptScan the state of G1", check.State(w.gp), is(gmp.Gpreempted|gmp.Gscan))
	for _, c := range [][2]uint32{{gmp.Grunning, gmp.Gpreempted}, {gmp.Grunning, gmp.Gwaiting | gmp.Gscan}, {gmp.Gwaiting, gmp.Gpreempted | gmp.Gscan}} {
		w.gp.Atomicstatus.Store(c[0])
		if msg := t.Throws(func() { w.s.CasGToPreemptScan(w.gp, c[0], c[1]) }); msg == "" {
			t.Errorf("CasGToPreemptScan(G1, %s, %s) must throw: it takes a G from %s to %s and nowhere else", is(c[0]), is(c[1]), is(gmp.Grunning), is(gmp.Gpreempted|gmp.Gscan))
		}
	}
	for _, found := range []uint32{gmp.Gpreempted, gmp.Gpreempted | gmp.Gscan, gmp.Gwaiting, gmp.Grunnable} {
		w.gp.Atomicstatus.Store(found)
		w.gp.Waitreason.Set(gmp.WaitReasonChanReceive)
		got := w.s.CasGFromPreempted(w.gp, gmp.Gpreempted, gmp.Gwaiting)
		what := fmt.Sprintf("G1 is %s; after CasGFromPreempted", is(found))
		check.Want(t, what+" the result", got, found == gmp.Gpreempted)
		if found == gmp.Gpreempted {
			check.Want(t, what+" the state of G1", check.State(w.gp), is(gmp.Gwaiting))
			check.Want(t, what+" why it waits", w.gp.Waitreason.Get(), gmp.WaitReasonPreempted)
		} else {
			check.Want(t, what+" the state of G1", check.State(w.gp), is(found))
			check.Want(t, what+", which has failed, why G1 waits", w.gp.Waitreason.Get(), gmp.WaitReasonChanReceive)
		}
	}
	for _, c := range [][2]uint32{{gmp.Gpreempted, gmp.Grunnable}, {gmp.Grunnable, gmp.Gwaiting}} {
		for _, found := range []uint32{c[0], gmp.Gsyscall} {
			w.gp.Atomicstatus.Store(found)
			if msg := t.Throws(func() { w.s.CasGFromPreempted(w.gp, c[0], c[1]) }); msg == "" {
				t.Errorf("G1 is %s; CasGFromPreempted(G1, %s, %s) must throw: it takes a G from %s to %s and nowhere else", is(found), is(c[0]), is(c[1]), is(gmp.Gpreempted), is(gmp.Gwaiting))
			}
		}
	}
}
