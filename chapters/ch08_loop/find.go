package ch08

import (
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
	for _, c := range w.Calls { // to look once more is no mistake
		if slices.Contains(steps, c.Method) && !slices.Contains(log, c.Method) && !slices.Contains(log, "Stopm") {
			log = append(log, c.Method)
		}
	}
	if !slices.Equal(log, steps) {
		t.Errorf("there is no work anywhere; FindRunnable calls, each for the first time,\n  %s\nwant\n  %s", strings.Join(log, ", "), strings.Join(steps, ", "))
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
	w.what = "StealWork returns G1; "
	w.findsAnew("G1")
	check.Want(t, "after it the P of M0", check.PName(w.m0.P.Get()), "P0")

	w = newWorld(t, 2)
	gp = w.newG(gmp.Grunnable)
	w.steal = func() (*gmp.G, int64, bool) {
		w.steal = nil
		return gp, 0, true
	}
	w.stopped = func() {
		t.Fatalf("StealWork returned G1, and newWork as well, since timers had run; FindRunnable started again, and G1, which is no longer on any queue, is lost")
	}
	w.what = "StealWork returns G1, and newWork as well; "
	w.findsAnew("G1")
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
		t.Fatalf("StealWork found no G, but newWork: G1 is now on P0; FindRunnable gave back P0 with it, and that throws %q", msg)
	}
	check.Want(t, "StealWork found no G, but newWork: G1 is now on P0; the result of FindRunnable", check.Name(got), check.Name(gp))

	// The global queue was empty, and is not any more. Whoever put the Gs there has found no
	// idle P.
	w = newWorld(t, 1)
	w.p0.Schedtick.Set(1)
	w.steal = func() (*gmp.G, int64, bool) {
		w.steal = nil
		w.onGlobal(3)
		return nil, 0, false
	}
	w.what = "G1 to G3 came onto the global queue after FindRunnable had looked there; "
	w.findsAnew("G1")
	if w.at("Releasep") >= 0 {
		t.Errorf("G1 to G3 came onto the global queue after FindRunnable had looked there, and it gave its P back; the M that put them there saw no idle P and told no other M")
	}
	check.Want(t, "the ring of P0, to which this batch comes,", check.Names(ring(w.p0)), "G2, G3")
}

// findStops checks that M0 stops when the world is to stop.
func findStops(t *check.T) {
	for _, c := range []struct {
		when string
		set  func(w *world, stop func())
	}{
		{"before FindRunnable starts, and G1 is on P0", func(w *world, stop func()) {
			w.onP0(1, false)
			stop()
		}},
		{"while FindRunnable asks other Ps", func(w *world, stop func()) {
			w.steal = func() (*gmp.G, int64, bool) {
				stop()
				return nil, 0, false
			}
		}},
		{"while FindRunnable asks other Ps, and G1 comes onto the global queue", func(w *world, stop func()) {
			w.steal = func() (*gmp.G, int64, bool) {
				w.onGlobal(1)
				stop()
				return nil, 0, false
			}
		}},
	} {
		w := newWorld(t, 1)
		w.what = "Gcwaiting was set " + c.when + ": "
		stops := 0
		c.set(w, func() { w.s.Gcwaiting.Store(true) })
		w.gcstop = func() {
			stops++
			w.steal = nil
			check.Want(t, "the P of M0 when it calls Gcstopm, which gives it up,", check.PName(w.m0.P.Get()), "P0")
			if check.Held(&w.s.Lock) {
				t.Fatalf("FindRunnable called Gcstopm with s.Lock held; Gcstopm takes it")
			}
			if stops == 1 {
				return // the world goes on, and is to stop again at once
			}
			w.s.Gcwaiting.Store(false)
			if len(queued(w.s)) == 0 && local(w.p0) == 0 {
				w.onP0(1, false)
			}
		}
		w.stopped = func() {
			t.Fatalf("%sM0 gave its P back and sleeps (Stopm); it must stop with its P, by Gcstopm, which the M that stops the world waits for", w.what)
		}
		got, _, _ := w.find()
		switch stops {
		case 0:
			t.Errorf("%sFindRunnable returns %s, and M0 did not stop (Gcstopm). All others wait for M0 until that G lets go, which may take a long time", w.what, check.Name(got))
		case 1:
			t.Errorf("%sM0 stopped, and when it came back Gcwaiting was set again; FindRunnable did not look, and returns %s. All others wait for M0 until that G lets go", w.what, check.Name(got))
		}
		check.Want(t, w.what+"the result of FindRunnable, when the world goes on", check.Name(got), "G1")
	}
}

