package ch15

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// corrupt is what the runtime says about a timer in the wrong state.
const corrupt = "timer data corruption"

// addAndDelete checks the heap, with random times.
func addAndDelete(t *check.T) {
	r := rand.New(rand.NewPCG(15, t.Seed(0)))
	for round := range 20 {
		w := newWorld(t)
		w.Off = true
		ts := &w.p0.Timers
		var entries []gmp.TimerWhen
		add := func(when int64) {
			timer := w.newTimer()
			timer.When.Set(when)
			timer.State.Set(gmp.TimerHeaped)
			locked(ts, timer, func() { w.s.AddHeap(ts, timer) })
			entries = append(entries, entry(timer, when))
			w.wantHeap(fmt.Sprintf("AddHeap of timer %s, due at %d, to a heap of %d", w.timers[timer], when, len(entries)-1), w.p0, entries...)
		}
		remove := func() {
			ts.MinWhenModified.Store(7)
			first := ts.Heap.Get()[0].Timer
			locked(ts, nil, func() { w.s.DeleteMin(ts) })
			entries = slices.DeleteFunc(entries, func(tw gmp.TimerWhen) bool { return tw.Timer == first })
			what := fmt.Sprintf("DeleteMin of a heap of %d", len(entries)+1)
			w.wantHeap(what, w.p0, entries...)
			check.Must(t, first.Ts.Get() == nil, what+"; the Ts of the timer that was removed must be nil")
			if len(entries) == 0 {
				check.Want(t, what+"; MinWhenModified, when no timer is left,", ts.MinWhenModified.Load(), 0)
			} else {
				check.Want(t, what+"; MinWhenModified, which was 7 and is about the others,", ts.MinWhenModified.Load(), 7)
			}
			ts.MinWhenModified.Store(0)
		}
		for range 4 + 2*round {
			add(1 + r.Int64N(50))
		}
		for len(entries) > 0 {
			if remove(); r.IntN(4) == 0 {
				add(1 + r.Int64N(50))
			}
		}
	}
	cousins(t)
	w := newWorld(t)
	a := w.has(w.p0, 5)[0]
	check.WantThrow(t, "AddHeap of a timer that is in a heap; it", check.Thrown(t.Throws(func() { w.s.AddHeap(&w.p1.Timers, a) })), check.Thrown("ts set in timer"))
	put(w.p1, entry(a, 5))
	check.WantThrow(t, "DeleteMin of P1, whose first entry is a timer of P0; it", check.Thrown(t.Throws(func() { w.s.DeleteMin(&w.p1.Timers) })), check.Thrown("wrong timers"))
}

// cousins checks that an entry that goes down is compared with its own children alone. In this
// heap it goes down to 2 and 14, and entry 69, below 17 and 4, is due earlier than entry 3, the
// parent of 14.
func cousins(t *check.T) {
	w := newWorld(t)
	var heap, left []gmp.TimerWhen
	early := map[int]int64{0: 1, 2: 2, 3: 20, 4: 3, 13: 50, 14: 21, 17: 4, 69: 5}
	for i := range int64(76) {
		when, is := early[int(i)]
		if !is {
			when = 100 + i
		}
		heap = append(heap, entry(w.has(w.p0, when)[0], when))
	}
	left = slices.Clone(heap[1:])
	w.p0.Timers.Heap.Set(heap)
	locked(&w.p0.Timers, nil, func() { w.s.DeleteMin(&w.p0.Timers) })
	w.wantHeap("DeleteMin of a heap of 76", w.p0, left...)
}

