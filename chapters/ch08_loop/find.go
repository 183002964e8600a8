package ch08

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// findOrder checks the order in which FindRunnable looks, when there is nothing.
func findOrder(t *check.T) {
	w := newWorld(t, 2)
	gp := w.newG(gmp.Grunnable)
	w.stopped = func() {
		w.wakes()
		w.RunQueue.Runqput(w.p0, gp, false)
	}
	got, _, _ := w.find()
	check.Want(t, "M0 found nothing, slept, and was woken with G1 on its P; the result of FindRunnable", check.Name(got), "G1")

	steps := []string{"CheckTimers", "Nearby", "StealWork", "Releasep", "Pidleput", "Stopm"}
	var log []string
	for _, c := range w.Calls {
		if slices.Contains(steps, c.Method) && (len(log) == 0 || log[len(log)-1] != "Stopm") {
			log = append(log, c.Method)
		}
	}
	if !slices.Equal(log, steps) {
		t.Errorf("there is no work anywhere; FindRunnable calls\n  %s\nwant\n  %s", strings.Join(log, ", "), strings.Join(steps, ", "))
	}
	if w.at("StealWork") >= 0 && w.at("Nearby") > w.at("StealWork") {
		t.Errorf("FindRunnable asks other Ps before it has looked nearby")
	}
}

// findEach checks that FindRunnable returns what it finds, wherever that is.
func findEach(t *check.T) {
	w := newWorld(t, 2)
	gp := w.onP0(1, true)[0]
	got, inherit, try := w.find()
	check.Want(t, "G1 is in Runnext; the result of FindRunnable", check.Name(got), check.Name(gp))
	check.Want(t, "its inheritTime", inherit, true)
	check.Want(t, "its tryWakeP", try, false)

	w = newWorld(t, 2)
	gp = w.newG(gmp.Grunnable)
	w.timers = func() {
		w.timers = nil
		w.RunQueue.Runqput(w.p0, gp, true)
	}
	got, _, _ = w.find()
	check.Want(t, "a timer of P0 made G1 ready, when FindRunnable ran it; the result of FindRunnable", check.Name(got), check.Name(gp))
	if w.at("StealWork") >= 0 {
		t.Errorf("a timer of P0 made G1 ready, and FindRunnable asked other Ps first")
	}

	w = newWorld(t, 2)
	gp = w.newG(gmp.Grunnable)
	w.steal = func() (*gmp.G, int64, bool) { return gp, 0, false }
	got, inherit, _ = w.find()
	check.Want(t, "StealWork returns G1; the result of FindRunnable", check.Name(got), check.Name(gp))
	check.Want(t, "its inheritTime", inherit, false)
	check.Want(t, "after it the P of M0", check.PName(w.m0.P.Get()), "P0")
}

// findAgain checks what may happen while FindRunnable looks.
func findAgain(t *check.T) {
	// A timer of another P may have made something ready, anywhere.
	w := newWorld(t, 2)
	gp := w.newG(gmp.Grunnable)
	w.steal = func() (*gmp.G, int64, bool) {
		w.steal = nil
		w.RunQueue.Runqput(w.p0, gp, true)
		return nil, 0, true
	}
	var got *gmp.G
	if msg := t.Throws(func() { got, _, _ = w.find() }); msg != "" {
		t.Fatalf("StealWork found no G, but newWork: G1 is on P0 now; FindRunnable gave back P0 with it, and that throws %q", msg)
	}
	check.Want(t, "StealWork found no G, but newWork: G1 is on P0 now; the result of FindRunnable", check.Name(got), check.Name(gp))

	// The global queue was empty, and is not any more. Who put the Gs there has found no
	// idle P.
	w = newWorld(t, 1)
	w.steal = func() (*gmp.G, int64, bool) {
		w.steal = nil
		w.onGlobal(3)
		return nil, 0, false
	}
	got, _, _ = w.find()
	check.Want(t, "G1 to G3 came onto the global queue after FindRunnable had looked there; its result", check.Name(got), "G1")
	if w.at("Releasep") >= 0 {
		t.Errorf("G1 to G3 came onto the global queue after FindRunnable had looked there, and it gave its P back; who put them there saw no idle P and told nobody")
	}
	check.Want(t, "the ring of P0, to which this batch comes,", check.Names(ring(w.p0)), "G2, G3")
}

// findStops checks that M0 stops when the world is to stop.
func findStops(t *check.T) {
	for _, c := range []struct {
		when string
		set  func(w *world, stop func())
	}{
		{"before FindRunnable begins", func(w *world, stop func()) { stop() }},
		{"while FindRunnable asks other Ps", func(w *world, stop func()) {
			w.steal = func() (*gmp.G, int64, bool) {
				stop()
				return nil, 0, false
			}
		}},
	} {
		w := newWorld(t, 1)
		gp := w.newG(gmp.Grunnable)
		stops := 0
		c.set(w, func() { w.s.Gcwaiting.Store(true) })
		w.gcstop = func() {
			stops++
			w.s.Gcwaiting.Store(false)
			w.steal = nil
			check.Want(t, "the P of M0 when it calls Gcstopm, which gives it up,", check.PName(w.m0.P.Get()), "P0")
			if check.Held(&w.s.Lock) {
				t.Fatalf("FindRunnable called Gcstopm with s.Lock held; Gcstopm takes it")
			}
			w.RunQueue.Runqput(w.p0, gp, false)
		}
		w.stopped = func() {
			t.Fatalf("Gcwaiting was set %s, and M0 gave its P back and sleeps (Stopm); it must stop with its P, by Gcstopm", c.when)
		}
		got, _, _ := w.find()
		check.Want(t, fmt.Sprintf("Gcwaiting was set %s; the number of calls of Gcstopm", c.when), stops, 1)
		check.Want(t, "when the world went on G1 was on P0; the result of FindRunnable", check.Name(got), check.Name(gp))
	}
}