// findRounds checks that FindRunnable begins anew after a sleep: with the P that M0 has then,
// and without what it knew before.
func findRounds(t *check.T) {
	for _, c := range []struct {
		what     string
		comeBack func(w *world, with func())
	}{
		{"M0 finds nothing, sleeps (Stopm), and is woken with P1: ", func(w *world, with func()) { w.stopped = with }},
		{"the world stops, and M0 comes back from Gcstopm with P1: ", func(w *world, with func()) {
			w.s.Gcwaiting.Store(true)
			w.gcstop = func() {
				w.s.Gcwaiting.Store(false)
				w.s.Lock.Lock()
				w.Procs.Pidleput(w.Procs.Releasep(w.m0), 1)
				w.s.Lock.Unlock()
				with()
			}
		}},
	} {
		w := newWorld(t, 2)
		w.what = c.what
		p1 := w.s.Allp.Get()[1]
		p1.Schedtick.Set(1)
		c.comeBack(w, func() {
			w.stopped = nil
			w.wakesWith(p1)
			w.Calls = nil
			w.steal = func() (*gmp.G, int64, bool) {
				w.steal = nil
				w.onGlobal(4) // the share of one of two Ps is 3
				return nil, 0, false
			}
		})
		w.findsAnew("G1")
		check.Want(t, w.what+"the P whose timers FindRunnable runs", check.PName(check.Arg[*gmp.P](w.Of("CheckTimers")[0].Call)), "P1")
		check.Want(t, w.what+"G1 to G4 came onto the global queue in the end, and this batch belongs on P1; what is on P1", check.Names(ring(p1)), "G2, G3")
	}

	w := newWorld(t, 1)
	w.what = "in the first round a timer was due in 5 years, and StealWork found new work; in the second there is no timer and no work: "
	w.due = 5 * years
	w.steal = func() (*gmp.G, int64, bool) {
		w.due, w.steal = 0, nil
		return nil, 0, true
	}
	gp := w.newG(gmp.Grunnable)
	back := func() { w.RunQueue.Runqput(w.p0, gp, false) }
	w.stopped = func() {
		w.wakes()
		back()
	}
	w.polled = func(delay int64) (list gmp.GList) {
		if delay != 0 {
			t.Errorf("%sM0 waits in Netpoll for the timer of the first round, which is gone; it must sleep by Stopm", w.what)
			w.stopped = w.wakes
			w.polled = nil
			w.timers = func() {
				w.timers = nil
				back()
			}
		}
		return list
	}
	w.findsAnew("G1")
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
	w.what = "M0 is to sleep, and to be woken twice, the second time for G1 on the global queue: "
	w.findsAnew("G1")
	w.WantLocked(t, "FindRunnable", "Pidleput")

	w = newWorld(t, 1)
	gs := w.onGlobal(1)
	w.s.Exit(w.m0, 0)
	w.what = "the program is over; "
	w.findsAnew("nil")
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
		{what: "a G waits for the network", waiters: true, want: -1},
	} {
		w := newWorld(t, 1)
		w.what = c.what + "; FindRunnable finds no G: "
		w.due, w.waiters = c.due*years, c.waiters
		w.steal = func() (*gmp.G, int64, bool) { return nil, c.steal * years, false }
		waited := w.waitsOnce(func() (list gmp.GList) {
			w.onGlobal(1)
			return list
		})
		w.findsAnew("G1")
		check.Want(t, w.what+"how many years it waits in Netpoll (0: not at all, -1: for ever)", *waited, c.want)
		check.Want(t, w.what+"the P of M0 at the end", check.PName(w.m0.P.Get()), "P0")
		if t.Failed() {
			return // what follows waits as well
		}
		if c.want == 0 {
			continue
		}
		w.WantLocked(t, "FindRunnable", "Pidleget")
		if len(w.Of("Acquirep")) == 0 {
			t.Errorf("%swhen M0 has waited it takes P0 by Wirep alone; Acquirep is what gives an M a P, and Wirep its first step", w.what)
		}
		for _, call := range w.Of("Pidleget") {
			if now := check.Arg[int64](call.Call); now != 0 && (now < w.start || now > w.s.Nanotime()) {
				t.Errorf("%sit tells Pidleget that the time is %d ns; want the time, or 0 if it has not looked", w.what, now)
			}
		}
	}
	gotFromNet(t)
	nothingForM0(t)
	another(t)
}

