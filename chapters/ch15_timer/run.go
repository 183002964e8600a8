package ch15

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// due checks which timers CheckTimers runs, and what it says.
func due(t *check.T) {
	for _, c := range []struct {
		what  string
		make  func(w *world)
		now   int64
		fired string
		until int64
	}{
		{"P0 has none", func(w *world) {}, 15, "", 0},
		{"the first is due at 10", func(w *world) { w.has(w.p0, 10, 20, 30) }, 9, "", 10},
		{"they are due at 10, 20 and 30", func(w *world) { w.has(w.p0, 30, 10, 20) }, 20, "b c", 30},
		{"all are due", func(w *world) { w.has(w.p0, 30, 10, 20) }, 40, "b c a", 0},
		{"the first was modified from 10 to 50", func(w *world) { modified(w.has(w.p0, 10, 30)[0], 50) }, 20, "", 30},
		{"the first was modified from 10 to 50, and there is no other", func(w *world) { modified(w.has(w.p0, 10)[0], 50) }, 20, "", 50},
		{"the last was modified from 30 to 5", func(w *world) { modified(w.has(w.p0, 10, 20, 30)[2], 5) }, 7, "c", 10},
		{"the last was modified from 30 to 15", func(w *world) { modified(w.has(w.p0, 10, 20, 30)[2], 15) }, 17, "a c", 20},
		{"the first was stopped", func(w *world) { stopped(w.has(w.p0, 10, 20, 30, 40, 50)[0]) }, 25, "b", 30},
		{"no G waits for the first any more (zombie, not modified)", func(w *world) { forsaken(w.has(w.p0, 10, 20, 30, 40, 50)[0]) }, 25, "b", 30},
		{"timer a ticks, each 10", func(w *world) { w.has(w.p0, 10)[0].Period.Set(10) }, 35, "a", 40},
		{"the first, when it fires, sets another one that is due as well", func(w *world) {
			all := w.has(w.p0, 10, 90)
			w.fires = func(timer *gmp.Timer) {
				if timer == all[0] {
					w.s.ModTimer(w.m0, all[1], 12, 0)
				}
			}
		}, 20, "a b", 0},
		{"the first, when it fires, stops the second", func(w *world) {
			all := w.has(w.p0, 10, 11)
			w.fires = func(timer *gmp.Timer) {
				if timer == all[0] {
					w.s.StopTimer(w.m0, all[1])
				}
			}
		}, 20, "a", 0},
		{"they are due at 10, 50 and 100, and the last was modified to 20", func(w *world) { modified(w.has(w.p0, 10, 50, 100)[2], 20) }, 10, "a", 20},
	} {
		w := newWorld(t)
		c.make(w)
		fires := w.fires
		w.fires = func(timer *gmp.Timer) {
			w.wantFree(c.what + "; while timer " + w.timers[timer] + " fires")
			if fires != nil {
				fires(timer)
			}
		}
		what := fmt.Sprintf("%s; CheckTimers at %d", c.what, c.now)
		now, until, ran := w.s.CheckTimers(w.m0, w.p0, c.now)
		check.Want(t, what+"; which timers fire, in order,", strings.Join(w.fired, " "), c.fired)
		check.Want(t, what+"; rnow", now, c.now)
		check.Want(t, what+"; pollUntil, when the next one is due,", until, c.until)
		check.Want(t, what+"; ran", ran, c.fired != "")
		if w.wantFree(what); t.Failed() {
			return
		}
	}
	dueMeanwhile(t)
	// Another P's.
	thief := newWorld(t)
	thief.has(thief.p1, 10, 20)
	thief.has(thief.p0, 5)
	thief.s.CheckTimers(thief.m0, thief.p1, 15)
	check.Want(t, "timers a and b of P1 are due at 10 and 20, and c of P0 at 5; CheckTimers of M0, which holds P0, for P1 at 15; which timers fire", strings.Join(thief.fired, " "), "a")
	// The clock.
	w := newWorld(t)
	now, _, _ := w.s.CheckTimers(w.m0, w.p0, 0)
	check.Want(t, "P0 has no timer; CheckTimers, which was not told the time; rnow, since there is no reason to look,", now, 0)
	w.has(w.p0, 1)
	now, _, ran := w.s.CheckTimers(w.m0, w.p0, 0)
	check.Want(t, "timer a has been due for long; CheckTimers, which was not told the time; ran", ran, true)
	check.Must(t, now > 1 && now <= w.s.Nanotime(), "timer a has been due for long; CheckTimers, which was not told the time; rnow must be the time")
	if len(w.late) == 1 {
		check.Want(t, "timer a was set to 1; the delay that its function is told", w.late[0], now-1)
	}
}