// update checks what the first timer's state asks for.
func update(t *check.T) {
	for _, c := range []struct {
		what    string
		mark    func(a *gmp.Timer)
		updated bool
		state   uint32
		when    int64 // 0: it has left
		zombies int32
	}{
		{"timer a is right", func(a *gmp.Timer) {}, false, gmp.TimerHeaped, 10, 0},
		{"timer a was stopped", stopped, true, 0, 0, 0},
		{"no G waits for timer a any more (zombie, not modified)", forsaken, true, 0, 0, 0},
		{"timer a was set to 3, and no G waits for it any more (modified and zombie)", func(a *gmp.Timer) { modified(a, 3); forsaken(a) }, true, 0, 0, 0},
		{"timer a was set to 25", func(a *gmp.Timer) { modified(a, 25) }, true, gmp.TimerHeaped, 25, 0},
		{"timer a was set to 3", func(a *gmp.Timer) { modified(a, 3) }, true, gmp.TimerHeaped, 3, 0},
	} {
		w := newWorld(t)
		all := w.has(w.p0, 10, 20, 21, 22, 23, 24, 30)
		a, ts := all[0], &w.p0.Timers
		c.mark(a)
		updated := false
		locked(ts, a, func() { updated = w.s.UpdateHeap(a) })
		what := c.what + "; after UpdateHeap"
		check.Want(t, what+" its result", updated, c.updated)
		w.wantState(what, a, c.state)
		check.Want(t, what+" Zombies", ts.Zombies.Load(), c.zombies)
		entries := []gmp.TimerWhen{}
		for _, timer := range all[1:] {
			entries = append(entries, entry(timer, timer.When.Get()))
		}
		if c.when != 0 {
			entries = append(entries, entry(a, c.when))
		}
		w.wantHeap(what, w.p0, entries...)
	}
	w := newWorld(t)
	b := w.has(w.p0, 10, 20)[1]
	modified(b, 15)
	check.WantThrow(t, "UpdateHeap of a timer that is not the first; it", check.Thrown(t.Throws(func() { w.s.UpdateHeap(b) })), check.Thrown(corrupt))
	check.WantThrow(t, "UpdateHeap of a timer in no heap; it", check.Thrown(t.Throws(func() { w.s.UpdateHeap(w.newTimer()) })), check.Thrown(corrupt))
}

