package ch05

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// What Checkdead throws.
const (
	asleep   = "all goroutines are asleep - deadlock!"
	nobody   = "no goroutines (main called runtime.Goexit) - deadlock!"
	lostG    = "checkdead: runnable g"
	badCount = "checkdead: inconsistent counts"
)

// deadCounts checks of which Ms Checkdead expects something.
func deadCounts(t *check.T) {
	for _, c := range []struct {
		what                        string
		mnext, freed                int64
		nmidle, nmidlelocked, nmsys int32
		want                        string
	}{
		{what: "M0 idle and no other", mnext: 1, nmidle: 1, want: asleep},
		{what: "M0 idle and M1 at work", mnext: 2, nmidle: 1},
		{what: "M0 and M1 idle", mnext: 2, nmidle: 2, want: asleep},
		{what: "M0 idle and M1's ID reserved, but M1 not yet started", mnext: 2, nmidle: 1},
		{what: "M0 idle and M1 waiting for its locked G", mnext: 2, nmidle: 1, nmidlelocked: 1, want: asleep},
		{what: "M0 idle and M1 an M of the system", mnext: 2, nmidle: 1, nmsys: 1, want: asleep},
		{what: "M0 idle and M1 gone", mnext: 2, freed: 1, nmidle: 1, want: asleep},
		{what: "five Ms made, two idle, one waiting for its locked G, one of the system", mnext: 5, nmidle: 2, nmidlelocked: 1, nmsys: 1},
		{what: "more Ms idle than exist", mnext: 2, nmidle: 3, want: badCount},
	} {
		w := newWorld(t, 1)
		s := w.s
		check.NewG(w.s, gmp.Gwaiting)
		s.Mnext.Set(c.mnext)
		s.Nmfreed.Set(c.freed)
		s.Nmidle.Set(c.nmidle)
		s.Nmidlelocked.Set(c.nmidlelocked)
		s.Nmsys.Set(c.nmsys)
		check.WantThrow(t, "with "+c.what+", and G1 waiting, Checkdead", w.verdict(), check.Thrown(c.want))
	}
}

// verdict is what the Checkdead under test throws.
func (w *world) verdict() string {
	return check.Thrown(w.t.Throws(func() {
		w.s.Lock.Lock()
		w.Deadlock.Checkdead()
	}))
}

// deadGs checks what Checkdead says when all Ms are idle.
func deadGs(t *check.T) {
	for _, c := range []struct {
		what string
		gs   []uint32
		want string
	}{
		{"G1 and G2 waiting", []uint32{gmp.Gwaiting, gmp.Gwaiting}, asleep},
		{"G1 dead and G2 waiting with the scan bit", []uint32{gmp.Gdead, gmp.Gwaiting | gmp.Gscan}, asleep},
		{"G1 preempted", []uint32{gmp.Gpreempted}, asleep},
		{"G1 dead", []uint32{gmp.Gdead}, nobody},
		{"no G", nil, nobody},
		{"G1 waiting and G2 runnable", []uint32{gmp.Gwaiting, gmp.Grunnable}, lostG},
		{"G1 running", []uint32{gmp.Grunning}, lostG},
	} {
		w := newWorld(t, 1)
		for _, st := range c.gs {
			check.NewG(w.s, st)
		}
		w.s.Nmidle.Set(1)
		check.WantThrow(t, "all Ms are idle; with "+c.what+", Checkdead", w.verdict(), check.Thrown(c.want))
	}
}

// deadTimers checks that a timer keeps the program alive.
func deadTimers(t *check.T) {
	w := allIdle(t, gmp.Gwaiting)
	w.s.Timerlist.Len.Store(1)
	check.WantThrow(t, "all Ms are idle and G1 waits; with a timer in s.Timerlist, Checkdead", w.verdict(), check.Thrown(""))

	w = allIdle(t, gmp.Grunnable)
	w.s.Timerlist.Len.Store(1)
	check.WantThrow(t, "all Ms are idle, and a timer, which is still counted in s.Timerlist.Len, is just making G1 runnable; Checkdead", w.verdict(), check.Thrown(""))

	w = allIdle(t, gmp.Gwaiting)
	w.s.Nmidle.Set(2) // of one M
	w.s.Timerlist.Len.Store(1)
	check.WantThrow(t, "there is a timer, and more Ms are idle than exist; Checkdead", w.verdict(), check.Thrown(badCount))

	// From Go 1.14 on timers are on the Ps.
	for _, timers := range []uint32{0, 1} {
		w = allIdle(t, gmp.Gwaiting)
		w.s.Allp.Set([]*gmp.P{gmp.NewP(0, 2), gmp.NewP(1, 2)})
		w.s.Allp.Get()[1].Timers.Len.Store(timers)
		want := map[uint32]string{0: asleep, 1: ""}[timers]
		check.WantThrow(t, fmt.Sprintf("all Ms are idle and G1 waits; with %d timers in the Timers of P1, Checkdead", timers), w.verdict(), check.Thrown(want))
	}
}

// allIdle makes a world in which the one M is idle, and there is one G, in state st.
func allIdle(t *check.T, st uint32) *world {
	w := newWorld(t, 1)
	check.NewG(w.s, st)
	w.s.Nmidle.Set(1)
	return w
}