// dueMeanwhile lets a timer that fires set one that is due then, and stands behind another one.
// CheckTimers may overlook it, but not lose it.
func dueMeanwhile(t *check.T) {
	w := newWorld(t)
	all := w.has(w.p0, 10, 200, 100)
	w.fires = func(timer *gmp.Timer) {
		if timer == all[0] {
			w.s.ModTimer(w.m0, all[1], 12, 0)
		}
	}
	const what = "timer a is due at 10, b at 200 and c at 100; a, when it fires, sets b to 12; CheckTimers at 20"
	_, until, _ := w.s.CheckTimers(w.m0, w.p0, 20)
	switch fired := strings.Join(w.fired, " "); fired {
	case "a b":
		check.Want(t, what+", in which b fires, too; pollUntil", until, 100)
	case "a":
		check.Must(t, until == 12 || until == 100, fmt.Sprintf("%s; pollUntil must be 100, or 12 if it counts b; it is %d", what, until))
		check.Want(t, what+" overlooks b, which is due since 12; what CheckTimersNoP says then", w.s.CheckTimersNoP(&gmp.M{ID: 2}, w.s.Allp.Get(), 0), 12)
	default:
		check.Want(t, what+"; which timers fire, in order,", fired, "a, or a b")
	}
}

// quiet checks that CheckTimers takes no lock when there is nothing to do, and cleans its own
// heap alone.
func quiet(t *check.T) {
	for _, c := range []struct {
		what  string
		make  func(w *world) *gmp.P
		locks int64 // of lists
		left  int
	}{
		{"P0 has no timer", func(w *world) *gmp.P { return w.p0 }, 0, 0},
		{"nothing is due", func(w *world) *gmp.P { w.has(w.p0, 100); return w.p0 }, 0, 1},
		{"nothing is due, and one was modified, to 50", func(w *world) *gmp.P { modified(w.has(w.p0, 100, 110)[1], 50); return w.p0 }, 0, 2},
		{"nothing is due, and one of four was stopped", func(w *world) *gmp.P { stopped(w.has(w.p0, 100, 110, 120, 130)[2]); return w.p0 }, 0, 4},
		{"nothing is due, and two of four were stopped", func(w *world) *gmp.P {
			all := w.has(w.p0, 100, 110, 120, 130)
			stopped(all[1])
			stopped(all[2])
			return w.p0
		}, 1, 2},
		{"nothing is due, and three of ten were stopped", func(w *world) *gmp.P {
			all := w.has(w.p0, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190)
			for _, timer := range all[4:7] {
				stopped(timer)
			}
			return w.p0
		}, 1, 7},
		{"M0 holds P1; nothing is due there, and two of four were stopped", func(w *world) *gmp.P {
			w.m0.P.Set(w.p1)
			all := w.has(w.p1, 100, 110, 120, 130)
			stopped(all[1])
			stopped(all[2])
			return w.p1
		}, 1, 2},
		{"nothing is due in the heap of P1, and two of four were stopped", func(w *world) *gmp.P {
			all := w.has(w.p1, 100, 110, 120, 130)
			stopped(all[1])
			stopped(all[2])
			return w.p1
		}, 0, 4},
	} {
		w := newWorld(t)
		for i, ts := range []*gmp.TimerList{&w.p0.Timers, &w.p1.Timers} {
			ts.Mu.Init(fmt.Sprint("timers", i))
		}
		pp := c.make(w)
		w.Off = true
		name := "timers0"
		if pp == w.p1 {
			name = "timers1"
		}
		locks := t.AcquisitionsOf(name, func() { w.s.CheckTimers(w.m0, pp, 40) })
		check.Want(t, c.what+"; how often CheckTimers of M0 locks the list", locks, c.locks)
		check.Want(t, c.what+"; how many timers are left", len(pp.Timers.Heap.Get()), c.left)
	}
	one := newWorld(t)
	one.has(one.p0, 10, 100, 110, 120)
	if locks := one.timerLocks(func() { one.s.CheckTimers(one.m0, one.p0, 20) }); locks > 2 {
		t.Errorf("timer a fires, and the next of three others is not due; CheckTimers locks %d timers; want 2 at most: the heap says that the others are due later", locks)
	}
	// When something is due, the zombies that are not in the way go as well, in an own heap.
	w := newWorld(t)
	all := w.has(w.p0, 10, 100, 110, 120)
	stopped(all[2])
	stopped(all[3])
	_, until, _ := w.s.CheckTimers(w.m0, w.p0, 20)
	check.Want(t, "timer a fires, and two of three others were stopped; pollUntil", until, 100)
	w.wantHeap("timer a fires, and two of three others were stopped; after CheckTimers", w.p0, entry(all[1], 100))
	// It does not matter when they were stopped.
	late := newWorld(t)
	all = late.has(late.p0, 10, 100, 110, 120)
	late.fires = func(*gmp.Timer) {
		late.s.StopTimer(late.m0, all[2])
		late.s.StopTimer(late.m0, all[3])
	}
	late.sees["Adjust"] = func() {
		check.Must(t, check.Held(&late.p0.Timers.Mu), "CheckTimers must hold the list's lock when it calls Adjust")
	}
	late.s.CheckTimers(late.m0, late.p0, 20)
	late.wantHeap("timer a fires, and stops two of the three others; after CheckTimers", late.p0, entry(all[1], 100))
	// But not if they are few: that would be a look at each timer, each time that one fires.
	few := newWorld(t)
	stopped(few.has(few.p0, 10, 100, 110, 120, 130)[3])
	few.s.CheckTimers(few.m0, few.p0, 20)
	check.Want(t, "timer a fires, and one of four others was stopped; how many timers are left", len(few.p0.Timers.Heap.Get()), 4)
	other := newWorld(t)
	all = other.has(other.p1, 10, 100, 110, 120)
	stopped(all[2])
	stopped(all[3])
	other.s.CheckTimers(other.m0, other.p1, 20)
	check.Want(t, "timer a of P1 fires, on M0, and two of three others were stopped; how many timers are left", len(other.p1.Timers.Heap.Get()), 3)
}

