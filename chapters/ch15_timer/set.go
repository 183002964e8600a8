package ch15

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// sleep checks TimeSleep.
func sleep(t *check.T) {
	const long = 1 << 50
	for _, ns := range []int64{0, -1} {
		w := newWorld(t)
		w.s.TimeSleep(w.m0, w.gp, ns)
		if len(w.Of("Gopark")) > 0 || w.gp.Timer.Get() != nil {
			t.Fatalf("TimeSleep for %d ns parks, or makes a timer; that is no time to sleep", ns)
		}
	}
	for _, ns := range []int64{1, long, gmp.MaxWhen} {
		w := newWorld(t)
		what := fmt.Sprintf("TimeSleep for %s ns", check.Value(ns))
		w.s.Loop = rests{w.s.Loop}
		w.Before = func(c *check.Call) bool {
			if st := w.gp.Atomicstatus.Load(); (c.Method == "ModTimer" || c.Method == "MaybeAdd") && st != gmp.Gwaiting {
				t.Fatalf("%s sets the timer while G1 is %s; another M may run the timer at once, and must find G1 waiting", what, check.State(w.gp))
			}
			return true
		}
		var timer *gmp.Timer
		for i := range 2 {
			before := w.s.Nanotime()
			w.s.TimeSleep(w.m0, w.gp, ns)
			after := w.s.Nanotime()
			if n := len(w.Of("Gopark")); n != i+1 {
				t.Fatalf("%s; after %d calls it has parked %d times", what, i+1, n)
			}
			check.Want(t, what+"; the reason of the park", check.Arg[gmp.WaitReason](w.Of("Gopark")[0].Call), gmp.WaitReasonSleep)
			switch now := w.gp.Timer.Get(); {
			case now == nil:
				t.Fatalf("%s; afterwards G1 has no Timer", what)
			case i > 0 && now != timer:
				t.Fatalf("%s, for the second time; it has made another timer; want the one that is there, G1.Timer", what)
			default:
				timer = now
				w.timers[timer] = "a"
			}
			when := timer.When.Get()
			if last := after + ns; ns == gmp.MaxWhen && when != ns || ns < gmp.MaxWhen && (when < before+ns || when > last) {
				t.Fatalf("%s; its timer is not set to a time so much later than now, by s.Nanotime, or to MaxWhen if that does not fit", what)
			}
			w.wantHeap(what, w.p0, entry(timer, when))
			w.wantFree(what)
			// It fires.
			locked(&w.p0.Timers, nil, func() { w.s.DeleteMin(&w.p0.Timers) })
			timer.State.Set(0)
			timer.Astate.Store(0)
			w.gp.Atomicstatus.Store(gmp.Grunning)
			check.Running(w.m0, w.gp)
		}
	}
}

// rests is a Loop that finds no other G.
type rests struct{ gmp.Loop }

func (rests) Schedule(mp *gmp.M) {}

