package ch17

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// cycles are how many workers there are, by number of Ps.
var cycles = [...]struct {
	dedicated  int64
	fractional float64
}{
	1: {0, 0.25}, 2: {0, 0.25}, 3: {0, 0.25}, 4: {1, 0}, 5: {1, 0}, 6: {1, 0.5 / 6}, 7: {2, 0}, 8: {2, 0},
	9: {2, 0}, 10: {3, 0}, 11: {3, 0}, 12: {3, 0}, 13: {3, 0}, 14: {4, 0}, 15: {4, 0}, 16: {4, 0},
}

// startCycle checks how many workers a collection has.
func startCycle(t *check.T) {
	for procs := 1; procs <= 16; procs++ {
		for _, trigger := range []gmp.GcTrigger{gmp.GcTriggerHeap, gmp.GcTriggerTime} {
			w := newWorld(t, int32(procs))
			c, want := &w.s.GcController, cycles[procs]
			for _, pp := range w.s.Allp.Get() {
				pp.GcFractionalMarkTime.Set(9)
			}
			w.s.GcControllerStartCycle(77, int32(procs), trigger)
			what := fmt.Sprintf("there are %d Ps; ", procs)
			check.Want(t, what+"DedicatedMarkWorkersNeeded", c.DedicatedMarkWorkersNeeded.Load(), want.dedicated)
			if got := c.FractionalUtilizationGoal.Get(); got < want.fractional-1e-9 || got > want.fractional+1e-9 {
				t.Errorf("%sFractionalUtilizationGoal is %.4f; want %.4f", what, got, want.fractional)
			}
			idle := int32(procs) - int32(want.dedicated)
			if trigger == gmp.GcTriggerTime {
				what += "the collection begins because two minutes are over; "
				idle = 0
				if want.dedicated == 0 {
					idle = 1
				}
			}
			check.Want(t, what+"MaxIdleMarkWorkers", c.MaxIdleMarkWorkers.Get(), idle)
			check.Want(t, what+"MarkStartTime, at 77 ns,", c.MarkStartTime.Get(), 77)
			for _, pp := range w.s.Allp.Get() {
				check.Want(t, what+"GcFractionalMarkTime of "+check.PName(pp), pp.GcFractionalMarkTime.Get(), 0)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// dedicated checks who gets a dedicated worker.
func dedicated(t *check.T) {
	w := newWorld(t, 4)
	w.marks(1, 0, 3, 2)
	gp, now := w.s.FindRunnableGCWorker(w.m0, w.p(0), 5)
	check.Want(t, "what it is told as the time, and returns,", now, 5)
	w.wantWorker("one dedicated worker is missing, and two wait", gp, w.p(0), gmp.GcMarkWorkerDedicatedMode, 1)
	check.Want(t, "DedicatedMarkWorkersNeeded after that", w.s.GcController.DedicatedMarkWorkersNeeded.Load(), 0)
	gp, _ = w.s.FindRunnableGCWorker(w.m0, w.p(1), 5)
	w.wantWorker("no dedicated worker is missing, and there are to be no fractional ones", gp, w.p(1), gmp.GcMarkWorkerNotWorker, 1)
	check.Want(t, "DedicatedMarkWorkersNeeded after that", w.s.GcController.DedicatedMarkWorkersNeeded.Load(), 0)

	w = newWorld(t, 4)
	w.marks(1, 0, 3, 0)
	gp, _ = w.s.FindRunnableGCWorker(w.m0, w.p(0), 5)
	w.wantWorker("one dedicated worker is missing, and none waits in the pool", gp, w.p(0), gmp.GcMarkWorkerNotWorker, 0)
	check.Want(t, "DedicatedMarkWorkersNeeded after that: the worker is still missing", w.s.GcController.DedicatedMarkWorkersNeeded.Load(), 1)

	w = newWorld(t, 4)
	w.marks(1, 0, 3, 1).work.Store(0)
	gp, _ = w.s.FindRunnableGCWorker(w.m0, w.p(0), 5)
	w.wantWorker("there is nothing to mark", gp, w.p(0), gmp.GcMarkWorkerNotWorker, 1)
	check.Want(t, "DedicatedMarkWorkersNeeded after that", w.s.GcController.DedicatedMarkWorkersNeeded.Load(), 1)
	w.s.GcController.BlackenEnabled.Store(false)
	check.WantThrow(t, "BlackenEnabled is not set; FindRunnableGCWorker",
		check.Thrown(t.Throws(func() { w.s.FindRunnableGCWorker(w.m0, w.p(0), 5) })), check.Thrown("gcControllerState.findRunnable: blackening not enabled"))
}

// fractional checks which share of its time a P gives.
func fractional(t *check.T) {
	for _, c := range []struct {
		since, took int64
		runs        bool
	}{
		{0, 0, true}, {1000, 0, true}, {1000, 250, true}, {1000, 251, false}, {2000, 499, true}, {2000, 501, false},
	} {
		w := newWorld(t, 2)
		w.marks(0, 0.25, 2, 1)
		w.s.GcController.MarkStartTime.Set(100)
		w.p(0).GcFractionalMarkTime.Set(c.took)
		w.p(1).GcFractionalMarkTime.Set(5000) // which is not P0's
		gp, _ := w.s.FindRunnableGCWorker(w.m0, w.p(0), 100+c.since)
		mode, pool := gmp.GcMarkWorkerNotWorker, 1
		if c.runs {
			mode, pool = gmp.GcMarkWorkerFractionalMode, 0
		}
		w.wantWorker(fmt.Sprintf("each P is to give a quarter of its time, and P0 has given %d of %d ns", c.took, c.since), gp, w.p(0), mode, pool)
	}
	for _, took := range []int64{0, 1e15} { // and marking began a moment ago
		w := newWorld(t, 2)
		w.marks(0, 0.25, 2, 1)
		before := w.s.Nanotime()
		w.s.GcController.MarkStartTime.Set(before)
		w.p(0).GcFractionalMarkTime.Set(took)
		gp, now := w.s.FindRunnableGCWorker(w.m0, w.p(0), 0)
		w.wantTime("FindRunnableGCWorker(M0, P0, 0) had to look at the clock, and returns", now, before)
		mode, pool := gmp.GcMarkWorkerFractionalMode, 0
		if took > 0 {
			mode, pool = gmp.GcMarkWorkerNotWorker, 1
		}
		w.wantWorker(fmt.Sprintf("marking began a moment ago, P0 has given %d ns, and FindRunnableGCWorker must look at the clock", took), gp, w.p(0), mode, pool)
	}
}

// idle checks when a P that has nothing to do marks.
func idle(t *check.T) {
	for _, c := range []struct {
		what       string
		set        func(w *world, h *heap)
		pool, left int
		worker     bool
	}{
		{"there may be two idle workers, and there is one", func(w *world, h *heap) {}, 1, 0, true},
		{"there may be two idle workers, and there are two", func(w *world, h *heap) { w.s.GcController.IdleMarkWorkers.Store(2) }, 1, 1, false},
		{"no worker waits in the pool", func(w *world, h *heap) {}, 0, 0, false},
		{"there is nothing to mark", func(w *world, h *heap) { h.work.Store(0) }, 1, 1, false},
		{"BlackenEnabled is not set", func(w *world, h *heap) { w.s.GcController.BlackenEnabled.Store(false) }, 1, 1, false},
	} {
		for _, noP := range []bool{false, true} {
			w := newWorld(t, 4)
			h := w.marks(1, 0.25, 2, c.pool)
			w.s.GcController.IdleMarkWorkers.Store(1)
			c.set(w, h)
			before, counted := w.s.GcController.IdleMarkWorkers.Load(), int32(0)
			mode := gmp.GcMarkWorkerNotWorker
			if c.worker {
				mode, counted = gmp.GcMarkWorkerIdleMode, 1
			}
			if !noP {
				gp := w.s.IdleGCWorker(w.m0, w.p(0))
				w.wantWorker("IdleGCWorker: "+c.what, gp, w.p(0), mode, c.left)
				check.Want(t, c.what+"; IdleMarkWorkers after IdleGCWorker", w.s.GcController.IdleMarkWorkers.Load(), before+counted)
				check.Want(t, c.what+"; DedicatedMarkWorkersNeeded, with which it has nothing to do,", w.s.GcController.DedicatedMarkWorkersNeeded.Load(), 1)
				continue
			}
			w.idle(3)
			began := w.s.Nanotime()
			w.on("PidlegetSpinning", func(call *check.Call) {
				if !w.s.GcController.BlackenEnabled.Load() || h.work.Load() == 0 {
					t.Errorf("CheckIdleGCNoP: %s; it takes a P (PidlegetSpinning), and needs none: another M that wants it does not find it", c.what)
				}
				if now := check.Arg[int64](call.Call); now != 0 {
					w.wantTime("CheckIdleGCNoP: "+c.what+"; PidlegetSpinning is told that the time, which may be 0 if it is not known, is", now, began)
				}
			})
			pp, gp := w.s.CheckIdleGCNoP(w.m0)
			if pp == nil {
				check.Want(t, "CheckIdleGCNoP: "+c.what+"; GcMarkWorkerMode of P3, which stays idle,", w.p(3).GcMarkWorkerMode.Get(), gmp.GcMarkWorkerNotWorker)
			}
			w.wantWorker("CheckIdleGCNoP: "+c.what, gp, pp, mode, c.left)
			check.Must(t, (pp != nil) == c.worker, c.what+"; CheckIdleGCNoP "+check.MustIf(c.worker)+" return a P")
			check.Want(t, c.what+"; the number of idle Ps after CheckIdleGCNoP, before which it was 1,", w.s.Npidle.Load(), 1-counted)
			check.Want(t, c.what+"; IdleMarkWorkers after CheckIdleGCNoP", w.s.GcController.IdleMarkWorkers.Load(), before+counted)
			check.WantUnlocked(t, w.s, "CheckIdleGCNoP")
		}
	}
	w := newWorld(t, 2)
	w.marks(0, 0.25, 2, 1)
	pp, gp := w.s.CheckIdleGCNoP(w.m0)
	w.wantWorker("CheckIdleGCNoP: no P is idle", gp, pp, gmp.GcMarkWorkerNotWorker, 1)
	check.Must(t, w.s.Needspinning.Load(), "no P is idle; after CheckIdleGCNoP, Needspinning must be set: another M must not give its P back (PidlegetSpinning)")
	check.Want(t, "no P is idle; IdleMarkWorkers after CheckIdleGCNoP", w.s.GcController.IdleMarkWorkers.Load(), 0)
}

// turn checks what a worker does on a P.
func turn(t *check.T) {
	for _, c := range []struct {
		what  string
		mode  gmp.GcMarkWorkerMode
		set   func(w *world, part int) // what has happened when it is about to stop, or not
		parts int                      // 2 if it marks on when it was asked to stop
		stops bool                     // whether the last one is stopped
	}{
		{"nothing happens, and it is dedicated", gmp.GcMarkWorkerDedicatedMode, func(*world, int) {}, 1, false},
		{"it is dedicated, and asked to stop", gmp.GcMarkWorkerDedicatedMode, func(w *world, n int) { w.g1.Preempt.Set(true) }, 2, false},
		{"it is dedicated, and asked to stop, since the world is to stop", gmp.GcMarkWorkerDedicatedMode, func(w *world, n int) {
			w.g1.Preempt.Set(true)
			w.s.Gcwaiting.Store(n == 2)
		}, 2, true},
		{"it is dedicated, and asked to stop, since P0 is to run a function", gmp.GcMarkWorkerDedicatedMode, func(w *world, n int) {
			w.g1.Preempt.Set(true)
			w.p(0).RunSafePointFn.Store(uint32(n - 1))
		}, 2, true},
		{"it is dedicated, and asked to stop, and not asked again when the world is to stop", gmp.GcMarkWorkerDedicatedMode, func(w *world, n int) {
			w.g1.Preempt.Set(n == 1)
			w.s.Gcwaiting.Store(n == 2)
		}, 2, false},
		{"it is dedicated, and asked to stop, and not asked again when P0 is to run a function", gmp.GcMarkWorkerDedicatedMode, func(w *world, n int) {
			w.g1.Preempt.Set(n == 1)
			w.p(0).RunSafePointFn.Store(uint32(n - 1))
		}, 2, false},
		{"it is fractional, and nothing happens", gmp.GcMarkWorkerFractionalMode, func(*world, int) {}, 1, false},
		{"it is fractional, and asked to stop", gmp.GcMarkWorkerFractionalMode, func(w *world, n int) { w.g1.Preempt.Set(true) }, 1, true},
		{"it is fractional, and has had more than its share", gmp.GcMarkWorkerFractionalMode, func(w *world, n int) { w.p(0).GcFractionalMarkTime.Set(1e6) }, 1, true},
		{"it is idle, and nothing happens", gmp.GcMarkWorkerIdleMode, func(*world, int) {}, 1, false},
		{"it is idle, and asked to stop", gmp.GcMarkWorkerIdleMode, func(w *world, n int) { w.g1.Preempt.Set(true) }, 1, true},
		{"it is idle, and a G comes to P0", gmp.GcMarkWorkerIdleMode, func(w *world, n int) { w.work(0) }, 1, true},
		{"it is idle, and a G comes to the global queue", gmp.GcMarkWorkerIdleMode, func(w *world, n int) {
			gp := check.NewG(w.s, gmp.Grunnable)
			w.s.Lock.Lock()
			w.s.Globrunqput(gp)
			w.s.Lock.Unlock()
		}, 1, true},
	} {
		_, err := check.OnCPUs(1, func() { oneTurn(t, c.what, c.mode, c.set, c.parts, c.stops) })
		if err != nil {
			t.Fatalf("%v", err)
		}
		if t.Failed() {
			return
		}
	}
	w := newWorld(t, 1)
	w.marks(0, 0.25, 1, 0)
	w.skips("GcMarkDone")
	check.WantThrow(t, "P0 has no mode; GcBgMarkWorker", check.Thrown(t.Throws(func() { w.s.GcBgMarkWorker(w.m0, w.g1) })), check.Thrown("gcBgMarkWorker: unexpected gcMarkWorkerMode"))
	w = newWorld(t, 1)
	w.marks(0, 0.25, 1, 0).drain = func(*gmp.M, func() bool) {
		t.Errorf("BlackenEnabled is not set; GcBgMarkWorker must throw before it marks (GcDrain)")
	}
	w.s.GcController.BlackenEnabled.Store(false)
	w.p(0).GcMarkWorkerMode.Set(gmp.GcMarkWorkerIdleMode)
	check.WantThrow(t, "BlackenEnabled is not set; GcBgMarkWorker", check.Thrown(t.Throws(func() { w.s.GcBgMarkWorker(w.m0, w.g1) })), check.Thrown("gcBgMarkWorker: blackening not enabled"))
}

// oneTurn plays a turn of G1 on P0, which has two Gs on its queue unless G1 is idle.
func oneTurn(t *check.T, what string, mode gmp.GcMarkWorkerMode, set func(w *world, part int), parts int, stops bool) {
	w := newWorld(t, 2)
	c, pp := &w.s.GcController, w.p(0)
	h := w.marks(0, 0.25, 1, 0)
	w.skips("GcMarkDone")
	pp.GcMarkWorkerMode.Set(mode)
	queued := 0
	switch mode {
	case gmp.GcMarkWorkerDedicatedMode:
		queued = 2
		w.work(0)
		w.work(0)
	case gmp.GcMarkWorkerIdleMode:
		c.IdleMarkWorkers.Store(1)
	}
	machine.Usleep(3000) // before the collection, and none of its time
	c.MarkStartTime.Set(w.s.Nanotime())
	machine.Usleep(100)
	n, part, stopped, entered := 0, 0, false, int64(0)
	h.drain = func(mp *gmp.M, stop func() bool) {
		if n++; n == 1 {
			entered = w.s.Nanotime()
			check.Want(t, what+"; while the worker marks, Working", c.Working.Load(), 1)
			check.Want(t, what+"; while it marks, its state: other workers must be able to look at its stack", check.State(w.g1), "waiting")
			check.Want(t, what+"; and why it waits", w.g1.Waitreason.Get(), gmp.WaitReasonGCWorkerActive)
			if stop() {
				t.Errorf("%s; the worker stops before that", what)
			}
		}
		if n > 2 {
			t.Fatalf("%s; GcDrain is called for the third time", what)
		}
		for stopped = false; part < parts && !stopped; stopped = stop() { // else nothing is left
			if part++; part == 2 {
				check.Want(t, what+"; while the worker marks on, how many of the two Gs of P0 others can find in the global queue", int(w.s.Runq.Get().Size), queued)
				check.WantUnlocked(t, w.s, "what precedes that")
			}
			machine.Usleep(20)
			set(w, part)
		}
		if part == parts {
			h.work.Store(0)
		}
	}
	w.on("Globrunqputbatch", func(*check.Call) {
		check.Must(t, check.Held(&w.s.Lock), what+"; when the Gs of P0 are put in the global queue, s.Lock must be held")
	})
	w.on("Casgstatus", func(call *check.Call) {
		if to := call.Args[2]; to == gmp.Gwaiting {
			check.Want(t, what+"; when the state of the worker changes to waiting, why it waits: whoever sees that it does may read that", w.g1.Waitreason.Get(), gmp.WaitReasonGCWorkerActive)
		}
	})
	parked := 0
	w.on("Gopark", func(call *check.Call) {
		parked++
		check.Want(t, what+"; why the worker parks", check.Arg[gmp.WaitReason](call.Call), gmp.WaitReasonGCWorkerIdle)
		check.Must(t, w.pooled() == 0, what+"; the worker must not be in the pool before it waits: another M would run it, while M0 still does")
		check.Must(t, w.g1.Cont.Get() != nil, what+"; Cont of the worker must be set when it parks (GcMarkDone may have changed it)")
		unlockf := check.Arg[func(gp *gmp.G, lock any) bool](call.Call)
		if unlockf == nil || !unlockf(w.g1, call.Args[3]) {
			t.Fatalf("%s; the unlockf with which the worker parks must return true: it waits", what)
		}
		check.Want(t, what+"; how many workers are in the pool when it waits", w.pooled(), 1)
	})
	w.on("GcMarkDone", func(*check.Call) {
		w.g1.Cont.Set(nil)
		check.Want(t, what+"; when GcMarkDone is called, Working", c.Working.Load(), 0)
		check.Want(t, what+"; when GcMarkDone is called, the mode of P0", pp.GcMarkWorkerMode.Get(), gmp.GcMarkWorkerNotWorker)
		check.Want(t, what+"; when GcMarkDone is called, the state of the worker", check.State(w.g1), "running")
	})
	w.s.GcBgMarkWorker(w.m0, w.g1)
	check.Must(t, part == parts, what+"; the worker must go on to mark: there is something left")
	check.Must(t, stopped == stops, what+"; the worker "+check.MustIf(stops)+" be asked to stop then")
	check.Want(t, what+"; how often the worker parks", parked, 1)
	check.Want(t, what+"; it was the last one, and nothing is left: how often GcMarkDone is called", len(w.Of("GcMarkDone")), 1)
	if start := pp.GcMarkWorkerStartTime.Get(); start <= 0 || start > entered {
		t.Errorf("%s; GcMarkWorkerStartTime is %d; want the time when the turn began, at most %d", what, start, entered)
	}
	check.Want(t, what+"; DedicatedMarkWorkersNeeded after the turn of a worker that is "+mode.String(), c.DedicatedMarkWorkersNeeded.Load() == 1, mode == gmp.GcMarkWorkerDedicatedMode)
	check.Want(t, what+"; IdleMarkWorkers after the turn", c.IdleMarkWorkers.Load(), 0)
	if mode == gmp.GcMarkWorkerFractionalMode {
		took := pp.GcFractionalMarkTime.Get() % 1e6
		if took < 20_000 || took > 40_000 {
			t.Errorf("%s; the turn has taken about 20 µs, and GcFractionalMarkTime has grown by %d ns", what, took)
		}
	} else {
		check.Want(t, what+"; GcFractionalMarkTime of P0, which is for fractional workers,", pp.GcFractionalMarkTime.Get(), 0)
	}
	global := 0
	if parts == 2 {
		global = queued
	}
	if queued > 0 {
		check.Want(t, what+"; how many of the two Gs of P0 are on the global queue", int(w.s.Runq.Get().Size), global)
	}
	check.WantUnlocked(t, w.s, "GcBgMarkWorker")
}

// lastTurn checks which worker looks for the end.
func lastTurn(t *check.T) {
	for _, c := range []struct {
		working, work int32
		ends          int
	}{{0, 0, 1}, {1, 0, 0}, {0, 3, 0}} {
		w := newWorld(t, 2)
		h := w.marks(0, 0.25, 2, 0)
		w.skips("GcMarkDone")
		w.s.GcController.Working.Store(c.working)
		h.drain = func(*gmp.M, func() bool) { h.work.Store(c.work) }
		w.p(0).GcMarkWorkerMode.Set(gmp.GcMarkWorkerIdleMode)
		w.s.GcController.IdleMarkWorkers.Store(1)
		w.s.GcBgMarkWorker(w.m0, w.g1)
		check.Want(t, fmt.Sprintf("%d others work, and %d objects are left; how often GcMarkDone is called", c.working, c.work), len(w.Of("GcMarkDone")), c.ends)
		check.Want(t, "Working after the turn", w.s.GcController.Working.Load(), c.working)
		check.Want(t, fmt.Sprintf("%d others work, and %d objects are left; the mode of P0 after the turn", c.working, c.work), w.p(0).GcMarkWorkerMode.Get(), gmp.GcMarkWorkerNotWorker)
	}
}

// markDone checks how marking ends.
func markDone(t *check.T) {
	for _, c := range []struct {
		what                   string
		set                    func(w *world, h *heap)
		flushes, stops, starts int
		ends                   int
	}{
		{"nothing is left", func(*world, *heap) {}, 1, 1, 0, 1},
		{"P1 has kept something", func(w *world, h *heap) { h.with[1].Store(1) }, 1, 0, 0, 0},
		{"something turns up after the Ps were asked", func(w *world, h *heap) {
			w.on("StopTheWorldWithSema", func(*check.Call) { h.work.Store(1) })
		}, 1, 1, 1, 0},
		{"after P1 was asked it finds something, and keeps it (GcFlush)", func(w *world, h *heap) {
			w.on("StopTheWorldWithSema", func(*check.Call) { h.with[1].Store(1) })
		}, 1, 1, 1, 0},
		{"another worker works", func(w *world, h *heap) { w.s.GcController.Working.Store(1) }, 0, 0, 0, 0},
		{"something is left", func(w *world, h *heap) { h.work.Store(1) }, 0, 0, 0, 0},
		{"the collection is over", func(w *world, h *heap) { w.s.GcController.BlackenEnabled.Store(false) }, 0, 0, 0, 0},
	} {
		w := newWorld(t, 2)
		h := w.marks(1, 0, 1, 0)
		h.work.Store(0)
		ends := 0
		h.end = func(mp *gmp.M, gp *gmp.G) {
			ends++
			check.Want(t, c.what+"; in GcMarkTermination BlackenEnabled", w.s.GcController.BlackenEnabled.Load(), false)
			check.Must(t, !w.s.GcController.MarkDoneSema.Load(), c.what+"; in GcMarkTermination, MarkDoneSema must be free: it is another M's turn as soon as the world runs")
			check.Want(t, c.what+"; how often the world was stopped before GcMarkTermination", len(w.Of("StopTheWorldWithSema")), 1)
		}
		w.skips("StopTheWorldWithSema", "StartTheWorldWithSema", "ForEachP")
		w.on("ForEachP", func(call *check.Call) {
			check.Want(t, c.what+"; why the caller of ForEachP waits", check.Arg[gmp.WaitReason](call.Call), gmp.WaitReasonGCMarkTermination)
			fn := check.Arg[func(pp *gmp.P)](call.Call)
			before := h.flushed
			for _, pp := range w.s.Allp.Get() {
				fn(pp)
			}
			check.Want(t, c.what+"; for how many Ps ForEachP calls GcFlush", h.flushed-before, 2)
		})
		began := w.s.Nanotime()
		w.on("StartTheWorldWithSema", func(call *check.Call) {
			if now := check.Arg[int64](call.Call); now != 0 {
				w.wantTime(c.what+"; StartTheWorldWithSema is told that the time, which may be 0 if it is not known, is", now, began)
			}
		})
		c.set(w, h)
		w.s.GcMarkDone(w.m0, w.g1)
		check.Want(t, c.what+"; how often the Ps are asked for what they have kept (ForEachP)", len(w.Of("ForEachP")), c.flushes)
		check.Want(t, c.what+"; how often the world is stopped", len(w.Of("StopTheWorldWithSema")), c.stops)
		check.Want(t, c.what+"; how often it is started again", len(w.Of("StartTheWorldWithSema")), c.starts)
		check.Want(t, c.what+"; how often GcMarkTermination is called", ends, c.ends)
		check.Want(t, c.what+"; MarkDoneSema at the end", w.s.GcController.MarkDoneSema.Load(), false)
	}
	w := newWorld(t, 2)
	h := w.marks(1, 0, 1, 0)
	h.work.Store(0)
	w.skips("StopTheWorldWithSema", "StartTheWorldWithSema", "ForEachP")
	w.s.GcController.MarkDoneSema.Store(true)
	w.s.GcMarkDone(w.m0, w.g1)
	check.Want(t, "another M is in GcMarkDone; how often M0 calls ForEachP", len(w.Of("ForEachP")), 0)
	check.Want(t, "another M is in GcMarkDone; MarkDoneSema after M0 was there", w.s.GcController.MarkDoneSema.Load(), true)
}

// forced checks the helper, and who wakes it.
func forced(t *check.T) {
	w := newWorld(t, 2)
	h := newHeap(w.s)
	f := &w.s.Forcegc
	f.G.Set(w.g1)
	parked := 0
	w.on("Gopark", func(call *check.Call) {
		parked++
		check.Must(t, check.Held(&f.Lock), "when the helper parks, Forcegc.Lock must be held: until it waits nobody may find it idle")
		check.Want(t, "why the helper parks", check.Arg[gmp.WaitReason](call.Call), gmp.WaitReasonForceGCIdle)
		unlockf := check.Arg[func(gp *gmp.G, lock any) bool](call.Call)
		if w.g1.Cont.Get() == nil || unlockf == nil || !unlockf(w.g1, call.Args[3]) || check.Held(&f.Lock) {
			t.Fatalf("the helper must park with a Cont, and an unlockf that releases Forcegc.Lock and returns true")
		}
		check.Want(t, "when the helper waits, Forcegc.Idle", f.Idle.Load(), true)
	})
	w.s.Forcegchelper(w.m0, w.g1)
	check.Want(t, "how often Forcegchelper(M0, G1) parks G1", parked, 1)
	if t.Failed() {
		return
	}
	check.WantThrow(t, "the helper is idle; Forcegchelper", check.Thrown(t.Throws(func() { w.s.Forcegchelper(w.m0, w.g1) })), check.Thrown("forcegc: phase error"))
	f.Lock.TryLock()
	f.Lock.Unlock()

	monitor := &gmp.M{ID: -1}
	w.s.ForceGC(monitor, 1)
	check.Want(t, "no collection is due; how often ForceGC wakes the helper (Injectglist)", len(w.Of("Injectglist")), 0)
	h.due = true
	w.on("Injectglist", func(call *check.Call) {
		check.Want(t, "the G that is brought (Injectglist)", check.Name(check.Arg[gmp.GList](call.Call).Head), "G1")
		check.Want(t, "when the helper is woken, Forcegc.Idle", f.Idle.Load(), false)
	})
	w.s.ForceGC(monitor, 1)
	w.s.ForceGC(monitor, 1)
	check.Want(t, "a collection is due, and ForceGC was called twice before the helper runs; how often it is woken", len(w.Of("Injectglist")), 1)
	check.Must(t, !check.Held(&f.Lock), "Forcegc.Lock must not be held after ForceGC")

	// The helper runs.
	starts := 0
	h.start = func(mp *gmp.M, gp *gmp.G, trigger gmp.GcTrigger, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
		starts++
		check.Want(t, "why the helper starts a collection (GcTriggerTime is 1)", int(trigger), int(gmp.GcTriggerTime))
		check.Want(t, "the M on which it does so", check.MName(mp), "M1")
		then(w.s, mp, gp)
	}
	w.g1.Cont.Get()(w.s, w.runs(1), w.g1)
	check.Want(t, "the helper runs; how often it starts a collection", starts, 1)
	check.Want(t, "how often it has parked after that", parked, 2)
}

// fing checks who gets the G that calls finalizers.
func fing(t *check.T) {
	w := newWorld(t, 1)
	w.s.Fing.G.Set(w.g1)
	for status := range gmp.FingCreated | gmp.FingWait | gmp.FingWake {
		w.s.Fing.Status.Store(status)
		check.Want(t, fmt.Sprintf("Fing.Status is %03b (wake, wait, created); what Wakefing returns", status), check.Name(w.s.Wakefing()), "nil")
		check.Want(t, fmt.Sprintf("Fing.Status is %03b (wake, wait, created); what it is after Wakefing", status), w.s.Fing.Status.Load(), status)
	}
	w.s.Fing.Status.Store(gmp.FingCreated | gmp.FingWait | gmp.FingWake)
	check.Want(t, "all three bits are set; what Wakefing returns", check.Name(w.s.Wakefing()), "G1")
	check.Want(t, "what Fing.Status is after that", w.s.Fing.Status.Load(), gmp.FingCreated)
	check.Want(t, "what Wakefing returns the second time", check.Name(w.s.Wakefing()), "nil")
}