// fire checks UnlockAndRun.
func fire(t *check.T) {
	for _, c := range []struct {
		what   string
		when   int64
		period int64
		now    int64
		next   int64
	}{
		{"timer a was set to 100, once", 100, 0, 130, 0},
		{"timer a was set to 100, and each 20", 100, 20, 130, 140},
		{"timer a was set to 100, and each 30", 100, 30, 130, 160},
		{"timer a was set to 100, and each 20", 100, 20, 100, 120},
		{"timer a was set to 100, and each 1", 100, 1, 130, 131},
		{"timer a was set to 100, and at the end of time", 100, gmp.MaxWhen - 5, 130, gmp.MaxWhen},
	} {
		for _, heaped := range []bool{true, false} {
			for _, channel := range []bool{false, true} {
				w := newWorld(t)
				a := w.newTimer()
				if channel {
					a = w.newChanTimer()
				}
				var ts *gmp.TimerList
				a.When.Set(c.when)
				a.Period.Set(c.period)
				what := fmt.Sprintf("%s; in a heap: %v, with a channel: %v; UnlockAndRun at %d", c.what, heaped, channel, c.now)
				others := w.has(w.p0, 110, 150)
				if heaped {
					w.in(w.p0, a, c.when)
					ts = &w.p0.Timers
				}
				w.fires = func(*gmp.Timer) {
					if check.Held(&w.p0.Timers.Mu) || check.Held(&a.Mu) {
						t.Fatalf("%s; while it fires its list or the timer itself is locked: what it does may need these locks", what)
					}
					if check.Held(&a.SendLock) != channel {
						t.Fatalf("%s; while it fires its SendLock is held: %v", what, !channel)
					}
					check.Want(t, what+"; while it fires When", a.When.Get(), c.next)
					check.Want(t, what+"; while it fires IsSending", a.IsSending.Load(), 0)
					entries := []gmp.TimerWhen{entry(others[0], 110), entry(others[1], 150)}
					if heaped && c.next != 0 {
						entries = append(entries, entry(a, c.next))
					}
					w.wantHeap(what+"; while it fires", w.p0, entries...)
					check.Want(t, what+"; while it fires Len", int(w.p0.Timers.Len.Load()), len(entries))
				}
				if ts != nil {
					ts.Lock()
				}
				a.Lock()
				w.s.UnlockAndRun(w.m0, a, c.now)
				if ts != nil {
					if !check.Held(&ts.Mu) {
						t.Fatalf("%s; afterwards the list is not locked, as it was before", what)
					}
					ts.Unlock()
				}
				w.wantFree(what)
				check.Want(t, what+"; how often it fires", len(w.fired), 1)
				if len(w.late) == 1 {
					check.Want(t, what+"; the delay that its function is told", w.late[0], c.now-c.when)
				}
				want := uint32(0)
				if heaped && c.next != 0 {
					want = gmp.TimerHeaped
				}
				w.wantState(what, a, want)
				if check.Want(t, what+"; Zombies", w.p0.Timers.Zombies.Load(), 0); t.Failed() {
					return
				}
			}
		}
	}
	sends(t, 0)
	sends(t, 5)
	w := newWorld(t)
	a := w.has(w.p0, 10)[0]
	modified(a, 30)
	a.Lock()
	check.WantThrow(t, "UnlockAndRun of a timer that was modified; it", check.Thrown(t.Throws(func() { w.s.UnlockAndRun(w.m0, a, 40) })), check.Thrown(corrupt))
}