// findIdle checks how M0 goes to sleep.
func findIdle(t *check.T) {
	w := newWorld(t, 2)
	sleeps := 0
	w.stopped = func() {
		sleeps++
		if check.Held(&w.s.Lock) {
			t.Fatalf("FindRunnable called Stopm with s.Lock held")
		}
		check.Want(t, "when M0 sleeps its P", check.PName(w.m0.P.Get()), "nil")
		check.Want(t, "when M0 sleeps the number of idle Ps", w.s.Npidle.Load(), 2)
		if sleeps == 2 { // the first time it is woken for nothing
			w.onGlobal(1)
		}
		w.wakes()
	}
	got, _, _ := w.find()
	check.Want(t, "M0 slept twice, and then G1 was on the global queue; the result of FindRunnable", check.Name(got), "G1")
	w.WantLocked(t, "FindRunnable", "Pidleput")

	w = newWorld(t, 1)
	gs := w.onGlobal(1)
	w.s.Exit(w.m0, 0)
	got, _, _ = w.find()
	check.Want(t, "the program is over; the result of FindRunnable", check.Name(got), "nil")
	check.Want(t, "and the global queue", check.Names(queued(w.s)), check.Names(gs))
}

// years is a time on the clock of a check, which has just begun: the few seconds that
// it takes do not matter.
const years = int64(1e17)

// findWaits checks that an M without work waits for what is to come.
func findWaits(t *check.T) {
	for _, c := range []struct {
		what       string
		due, steal int64 // in years
		waiters    bool
		want       int64 // 0 for no wait, -1 for ever
	}{
		{what: "nothing is to come", want: 0},
		{what: "a timer of P0 is due in 5 years", due: 5, want: 5},
		{what: "StealWork has seen a timer that is due in 3 years", steal: 3, want: 3},
		{what: "timers of P0 are due in 5 years, others in 3", due: 5, steal: 3, want: 3},
		{what: "timers of P0 are due in 2 years, others in 3", due: 2, steal: 3, want: 2},
		{what: "somebody waits for the network", waiters: true, want: -1},
	} {
		w := newWorld(t, 1)
		w.due = c.due * years
		w.steal = func() (*gmp.G, int64, bool) { return nil, c.steal * years, false }
		gp := w.newG(gmp.Grunnable)
		back := func() {
			w.due, w.steal, w.waiters = 0, nil, false
			w.s.Lock.Lock()
			w.s.Runq.PushBack(gp)
			w.s.Lock.Unlock()
		}
		waited := int64(0)
		w.waiters = c.waiters
		w.polled = func(delay int64) gmp.GList {
			if delay == 0 {
				return gmp.GList{} // Nearby only looks
			}
			if waited = -1; delay > 0 {
				waited = (delay + years/2) / years
			}
			if w.m0.P.Get() != nil || w.s.Npidle.Load() != 1 {
				t.Errorf("%s: M0 waits in Netpoll, and P0 is not on the list of idle Ps", c.what)
			}
			back()
			return gmp.GList{}
		}
		w.stopped = func() {
			back()
			w.wakes()
		}
		got, _, _ := w.find()
		check.Want(t, c.what+"; when FindRunnable finds no G, how many years it waits in Netpoll (0: not at all, -1: for ever),", waited, c.want)
		check.Want(t, c.what+"; afterwards G1 is on the global queue; the result of FindRunnable", check.Name(got), "G1")
		check.Want(t, "and the P of M0", check.PName(w.m0.P.Get()), "P0")
	}

	// Meanwhile all Ps may have been taken: then what came goes to others, and M0 sleeps.
	w := newWorld(t, 1)
	w.waiters = true
	gp := w.newG(gmp.Gwaiting)
	w.polled = func(delay int64) (list gmp.GList) {
		if delay == 0 {
			return list
		}
		w.s.Lock.Lock()
		w.s.Pidleget(1)
		w.s.Lock.Unlock()
		list.Push(gp)
		return list
	}
	slept := false
	w.stopped = func() {
		slept = true
		check.Want(t, "G1 came from the network, and there was no P for M0; when it sleeps the Gs given to Injectglist", check.Names(queued(w.s)), "G1")
		w.waiters = false
		gp.Atomicstatus.Store(gmp.Grunnable)
		w.s.Acquirep(w.m0, w.p0)
	}
	w.find()
	if !slept {
		t.Errorf("G1 came from the network, and there was no P for M0, but FindRunnable did not call Stopm")
	}
}