// clean checks CleanHead.
func clean(t *check.T) {
	for _, c := range []struct {
		what    string
		mark    func(all []*gmp.Timer)
		left    []int // which of the timers are left
		locks   int64 // of timers
		zombies int32
	}{
		{"all timers are right", func(all []*gmp.Timer) {}, []int{0, 1, 2, 3}, 0, 0},
		{"the last two of four were stopped", func(all []*gmp.Timer) { stopped(all[2]); stopped(all[3]) }, []int{0, 1}, 2, 0},
		{"the first two of four were stopped", func(all []*gmp.Timer) { stopped(all[0]); stopped(all[1]) }, []int{2, 3}, 2, 0},
		{"the first of four was set to a later time, and then the second is the first and was stopped", func(all []*gmp.Timer) { modified(all[0], 35); stopped(all[1]) }, []int{0, 2, 3}, 2, 0},
		{"the second of four was stopped: it is neither first nor last", func(all []*gmp.Timer) { stopped(all[1]) }, []int{0, 1, 2, 3}, 0, 1},
		{"no G waits for the first and the last of four any more (zombies, not modified)", func(all []*gmp.Timer) { forsaken(all[0]); forsaken(all[3]) }, []int{1, 2}, 2, 0},
		{"all of four were stopped", func(all []*gmp.Timer) {
			for _, timer := range all {
				stopped(timer)
			}
		}, nil, 4, 0},
	} {
		w := newWorld(t)
		all := w.has(w.p0, 10, 20, 30, 40)
		c.mark(all)
		ts := &w.p0.Timers
		ts.MinWhenModified.Store(7)
		var entries []gmp.TimerWhen
		for _, i := range c.left {
			when := all[i].When.Get()
			if when == 0 { // stopped
				when = int64(10 * (i + 1)) // the entry of a zombie
			}
			entries = append(entries, entry(all[i], when))
		}
		what := c.what + "; after CleanHead"
		ts.Lock()
		locks := w.timerLocks(func() { w.s.CleanHead(w.m0, ts) })
		if !check.Held(&ts.Mu) {
			t.Fatalf("%s the list, which its caller had locked, is not locked any more", what)
		}
		ts.Unlock()
		w.wantHeap(what, w.p0, entries...)
		check.Want(t, what+" Zombies", ts.Zombies.Load(), c.zombies)
		if len(c.left) == 0 {
			check.Want(t, what+" MinWhenModified, when no timer is left,", ts.MinWhenModified.Load(), 0)
		} else {
			check.Want(t, what+" MinWhenModified, which was 7 and is about those that are left,", ts.MinWhenModified.Load(), 7)
		}
		if locks > c.locks {
			t.Errorf("%s; CleanHead locks %d timers; want %d at most: Astate says without a lock that there is nothing to do", c.what, locks, c.locks)
		}
		for i, timer := range all {
			if !slices.Contains(c.left, i) {
				w.wantState(what, timer, 0)
			}
		}
		w.wantFree(what)
	}
	w := newWorld(t)
	all := w.has(w.p0, 10, 20, 30)
	stopped(all[0])
	stopped(all[2])
	w.gp.PreemptStop.Set(true)
	locked(&w.p0.Timers, nil, func() { w.s.CleanHead(w.m0, &w.p0.Timers) })
	check.Want(t, "the first and the last of three timers were stopped, and G1, which is to stop, calls CleanHead; how many timers there are then", len(w.p0.Timers.Heap.Get()), 3)
	w.m0.Curg.Set(nil)
	locked(&w.p0.Timers, nil, func() { w.s.CleanHead(w.m0, &w.p0.Timers) })
	check.Want(t, "the first and the last of three timers were stopped, and M0, which runs no G, calls CleanHead; how many timers there are then", len(w.p0.Timers.Heap.Get()), 1)
	w.in(w.p1, w.newTimer(), 5).Ts.Set(&w.p0.Timers)
	check.WantThrow(t, "the first entry of P1 is a timer of P0; CleanHead", check.Thrown(t.Throws(func() { w.s.CleanHead(w.m0, &w.p1.Timers) })), check.Thrown("bad ts"))
}

// adjust checks Adjust.
func adjust(t *check.T) {
	const count = 12
	for _, c := range []struct {
		what  string
		now   int64
		force bool
		does  bool
	}{
		{"the earliest time to which one was set is 5, and the time is 4", 4, false, false},
		{"the earliest time to which one was set is 5, and the time is 5", 5, false, true},
		{"the earliest time to which one was set is 5, and the time is 4, with force", 4, true, true},
	} {
		w := newWorld(t)
		var times []int64
		for i := range int64(count) {
			times = append(times, 10*i+10)
		}
		all, ts := w.has(w.p0, times...), &w.p0.Timers
		modified(all[7], 5)
		modified(all[2], 95)
		modified(all[11], 15)
		stopped(all[0])
		forsaken(all[10])
		modified(all[4], 33)
		stopped(all[4])
		before := slices.Clone(ts.Heap.Get())
		ts.Lock()
		locks := w.timerLocks(func() { w.s.Adjust(ts, c.now, c.force) })
		if !check.Held(&ts.Mu) {
			t.Fatalf("%s; after Adjust the list, which its caller had locked, is not locked any more", c.what)
		}
		ts.Unlock()
		what := c.what + "; after Adjust"
		if !c.does {
			if !slices.Equal(ts.Heap.Get(), before) || locks > 0 {
				t.Fatalf("%s the heap is %s, and %d timers were locked; there was no reason to do anything", what, w.names(ts), locks)
			}
			check.Want(t, what+" MinWhenModified", ts.MinWhenModified.Load(), 5)
			continue
		}
		var entries []gmp.TimerWhen
		for i, timer := range all {
			if i == 0 || i == 4 || i == 10 {
				w.wantState(what, timer, 0)
				check.Must(t, timer.Ts.Get() == nil, what+"; the Ts of a timer that was removed must be nil")
				continue
			}
			entries = append(entries, entry(timer, timer.When.Get()))
			w.wantState(what, timer, gmp.TimerHeaped)
		}
		w.wantHeap(what, w.p0, entries...)
		check.Want(t, what+" Zombies", ts.Zombies.Load(), 0)
		check.Want(t, what+" MinWhenModified", ts.MinWhenModified.Load(), 0)
		if locks > 6 {
			t.Errorf("%s; of 12 timers 6 were changed, and Adjust locks %d; want no more than 6: Astate says without a lock that there is nothing to do", c.what, locks)
		}
	}
	w := newWorld(t)
	w.has(w.p0, 10)
	locked(&w.p0.Timers, nil, func() { w.s.Adjust(&w.p0.Timers, 100, false) })
	check.Want(t, "no timer was modified; how many timers Adjust leaves of one", len(w.p0.Timers.Heap.Get()), 1)
	one := newWorld(t)
	stopped(one.has(one.p0, 10)[0])
	locked(&one.p0.Timers, nil, func() { one.s.Adjust(&one.p0.Timers, 5, true) })
	one.wantHeap("the only timer was stopped; after Adjust, with force", one.p0)
	w.in(w.p1, w.newTimer(), 5).Ts.Set(&w.p0.Timers)
	check.WantThrow(t, "the first entry of P1 is a timer of P0; Adjust", check.Thrown(t.Throws(func() { w.s.Adjust(&w.p1.Timers, 9, true) })), check.Thrown("bad ts"))
}