// sends checks IsSending of a timer with a channel that fires while M1 holds SendLock, and sets it
// to another period.
func sends(t *check.T, period int64) {
	w := newWorld(t)
	w.Off = true
	a := w.newChanTimer()
	a.When.Set(10)
	a.Period.Set(period)
	what := fmt.Sprintf("timer a has a channel, and a period of %d; UnlockAndRun(M0) waits for SendLock, which M1 holds", period)
	_, err := check.OnCPUs(2, func() {
		var done machine.Note
		a.SendLock.Lock()
		machine.Newosproc("M0", func() {
			a.Lock()
			w.s.UnlockAndRun(w.m0, a, 20)
			done.Wakeup()
		})
		machine.Usleep(1000)
		counts := int32(0)
		if period == 0 {
			counts = 1
		}
		check.Want(t, what+"; IsSending", a.IsSending.Load(), counts)
		a.Lock()
		a.Seq.Set(a.Seq.Get() + 1)
		a.Period.Set(5 - period)
		a.Unlock()
		a.SendLock.Unlock()
		done.Sleep()
	})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	check.Want(t, fmt.Sprintf("%s, and sets it to a period of %d; afterwards IsSending", what, 5-period), a.IsSending.Load(), 0)
	check.Want(t, what+", and sets it anew; how often it fires", len(w.fired), 0)
}

// noP checks CheckTimersNoP.
func noP(t *check.T) {
	for _, c := range []struct {
		what  string
		make  func(w *world)
		until int64
		want  int64
	}{
		{"no P has timers", func(w *world) {}, 0, 0},
		{"no P has timers, and pollUntil is 7", func(w *world) {}, 7, 7},
		{"P0 has one at 30, and P1 one at 20", func(w *world) { w.has(w.p0, 30); w.has(w.p1, 20) }, 0, 20},
		{"P0 has one at 30, and P1 one at 40", func(w *world) { w.has(w.p0, 30); w.has(w.p1, 40) }, 0, 30},
		{"P0 has one at 30, and pollUntil is 20", func(w *world) { w.has(w.p0, 30) }, 20, 20},
		{"P0 has one at 30, and pollUntil is 40", func(w *world) { w.has(w.p0, 30) }, 40, 30},
		{"P1 has one at 30, modified to 15", func(w *world) { modified(w.has(w.p1, 30)[0], 15) }, 20, 15},
	} {
		w := newWorld(t)
		c.make(w)
		w.p0.Timers.Lock()
		w.p1.Timers.Lock()
		check.Want(t, c.what+"; CheckTimersNoP", w.s.CheckTimersNoP(&gmp.M{ID: 2}, w.s.Allp.Get(), c.until), c.want)
	}
	w := newWorld(t)
	w.has(w.p1, 30)
	w.s.Allp.Set([]*gmp.P{w.p0})
	check.Want(t, "P1 has one at 30; allp, the list that the caller has kept, has P0 and P1, and s.Allp only P0 by now; CheckTimersNoP", w.s.CheckTimersNoP(&gmp.M{ID: 2}, []*gmp.P{w.p0, w.p1}, 0), 30)
}