// waitsOnce lets M0 wait, in Netpoll or in Stopm, until come has happened, which is the end
// of all waiting. The result is how long it waited in Netpoll, in years.
func (w *world) waitsOnce(come func() gmp.GList) (waited *int64) {
	waited = new(int64)
	over := func() gmp.GList {
		w.due, w.steal, w.waiters = 0, nil, false
		return come()
	}
	w.polled = func(delay int64) (list gmp.GList) {
		if delay == 0 {
			return list // Nearby only looks
		}
		if *waited = -1; delay > 0 {
			*waited = (delay + years/2) / years
		}
		if w.m0.P.Get() != nil || w.s.Npidle.Load() != 1 {
			w.t.Errorf("%sM0 waits in Netpoll, and P0 is not on the list of idle Ps", w.what)
		}
		return over()
	}
	w.stopped = func() {
		over()
		w.wakes()
	}
	return waited
}

// gotFromNet checks what becomes of Gs that come while M0 waits, and P0 is still idle.
func gotFromNet(t *check.T) {
	w := newWorld(t, 1)
	w.what = "G1 and G2 came from the network while M0 waited there: "
	w.waiters = true
	w.waitsOnce(func() (list gmp.GList) {
		list.Push(w.newG(gmp.Gwaiting))
		list.Push(w.newG(gmp.Gwaiting))
		return list
	})
	w.stopped = func() { t.Fatalf("%sit sleeps, and does not give them to Injectglist", w.what) }
	w.injecting = func() {
		check.Want(t, w.what+"when it gives them to Injectglist, which then keeps one of them for M0, the P of M0", check.PName(w.m0.P.Get()), "P0")
	}
	w.findsAnew("G2")
	check.Want(t, w.what+"the other one is for other Ms, on the global queue or the ring; the number of Gs there", len(queued(w.s))+local(w.p0), 1)
}

// nothingForM0 checks what happens when Gs come and all Ps have been taken meanwhile: the
// Gs go to others, and M0 sleeps.
func nothingForM0(t *check.T) {
	w := newWorld(t, 1)
	w.what = "G1 came from the network while M0 waited there, and there was no P for M0: "
	w.waiters = true
	gp := w.newG(gmp.Gwaiting)
	w.polled = func(delay int64) (list gmp.GList) {
		if delay == 0 {
			return list
		}
		w.s.Lock.Lock()
		w.Procs.Pidleget(1)
		w.s.Lock.Unlock()
		list.Push(gp)
		return list
	}
	slept := false
	w.stopped = func() {
		slept = true
		check.Want(t, w.what+"when it sleeps the Gs given to Injectglist", check.Names(queued(w.s)), "G1")
		w.waiters = false
		gp.Atomicstatus.Store(gmp.Grunnable)
		w.Procs.Acquirep(w.m0, w.p0)
	}
	w.find()
	if !slept {
		t.Errorf("%sFindRunnable did not call Stopm", w.what)
	}
}

// another checks that M0 sleeps if another M waits in Netpoll already.
func another(t *check.T) {
	w := newWorld(t, 1)
	w.what = "a timer is due in 5 years, and another M already waits for it in Netpoll: "
	w.due = 5 * years
	w.s.Lastpoll.Store(0)
	slept := false
	w.stopped = func() {
		slept = true
		w.onGlobal(1)
		w.wakes()
	}
	w.polled = func(delay int64) (list gmp.GList) {
		t.Errorf("%sM0 calls Netpoll as well", w.what)
		return list
	}
	w.injecting = func() { t.Fatalf("%sM0 goes on as if it had waited, and does not sleep", w.what) }
	w.findsAnew("G1")
	check.Must(t, slept, w.what+"M0, which has nothing else to do, must sleep by Stopm")
}