// set checks ModTimer for timers without a channel.
func set(t *check.T) {
	for _, c := range []struct {
		what    string
		make    func(w *world) *gmp.Timer
		pending bool
		state   uint32 // in the heap of P1, if it has been there
		min     int64  // MinWhenModified of P1
		zombies int32
		told    int
	}{
		{"timer a was not set, and P0 has none", func(w *world) *gmp.Timer { return w.newTimer() }, false, gmp.TimerHeaped, 0, 0, 1},
		{"timer a is in the heap of P1, due at 50", func(w *world) *gmp.Timer { return w.has(w.p1, 50)[0] }, true, gmp.TimerHeaped | gmp.TimerModified, 20, 0, 1},
		{"timer a is in the heap of P1, due at 10", func(w *world) *gmp.Timer { return w.has(w.p1, 10)[0] }, true, gmp.TimerHeaped | gmp.TimerModified, 20, 0, 1},
		{"timer a is in the heap of P1, where another one was modified to 15", func(w *world) *gmp.Timer {
			all := w.has(w.p1, 50, 60)
			modified(all[1], 15)
			return all[0]
		}, true, gmp.TimerHeaped | gmp.TimerModified, 15, 0, 0},
		{"timer a is in the heap of P1, where another one was modified to 20", func(w *world) *gmp.Timer {
			all := w.has(w.p1, 50, 60)
			modified(all[1], 20)
			return all[0]
		}, true, gmp.TimerHeaped | gmp.TimerModified, 20, 0, 0},
		{"timer a is in the heap of P1, and was stopped", func(w *world) *gmp.Timer {
			a := w.has(w.p1, 50)[0]
			stopped(a)
			return a
		}, false, gmp.TimerHeaped | gmp.TimerModified, 20, 0, 1},
	} {
		w := newWorld(t)
		a := c.make(w)
		inHeap := a.Ts.Get() != nil
		w.sees["NetpollBreak"] = func() {
			w.wantFree(c.what + "; while ModTimer calls Wakenetpoller")
			switch pp := w.heapOf(a); {
			case c.told == 0:
				t.Fatalf("%s; ModTimer to 20 calls Wakenetpoller, and 20 is no earlier than MinWhenModified of P1, which is %d: no M sleeps longer than until then", c.what, w.p1.Timers.MinWhenModified.Load())
			case pp == nil:
				t.Fatalf("%s; ModTimer to 20 calls Wakenetpoller before the timer is in a heap: whoever wakes does not find it", c.what)
			case pp.Timers.WakeTime() > 20:
				t.Fatalf("%s; ModTimer to 20 calls Wakenetpoller, and the WakeTime of %s is still %d: whoever wakes does not find the timer", c.what, check.PName(pp), pp.Timers.WakeTime())
			}
		}
		w.sees["MaybeAdd"] = func() { w.wantFree(c.what + "; when ModTimer calls MaybeAdd") }
		what := c.what + "; ModTimer to 20"
		check.Want(t, what+"; its result (it was still to come)", w.s.ModTimer(w.m0, a, 20, 7), c.pending)
		w.wantFree(what)
		w.wantState(what, a, c.state)
		check.Want(t, what+"; When", a.When.Get(), 20)
		check.Want(t, what+"; Period", a.Period.Get(), 7)
		check.Want(t, what+"; MinWhenModified of P1", w.p1.Timers.MinWhenModified.Load(), c.min)
		check.Want(t, what+"; Zombies of P1", w.p1.Timers.Zombies.Load(), c.zombies)
		if n := len(w.p0.Timers.Heap.Get()); inHeap && n > 0 {
			t.Fatalf("%s; it is in the heap of P0 as well", what)
		} else if !inHeap {
			w.wantHeap(what, w.p0, entry(a, 20))
		}
		w.wantTold(what, c.told)
	}
	w := newWorld(t)
	w.s.PollUntil.Store(25)
	a := w.newTimer()
	w.s.ModTimer(w.m0, a, 30, 0)
	w.wantTold("an M sleeps until 25; ModTimer of timer a to 30", 0)
	w.s.ModTimer(w.m0, a, 24, 0)
	w.wantTold("an M sleeps until 25; ModTimer of timer a, which is in a heap, to 24", 1)
	for msg, args := range map[string][2]int64{"timer when must be positive": {0, 0}, "timer period must be non-negative": {1, -1}} {
		w := newWorld(t)
		b := w.newTimer()
		what := fmt.Sprintf("ModTimer to %d with a period of %d", args[0], args[1])
		check.WantThrow(t, what+"; it", check.Thrown(t.Throws(func() { w.s.ModTimer(w.m0, b, args[0], args[1]) })), check.Thrown(msg))
		w.wantFree(what)
	}
}

// stop checks StopTimer for timers without a channel.
func stop(t *check.T) {
	for _, c := range []struct {
		what    string
		make    func(w *world) *gmp.Timer
		pending bool
		state   uint32
		zombies int32
	}{
		{"timer a was never set", func(w *world) *gmp.Timer { return w.newTimer() }, false, 0, 0},
		{"timer a is in the heap of P1", func(w *world) *gmp.Timer { return w.has(w.p1, 50)[0] }, true, gmp.TimerHeaped | gmp.TimerModified | gmp.TimerZombie, 1},
		{"timer a is in the heap of P1, and was modified", func(w *world) *gmp.Timer {
			a := w.has(w.p1, 50)[0]
			modified(a, 40)
			return a
		}, true, gmp.TimerHeaped | gmp.TimerModified | gmp.TimerZombie, 1},
		{"timer a is in the heap of P1, and was stopped before", func(w *world) *gmp.Timer {
			a := w.has(w.p1, 50)[0]
			stopped(a)
			return a
		}, false, gmp.TimerHeaped | gmp.TimerModified | gmp.TimerZombie, 1},
		{"timer a is in the heap of P1, and no G waits for it any more (zombie, not modified)", func(w *world) *gmp.Timer {
			a := w.in(w.p1, w.newChanTimer(), 50)
			forsaken(a)
			return a
		}, true, gmp.TimerHeaped | gmp.TimerModified | gmp.TimerZombie, 1},
	} {
		w := newWorld(t)
		a := c.make(w)
		what := c.what + "; StopTimer"
		check.Want(t, what+"; its result (it was still to come)", w.s.StopTimer(w.m0, a), c.pending)
		w.wantFree(what)
		w.wantState(what, a, c.state)
		check.Want(t, what+"; When", a.When.Get(), 0)
		check.Want(t, what+"; Zombies of P1", w.p1.Timers.Zombies.Load(), c.zombies)
		w.wantTold(what, 0)
	}
}