// take checks TakeTimers.
func take(t *check.T) {
	w := newWorld(t)
	all := w.has(w.p1, 50, 60, 70, 80, 90)
	mine := w.has(w.p0, 55)[0]
	modified(all[1], 5)
	modified(all[2], 65)
	stopped(all[3])
	forsaken(all[4])
	w.s.TakeTimers(&w.p0.Timers, &w.p1.Timers)
	what := "after TakeTimers from P1 to P0"
	w.wantHeap(what, w.p0, entry(mine, 55), entry(all[0], 50), entry(all[1], 5), entry(all[2], 65))
	w.wantHeap(what, w.p1)
	for _, timer := range all[:3] {
		w.wantState(what, timer, gmp.TimerHeaped)
	}
	for _, zombie := range all[3:] {
		w.wantState(what, zombie, 0)
		check.Must(t, zombie.Ts.Get() == nil, what+"; the Ts of a zombie that was removed must be nil")
	}
	for _, c := range []struct {
		what      string
		got, want int64
	}{
		{"Len of P0", int64(w.p0.Timers.Len.Load()), 4},
		{"Len of P1", int64(w.p1.Timers.Len.Load()), 0},
		{"Zombies of P0", int64(w.p0.Timers.Zombies.Load()), 0},
		{"Zombies of P1", int64(w.p1.Timers.Zombies.Load()), 0},
		{"WakeTime of P0", w.p0.Timers.WakeTime(), 5},
		{"WakeTime of P1", w.p1.Timers.WakeTime(), 0},
	} {
		check.Want(t, what+"; "+c.what, c.got, c.want)
	}
	w.s.TakeTimers(&w.p1.Timers, &w.p0.Timers)
	w.wantHeap("after TakeTimers back to P1", w.p1, entry(mine, 55), entry(all[0], 50), entry(all[1], 5), entry(all[2], 65))
	w.s.TakeTimers(&w.p1.Timers, &w.p0.Timers)
	check.Want(t, "after TakeTimers from P0, which has none, to P1, Len of P1", w.p1.Timers.Len.Load(), 4)
}

