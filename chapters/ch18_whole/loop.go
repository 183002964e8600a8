package ch18

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// What Checkdead throws.
const (
	asleep   = "all goroutines are asleep - deadlock!"
	nobody   = "no goroutines (main called runtime.Goexit) - deadlock!"
	badCount = "checkdead: inconsistent counts"
	lostG    = "checkdead: runnable g"
)

// dead checks what is new in Checkdead.
func dead(t *check.T) {
	for _, c := range []struct {
		what   string
		gs     []uint32
		nmidle int32
		timers uint32
		panics int32
		want   string
	}{
		{what: "G1 waits, and P1 has no timer", gs: []uint32{gmp.Gwaiting}, nmidle: 2, want: asleep},
		{what: "G1 waits, and P1 has a timer", gs: []uint32{gmp.Gwaiting}, nmidle: 2, timers: 1},
		{what: "no G is left, and P1 has a timer", gs: []uint32{gmp.Gdead}, nmidle: 2, timers: 1, want: nobody},
		{what: "G1 is runnable, and P1 has a timer", gs: []uint32{gmp.Grunnable}, nmidle: 2, timers: 1, want: lostG},
		{what: "G1 waits, a G dies from a panic (s.Panicking)", gs: []uint32{gmp.Gwaiting}, nmidle: 2, panics: 1},
		{what: "a G dies from a panic, and more Ms are idle than exist", gs: []uint32{gmp.Gwaiting}, nmidle: 3, panics: 1},
		{what: "more Ms are idle than exist, and P1 has a timer", gs: []uint32{gmp.Gwaiting}, nmidle: 3, timers: 1, want: badCount},
		{what: "G1 waits, and M1 is awake", gs: []uint32{gmp.Gwaiting}, nmidle: 1},
	} {
		w := newWorld(t, 2)
		s := w.s
		deadlock := w.Tape.Parts.Deadlock
		for _, st := range c.gs {
			check.NewG(s, st)
		}
		s.Mnext.Set(2)
		s.Nmidle.Set(c.nmidle)
		s.Panicking.Store(c.panics)
		s.Allp.Get()[1].Timers.Len.Store(c.timers)
		msg := t.Throws(func() {
			s.Lock.Lock()
			deadlock.Checkdead()
		})
		check.WantThrow(t, "of two Ms both are idle, unless something else is said; "+c.what+"; Checkdead", check.Thrown(msg), check.Thrown(c.want))
	}
}

// schedule checks what is new in Schedule.
func schedule(t *check.T) {
	w := newWorld(t, 2)
	loop := w.Tape.Parts.Loop
	g1 := check.NewG(w.s, gmp.Grunnable)
	w.local = []*gmp.G{g1}
	w.p0.Preempt.Set(true)
	w.happens["FindRunnable"] = func() {
		check.Want(t, "P0 was asked to stop, and M0 looks for a G; when Schedule calls FindRunnable, P0.Preempt", w.p0.Preempt.Get(), false)
	}
	loop.Schedule(w.m0)
	check.Want(t, "after Schedule M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
	if len(w.Of("FindRunnable")) == 0 {
		t.Errorf("Schedule does not call FindRunnable")
	}

	w = newWorld(t, 2)
	w.m0.Locks.Set(1)
	w.m0.LockedExt.Set(1) // its locked G has ended
	w.local = []*gmp.G{check.NewG(w.s, gmp.Grunnable)}
	msg := t.Throws(func() { w.Tape.Parts.Loop.Schedule(w.m0) })
	check.WantThrow(t, "M0.Locks is 1; Schedule(M0)", check.Thrown(msg), `"schedule: holding locks"`)
	check.Want(t, "M0.Locks is 1; what else Schedule(M0) does", w.asked("FindRunnable", "Mexit", "Stoplockedm"), "nothing")
}