// stale checks what ModTimer and StopTimer do about a channel.
func stale(t *check.T) {
	for _, c := range []struct {
		what    string
		make    func(a *gmp.Timer)
		pending bool
	}{
		{"timer a has fired, and its value is in the channel", func(a *gmp.Timer) { a.C.Qcount.Set(1) }, true},
		{"timer a has fired, and its value was received", func(a *gmp.Timer) {}, false},
		{"timer a is set", func(a *gmp.Timer) { a.When.Set(1) }, true},
		{"timer a is about to send", func(a *gmp.Timer) { a.IsSending.Store(1) }, true},
		{"timer a is about to send, and since then it was set to tick, and stopped", func(a *gmp.Timer) { a.IsSending.Store(1); a.Period.Set(5) }, false},
		{"timer a ticks, and a tick is in the channel", func(a *gmp.Timer) { a.When.Set(10); a.Period.Set(5); a.C.Qcount.Set(1) }, true},
	} {
		for _, method := range []string{"ModTimer", "StopTimer"} {
			w := newWorld(t)
			a := w.newChanTimer()
			a.Seq.Set(7)
			a.C.Recvx.Set(0)
			c.make(a)
			sending := a.IsSending.Load()
			what := c.what + "; " + method
			w.sees["MaybeAdd"] = func() { t.Errorf("%s calls MaybeAdd, and no G waits for the channel", what) }
			var pending bool
			if method == "ModTimer" {
				pending = w.s.ModTimer(w.m0, a, 20, 0)
			} else {
				pending = w.s.StopTimer(w.m0, a)
			}
			check.Want(t, what+"; its result (it was still to come)", pending, c.pending)
			check.Want(t, what+"; how many values are in the channel", a.C.Qcount.Get(), 0)
			check.Must(t, a.Seq.Get() > 7, what+"; Seq must have grown")
			if check.Held(&a.C.Lock) {
				t.Fatalf("%s; the channel is locked", what)
			}
			w.wantFree(what)
			w.wantState(what, a, 0)
			check.Want(t, what+"; IsSending, which belongs to the M that sends,", a.IsSending.Load(), sending)
		}
	}
	for method, call := range map[string]func(w *world, a *gmp.Timer){
		"ModTimer":  func(w *world, a *gmp.Timer) { w.s.ModTimer(w.m0, a, 20, 0) },
		"StopTimer": func(w *world, a *gmp.Timer) { w.s.StopTimer(w.m0, a) },
	} {
		w := newWorld(t)
		w.sees["MaybeAdd"] = func() { w.wantFree("a G waits for the channel of a timer; when " + method + " calls MaybeAdd") }
		w.sees["NetpollBreak"] = func() {
			w.wantFree("a G waits for the channel of a timer; while " + method + " calls Wakenetpoller")
		}
		a := w.newChanTimer()
		a.When.Set(10)
		a.Blocked.Set(1)
		w.in(w.p1, a, 10)
		call(w, a)
		what := "timer a is in the heap of P1, since a G waits for its channel; " + method
		check.Must(t, a.Ts.Get() == &w.p1.Timers, what+"; timer a must still be in its heap")
		w.wantFree(what)
		b := w.newChanTimer()
		b.Blocked.Set(1)
		call(w, b)
		what = "timer b is in no heap, and a G waits for its channel; " + method
		check.Want(t, what+"; how many timers P0 has", len(w.p0.Timers.Heap.Get()), map[string]int{"ModTimer": 1}[method])
		w.wantFree(what)
		sendFirst(t, method, call)
	}
	w := newWorld(t)
	a := w.in(w.p1, w.newChanTimer(), 50)
	forsaken(a)
	w.s.ModTimer(w.m0, a, 20, 0)
	what := "timer a is in the heap of P1, and no G waits for its channel any more (zombie, not modified); ModTimer to 20"
	w.wantState(what, a, gmp.TimerHeaped|gmp.TimerModified)
	check.Want(t, what+"; Zombies of P1", w.p1.Timers.Zombies.Load(), 0)
}

// sendFirst checks that a method takes SendLock before it locks the timer: another M sends
// meanwhile.
func sendFirst(t *check.T, method string, call func(w *world, a *gmp.Timer)) {
	w := newWorld(t)
	w.Off = true
	a := w.newChanTimer()
	_, err := check.OnCPUs(2, func() {
		var done machine.Note
		a.SendLock.Lock()
		machine.Newosproc("M0", func() {
			call(w, a)
			done.Wakeup()
		})
		machine.Usleep(1000)
		check.Must(t, !check.Held(&a.Mu), "M1 sends, and holds SendLock, for which "+method+"(M0) waits; the timer must not be locked meanwhile: SendLock comes first")
		a.SendLock.Unlock()
		done.Sleep()
	})
	if err != nil {
		t.Fatalf("%s of a timer that another M sends for: %v", method, err)
	}
}
