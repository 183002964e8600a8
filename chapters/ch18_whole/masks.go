package ch18

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// bits checks what becomes of the masks.
func bits(t *check.T) {
	for _, c := range []struct {
		id     int
		timers uint32
	}{{0, 0}, {0, 1}, {31, 0}, {32, 3}, {39, 0}} {
		w := newWorld(t, 40)
		pp := w.s.Allp.Get()[c.id]
		pp.Timers.Len.Store(c.timers)
		check.Locked(t, w.s, "MaskIdle", func() { w.masks.MaskIdle(pp) })
		what := fmt.Sprintf("P%d has %d timers, and becomes idle; after MaskIdle ", c.id, c.timers)
		want(w, what, c.id, true, c.timers > 0)
		check.Locked(t, w.s, "MaskBusy", func() { w.masks.MaskBusy(pp) })
		want(w, what+"and MaskBusy ", c.id, false, true)
	}
}

// want says what the bits of P number id should be; the others are not idle, and may have timers.
func want(w *world, what string, id int, idle, timers bool) {
	for _, pp := range w.s.Allp.Get() {
		i, tm := false, true
		if int(pp.ID) == id {
			i, tm = idle, timers
		}
		check.Want(w.t, what+"the bit of "+check.PName(pp)+" in Idlepmask", w.s.Idlepmask.Get().Read(pp.ID), i)
		check.Want(w.t, what+"the bit of "+check.PName(pp)+" in Timerpmask", w.s.Timerpmask.Get().Read(pp.ID), tm)
	}
}

// filters checks which Ps the masks leave.
func filters(t *check.T) {
	w := newWorld(t, 4)
	all := w.s.Allp.Get()
	mask := make(gmp.PMask, 1)
	mask.Set(1)
	mask.Set(2)
	check.Want(t, "P1 and P2 are in idlepmask, but not in s.Idlepmask; what BusyPs returns of four Ps", ps(w.masks.BusyPs(all, mask)), "P0, P3")
	check.Want(t, "P1 and P2 are in timerpmask, and all are in s.Timerpmask; what TimerPs returns of four Ps", ps(w.masks.TimerPs(all, mask)), "P1, P2")
	check.Want(t, "after BusyPs and TimerPs, s.Allp", ps(all), "P0, P1, P2, P3")
	mask.Set(0)
	mask.Set(3)
	check.Want(t, "all are in idlepmask; what BusyPs returns", ps(w.masks.BusyPs(all, mask)), "none")
	check.Want(t, "two Ps are asked about, P2 and P3, in idlepmask with all others; what TimerPs returns", ps(w.masks.TimerPs(all[2:], mask)), "P2, P3")
}

// stealMasks checks that StealWork looks only where the masks say that there may be something.
func stealMasks(t *check.T) {
	w := newWorld(t, 4)
	s := w.s
	stealing := w.Tape.Parts.Stealing.(*sources).Stealing
	w.m0.Spinning.Set(true)
	s.Idlepmask.Get().Set(1)
	s.Timerpmask.Get().Clear(1)
	s.Idlepmask.Get().Set(2)
	s.Timerpmask.Get().Clear(3)
	stealing.StealWork(w.m0, 0)
	robbed, timers := map[string]int{}, map[string]int{}
	for _, c := range w.Of("Runqsteal") {
		robbed[check.PName(c.Args[1].(*gmp.P))]++
	}
	for _, c := range w.Of("CheckTimers") {
		timers[check.PName(check.Arg[*gmp.P](c.Call))]++
	}
	for _, c := range []struct {
		p             string
		what          string
		queue, timers int
	}{
		{"P0", "P0 is M0's own", 0, 0},
		{"P1", "P1 is idle, and has no timers", 0, 0},
		{"P2", "P2 is idle, and may have timers", 0, 1},
		{"P3", "P3 is not idle, and has no timers", 4, 0},
	} {
		check.Want(t, c.what+"; how often StealWork tries its queue (Runqsteal)", robbed[c.p], c.queue)
		check.Want(t, c.what+"; how often StealWork looks at its timers (CheckTimers)", timers[c.p], c.timers)
	}

	// Bits that change meanwhile.
	w = newWorld(t, 2)
	stealing = w.Tape.Parts.Stealing.(*sources).Stealing
	w.m0.Spinning.Set(true)
	tries := 0
	w.happens["Runqsteal"] = func() {
		tries++
		w.s.Idlepmask.Get().Set(1)
	}
	stealing.StealWork(w.m0, 0)
	check.Want(t, "P1 becomes idle while M0 looks at its queue for the first time; how often StealWork tries its queue", tries, 1)
}