// add checks MaybeAdd.
func add(t *check.T) {
	for _, c := range []struct {
		what  string
		make  func(w *world) *gmp.Timer
		added bool
		told  int
	}{
		{"timer a is set to 20, and the first of P0 is due at 30", func(w *world) *gmp.Timer {
			a := w.newTimer()
			a.When.Set(20)
			w.has(w.p0, 30)
			return a
		}, true, 1},
		{"timer a is set to 20, and P0 has none", func(w *world) *gmp.Timer {
			a := w.newTimer()
			a.When.Set(20)
			return a
		}, true, 1},
		{"timer a is set to 20, and the first of P0 is due at 10", func(w *world) *gmp.Timer {
			a := w.newTimer()
			a.When.Set(20)
			w.has(w.p0, 10)
			return a
		}, true, 0},
		{"timer a is set to 20, and one of P0 was modified to 15", func(w *world) *gmp.Timer {
			a := w.newTimer()
			a.When.Set(20)
			modified(w.has(w.p0, 30, 40)[1], 15)
			return a
		}, true, 0},
		{"timer a is set to 20 and was added meanwhile", func(w *world) *gmp.Timer { return w.has(w.p0, 20)[0] }, false, 0},
		{"timer a was stopped meanwhile", func(w *world) *gmp.Timer { return w.newTimer() }, false, 0},
		{"timer a is set to 20 and has a channel, for which no G waits", func(w *world) *gmp.Timer {
			a := w.newChanTimer()
			a.When.Set(20)
			return a
		}, false, 0},
		{"timer a is set to 20 and has a channel, for which a G waits", func(w *world) *gmp.Timer {
			a := w.newChanTimer()
			a.When.Set(20)
			a.Blocked.Set(1)
			return a
		}, true, 1},
	} {
		w := newWorld(t)
		a := c.make(w)
		ts := &w.p0.Timers
		entries := slices.Clone(ts.Heap.Get())
		if c.added {
			entries = append(entries, entry(a, 20))
		}
		w.sees["NetpollBreak"] = func() { w.wantFree(c.what + "; while MaybeAdd calls Wakenetpoller") }
		w.sees["CleanHead"] = func() {
			if !check.Held(&ts.Mu) || check.Held(&a.Mu) {
				t.Fatalf("%s; MaybeAdd calls CleanHead, and has not locked the list, or has locked the timer already: CleanHead locks timers itself", c.what)
			}
		}
		w.sees["AddHeap"] = func() {
			if !check.Held(&ts.Mu) || !check.Held(&a.Mu) {
				t.Fatalf("%s; MaybeAdd calls AddHeap without the locks of the list and of the timer", c.what)
			}
			check.Want(t, c.what+"; when MaybeAdd calls AddHeap, the timer's State", state(a.State.Get()), state(gmp.TimerHeaped))
		}
		w.s.MaybeAdd(w.m0, a)
		what := c.what + "; after MaybeAdd"
		w.wantFree(what)
		w.wantHeap(what, w.p0, entries...)
		if c.added {
			w.wantState(what, a, gmp.TimerHeaped)
		}
		check.Want(t, what+" Len", int(ts.Len.Load()), len(entries))
		w.wantTold(what, c.told)
	}
	w := newWorld(t)
	zombie, a := w.has(w.p0, 10)[0], w.newTimer()
	stopped(zombie)
	a.When.Set(20)
	w.sees["AddHeap"] = func() {
		if n := len(w.p0.Timers.Heap.Get()); n > 0 {
			t.Fatalf("the only timer of P0 was stopped; MaybeAdd of timer b calls AddHeap, and it is still there; CleanHead comes first")
		}
	}
	w.s.MaybeAdd(w.m0, a)
	w.wantHeap("the only timer of P0 was stopped; after MaybeAdd of timer b", w.p0, entry(a, 20))
	other := newWorld(t)
	a = other.newTimer()
	a.When.Set(20)
	other.s.MaybeAdd(other.m1, a)
	other.wantHeap("timer a is set to 20; after MaybeAdd by M1, which holds P1", other.p1, entry(a, 20))
}