// lazy checks what receiving from the channel of a timer does.
func lazy(t *check.T) {
	// MaybeRunChan.
	for _, c := range []struct {
		what  string
		make  func(w *world, a *gmp.Timer)
		fires int
	}{
		{"timer a is not set", func(w *world, a *gmp.Timer) {}, 0},
		{"timer a has been due for long", func(w *world, a *gmp.Timer) { a.When.Set(1) }, 1},
		{"timer a is due in a century", func(w *world, a *gmp.Timer) { a.When.Set(1 << 61) }, 0},
		{"timer a has been due for long, and is in the heap of P1", func(w *world, a *gmp.Timer) { w.in(w.p1, a, 1) }, 0},
	} {
		w := newWorld(t)
		a := w.newChanTimer()
		c.make(w, a)
		w.s.MaybeRunChan(w.m0, a.C)
		check.Want(t, c.what+"; MaybeRunChan; how often it fires", len(w.fired), c.fires)
		check.Want(t, c.what+"; MaybeRunChan; how many values are in the channel", int(a.C.Qcount.Get()), c.fires)
		w.wantFree(c.what + "; MaybeRunChan")
	}
	// Due by the machine's clock, and not by the program's.
	early := newWorld(t)
	a := early.newChanTimer()
	a.When.Set(machine.Nanotime())
	early.s.MaybeRunChan(early.m0, a.C)
	check.Want(t, "timer a is due later by s.Nanotime, though not by machine.Nanotime; MaybeRunChan; how often it fires", len(early.fired), 0)
	one := newWorld(t)
	if locks := one.timerLocks(func() { one.s.MaybeRunChan(one.m0, one.in(one.p1, one.newChanTimer(), 1).C) }); locks > 0 {
		t.Errorf("the timer of a channel is in a heap; MaybeRunChan locks it; Astate says without the lock that there is nothing to do")
	}
	// BlockTimerChan and UnblockTimerChan.
	w := newWorld(t)
	a = w.newChanTimer()
	block := func() {
		a.C.Lock.Lock()
		w.s.BlockTimerChan(w.m0, a.C)
		a.C.Lock.Unlock()
	}
	what := "timer a is not set; BlockTimerChan"
	w.sees["MaybeAdd"] = func() { t.Errorf("%s calls MaybeAdd; want no call: there is no reason to lock the timers of P0", what) }
	block()
	check.Want(t, what+"; Blocked", a.Blocked.Get(), 1)
	w.wantHeap(what, w.p0)
	what = "timer a is not set; UnblockTimerChan"
	w.s.UnblockTimerChan(a.C)
	check.Want(t, what+"; Blocked", a.Blocked.Get(), 0)
	w.wantState(what, a, 0)
	w.sees["MaybeAdd"] = nil
	a.When.Set(1)
	what = "timer a is set to 1; BlockTimerChan"
	block()
	w.wantHeap(what, w.p0, entry(a, 1))
	w.wantState(what, a, gmp.TimerHeaped)
	what = "a second G waits; BlockTimerChan"
	block()
	check.Want(t, what+"; Blocked", a.Blocked.Get(), 2)
	w.wantHeap(what, w.p0, entry(a, 1))
	what = "one of two Gs goes on; UnblockTimerChan"
	w.s.UnblockTimerChan(a.C)
	w.wantState(what, a, gmp.TimerHeaped)
	check.Want(t, what+"; Zombies", w.p0.Timers.Zombies.Load(), 0)
	what = "the last G goes on; UnblockTimerChan"
	w.s.UnblockTimerChan(a.C)
	w.wantState(what, a, gmp.TimerHeaped|gmp.TimerZombie)
	check.Want(t, what+"; Zombies", w.p0.Timers.Zombies.Load(), 1)
	check.Want(t, what+"; When, since it is not stopped,", a.When.Get(), 1)
	what = "a G waits again, and the timer is a zombie; BlockTimerChan"
	block()
	w.wantState(what, a, gmp.TimerHeaped)
	check.Want(t, what+"; Zombies", w.p0.Timers.Zombies.Load(), 0)
	modified(a, 5)
	what = "timer a was set to 5; the last G goes on; UnblockTimerChan"
	w.s.UnblockTimerChan(a.C)
	w.wantState(what, a, gmp.TimerHeaped|gmp.TimerModified|gmp.TimerZombie)
	what = "timer a was set to 5, and no G waited; a G waits again; BlockTimerChan"
	block()
	w.wantState(what, a, gmp.TimerHeaped|gmp.TimerModified)
	check.Want(t, what+"; Zombies", w.p0.Timers.Zombies.Load(), 0)
	stopped(a)
	what = "timer a was stopped; a second G waits; BlockTimerChan"
	block()
	w.wantState(what, a, gmp.TimerHeaped|gmp.TimerModified|gmp.TimerZombie)
	check.Want(t, what+"; Zombies", w.p0.Timers.Zombies.Load(), 1)
	what = "timer a was stopped; the Gs go on; UnblockTimerChan"
	w.s.UnblockTimerChan(a.C)
	w.s.UnblockTimerChan(a.C)
	check.Want(t, what+"; Zombies, each of which is counted once,", w.p0.Timers.Zombies.Load(), 1)
	w.wantFree(what)
	check.WantThrow(t, "no G waits; UnblockTimerChan; it", check.Thrown(t.Throws(func() { w.s.UnblockTimerChan(a.C) })), check.Thrown(corrupt))
}
