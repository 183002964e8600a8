package ch17

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models of the second half: workers are found, and taken, by several Ms, and the last one
// ends the collection.

// collects begins a collection with so many workers in the pool.
func (c *crew) collects(workers int) *heap {
	h := newHeap(c.s)
	h.work.Store(1)
	c.s.GcController.BlackenEnabled.Store(true)
	for range workers {
		c.s.GcController.Pool.Push(c.g(gmp.Gwaiting, nil))
	}
	return h
}

// twoAsk: one dedicated worker is missing, or two, and M0 and M1 come at the same time. Or none is
// missing, and M1 looks for an idle one.
func twoAsk(c *crew) {
	s := c.s
	missing := [...]int{1, 2, 0}[c.m.Choose(3)]
	c.collects(min(missing+1, 2))
	s.GcController.DedicatedMarkWorkersNeeded.Store(int64(missing))
	found := 0
	c.mstartOn(0, func(mp *gmp.M) {
		gp, _ := s.FindRunnableGCWorker(mp, mp.P.Get(), 5)
		if gp != nil {
			gp.Waitsince.Set(mp.ID) // as its owner may
			found++
		}
	})
	if missing == 0 {
		s.GcController.MaxIdleMarkWorkers.Set(1)
		c.mstartOn(1, func(mp *gmp.M) {
			if s.IdleGCWorker(mp, mp.P.Get()) == nil {
				c.m.Errorf("there may be one idle worker, and one waits in the pool: M1 (IdleGCWorker) does not find it; M0 (FindRunnableGCWorker) has no place for it, since none is missing, and has taken it for a moment")
			}
		})
		return
	}
	c.mstartOn(1, func(mp *gmp.M) {
		gp, _ := s.FindRunnableGCWorker(mp, mp.P.Get(), 5)
		if gp != nil {
			gp.Waitsince.Set(mp.ID)
			found++
		}
	})
	c.m.Check(func() {
		if left := s.GcController.DedicatedMarkWorkersNeeded.Load(); found != missing || left != 0 {
			c.m.Errorf("DedicatedMarkWorkersNeeded was %d, and two workers waited in the pool; M0 and M1 have found %d in all, and DedicatedMarkWorkersNeeded is %d", missing, found, left)
		}
		c.wantPool(2 - missing)
	})
}

// wantPool checks how many workers are in the pool at the end.
func (c *crew) wantPool(want int) {
	n := 0
	for c.s.GcController.Pool.Pop() != nil {
		n++
	}
	if n != want {
		c.m.Errorf("how many workers are in the pool at the end is %d; want %d", n, want)
	}
}

// twoAreIdle: there may be one idle worker, or two; none waits, or one, or two; and M0 and M1 have
// nothing to do.
func twoAreIdle(c *crew) {
	s, g := c.s, &c.s.GcController
	most, workers := 1+c.m.Choose(2), c.m.Choose(3)
	c.collects(workers)
	g.MaxIdleMarkWorkers.Set(int32(most))
	look := func() {
		if n := g.IdleMarkWorkers.Load(); int(n) > most {
			c.m.Errorf("MaxIdleMarkWorkers is %d, and IdleMarkWorkers is %d", most, n)
		}
	}
	found := 0
	for id := range 2 {
		c.mstartOn(id, func(mp *gmp.M) {
			if most == 1 {
				look()
			}
			if s.IdleGCWorker(mp, mp.P.Get()) != nil {
				found++
			}
			if most == 1 {
				look()
			}
		})
	}
	c.m.Check(func() {
		want := min(most, workers)
		if n := g.IdleMarkWorkers.Load(); found != want || int(n) != want {
			c.m.Errorf("MaxIdleMarkWorkers is %d, and %d workers waited in the pool; M0 and M1 have found %d, and IdleMarkWorkers is %d", most, workers, found, n)
		}
		c.wantPool(workers - want)
	})
}

// looksLast: M1 has put P1 on the list of idle ones, and looks for a worker; M0 stops the world
// meanwhile, and ends the collection. No worker may wait, or one; and M0 may mark first what there is.
func looksLast(c *crew) {
	s, how := c.s, c.m.Choose(3)
	h := c.collects(min(how, 1))
	s.Nmspinning.Store(1) // nobody need be woken
	s.GcController.MaxIdleMarkWorkers.Set(2)
	c.idle(c.p(1))
	m0, done := c.stopper(), false
	c.m.Daemon("M0", func() {
		if how == 2 {
			h.take()
		}
		s.StopTheWorldWithSema(m0, "test")
		s.GcController.BlackenEnabled.Store(false)
		s.StartTheWorldWithSema(m0, 1)
		done = true
	})
	c.mstart(func(mp *gmp.M) {
		pp, gp := s.CheckIdleGCNoP(mp)
		switch {
		case (pp == nil) != (gp == nil):
			c.m.Errorf("CheckIdleGCNoP(%s) returns %s and %s: want both, or neither", check.MName(mp), check.PName(pp), check.Name(gp))
		case pp == nil:
			return
		case !s.GcController.BlackenEnabled.Load():
			c.m.Errorf("%s runs a worker on %s, and the collection has ended", check.MName(mp), check.PName(pp))
		}
		s.Acquirep(mp, pp)
		c.idles(mp)
	})
	c.m.Check(func() {
		if !done {
			c.m.Errorf("M0 waits for ever: s.Stopwait is %d, %s, and %d Ps are idle", s.Stopwait.Get(), c.states(), s.Npidle.Load())
		}
	})
}

// twoTurns: M0 and M1 each run a worker for a turn, both of the same kind, and there is one object
// to mark.
func twoTurns(c *crew) {
	s, g := c.s, &c.s.GcController
	mode := gmp.GcMarkWorkerDedicatedMode
	if c.m.Choose(2) == 0 {
		mode = gmp.GcMarkWorkerIdleMode
		g.IdleMarkWorkers.Store(2)
	}
	h := c.collects(0)
	marking, has, ends := 0, false, 0
	look := func() {
		if n := g.Working.Load(); int(n) < marking {
			c.m.Errorf("%d workers mark, and Working is %d", marking, n)
		}
	}
	h.drain = func(mp *gmp.M, stop func() bool) {
		marking++
		look()
		if h.take() {
			has = true
			look()
			has = false
		}
		marking--
	}
	s.Parking = parks{s.Parking, s}
	s.GCWork = notDone{s.GCWork, func(mp *gmp.M) {
		ends++
		if has {
			c.m.Errorf("%s calls GcMarkDone, and the other worker still has something in its hands", check.MName(mp))
		}
	}}
	for id := range 2 {
		gp := c.g(gmp.Grunning, nil)
		c.p(id).GcMarkWorkerMode.Set(mode)
		c.has(c.mstartOn(id, func(mp *gmp.M) { s.GcBgMarkWorker(mp, gp) }), gp)
	}
	c.m.Check(func() {
		if n := g.Working.Load(); n != 0 || ends == 0 {
			c.m.Errorf("both workers have gone, and nothing is left: Working is %d, and GcMarkDone was called %d times", n, ends)
		}
		if n := g.IdleMarkWorkers.Load(); n != 0 {
			c.m.Errorf("both idle workers have gone: IdleMarkWorkers is %d", n)
		}
		if n := g.DedicatedMarkWorkersNeeded.Load(); mode == gmp.GcMarkWorkerDedicatedMode && n != 2 {
			c.m.Errorf("both dedicated workers have gone: DedicatedMarkWorkersNeeded is %d, and both are missing", n)
		}
		c.wantPool(2)
	})
}

// notDone only notes that a worker looks for the end.
type notDone struct {
	gmp.GCWork
	looks func(mp *gmp.M)
}

func (p notDone) GcMarkDone(mp *gmp.M, gp *gmp.G) { p.looks(mp) }

// parks lets a G wait, and its M do nothing more.
type parks struct {
	gmp.Parking
	s *gmp.Sched
}

func (p parks) Gopark(mp *gmp.M, gp *gmp.G, unlockf func(gp *gmp.G, lock any) bool, lock any, reason gmp.WaitReason) {
	gp.Waitreason.Set(reason)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	unlockf(gp, lock)
}

// lastWorkers: M0 is the last worker, and P1 has kept something; M1 marks what there is.
func lastWorkers(c *crew) {
	s, h := c.s, c.collects(0)
	h.work.Store(0)
	h.with[1].Store(1)
	c.end(h, func(mp *gmp.M, gp *gmp.G) { s.GcMarkDone(mp, gp) }, func(mp *gmp.M, gp *gmp.G) {})
}

// foundLate: M0 is the last worker. The program of M1 finds something at some moment.
func foundLate(c *crew) {
	s, h := c.s, c.collects(0)
	h.work.Store(0)
	c.end(h, func(mp *gmp.M, gp *gmp.G) { s.GcMarkDone(mp, gp) }, func(mp *gmp.M, gp *gmp.G) {
		if s.GcController.BlackenEnabled.Load() {
			h.work.Add(1)
		}
	})
}

// end lets M0 and M1 do something, and then mark until nothing is left; the last one calls
// GcMarkDone. The world stops when the other M is between two turns.
func (c *crew) end(h *heap, before ...func(mp *gmp.M, gp *gmp.G)) {
	s, g := c.s, &c.s.GcController
	w := &turnwise{World: s.World, c: c}
	s.World = w
	ends := 0
	h.end = func(mp *gmp.M, gp *gmp.G) {
		if ends++; ends > 1 {
			c.m.Errorf("%s ends the collection, and another M has ended it already: when %s called GcMarkDone, BlackenEnabled was false", check.MName(mp), check.MName(mp))
		}
		if n := h.work.Load(); n > 0 {
			c.m.Errorf("%s ends the collection, and something is left to be marked", check.MName(mp))
		}
		w.StartTheWorldWithSema(mp, 1)
	}
	for id := range 2 {
		gp := c.g(gmp.Grunning, nil)
		mp := c.mstartOn(id, func(mp *gmp.M) {
			w.runs[id].Lock()
			before[id](mp, gp)
			w.runs[id].Unlock()
			w.runs[id].Lock()
			if h.work.Load() > 0 {
				g.Working.Add(1)
				h.take()
				if g.Working.Add(-1) == 0 && !s.GcMarkWorkAvailable() {
					s.GcMarkDone(mp, gp)
				}
			}
			w.runs[id].Unlock()
		})
		c.has(mp, gp)
	}
	c.m.Check(func() {
		if n := h.work.Load(); ends != 1 || n > 0 {
			c.m.Errorf("both workers have gone, and the collection was ended %d times; %d objects are left to mark, and MarkDoneSema is %v", ends, n, g.MarkDoneSema.Load())
		}
	})
}

// turnwise stops the world by waiting until the others are between two turns.
type turnwise struct {
	gmp.World
	c    *crew
	runs [2]machine.Mutex // held while M0, or M1, has its P
}

func (w *turnwise) StopTheWorldWithSema(mp *gmp.M, reason string) { w.runs[1-mp.ID].Lock() }

func (w *turnwise) StartTheWorldWithSema(mp *gmp.M, now int64) int64 {
	w.runs[1-mp.ID].Unlock()
	return now
}

func (w *turnwise) ForEachP(mp *gmp.M, reason gmp.WaitReason, fn func(pp *gmp.P)) {
	for _, pp := range w.c.s.Allp.Get() {
		fn(pp)
	}
}

// raceForced is a check: the monitor wakes the helper, which is about to wait, or runs. Another
// M may look at the helper meanwhile, with the lock.
func raceForced(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		c.S.NetPoller = brings{c.S.NetPoller, c}
		h := newHeap(c.S)
		h.due = true
		started := 0
		h.start = func(mp *gmp.M, gp *gmp.G, trigger gmp.GcTrigger, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
			started++
			then(c.S, mp, gp)
		}
		helper := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Forcegchelper(mp, gp) })
		c.S.Forcegc.G.Set(helper)
		c.MayWait(helper)
		calls, forcing := 0, false
		c.Thread("monitor", func() {
			for range 2 {
				before := c.S.Forcegc.Idle.Load()
				forcing = true
				c.S.ForceGC(gmp.NewM(-1), 1)
				forcing = false
				if before {
					calls++
				}
			}
		})
		if c.Choose(2) == 1 {
			mp := c.NewM()
			c.Thread(check.MName(mp), func() {
				f := &c.S.Forcegc
				f.Lock.Lock()
				idle, woken := f.Idle.Load(), forcing
				waits := helper.Atomicstatus.Load() == gmp.Gwaiting
				if f.Idle.Load() != idle {
					c.Errorf("%s holds Forcegc.Lock, and Idle, which was %v, is %v: want it to change only with that lock held", check.MName(mp), idle, !idle)
				}
				if idle != waits && !(waits && woken) {
					c.Errorf("%s holds Forcegc.Lock; Idle is %v, and the helper is %s: want Idle to be true when it waits and nobody wakes it, and only then", check.MName(mp), idle, check.State(helper))
				}
				f.Lock.Unlock()
			})
		}
		c.Check(func() {
			if started < min(calls, 1) {
				c.Errorf("the helper was idle, and a collection due; ForceGC was called, and the helper has started none")
			}
		})
	})
}

// brings makes the Gs ready that it is given.
type brings struct {
	gmp.NetPoller
	c *check.Crew
}

func (p brings) Injectglist(mp *gmp.M, list gmp.GList) {
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		p.c.S.Ready(mp, gp, false)
	}
}

// raceFing is a check: two Ms find that there is something for the G that calls finalizers, which is
// about to wait.
func raceFing(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		c.Queues() // so that each M has a P
		f := &c.S.Fing
		f.Status.Store(gmp.FingCreated | gmp.FingWake)
		gp := c.Go(func(mp *gmp.M, gp *gmp.G) {
			c.S.Gopark(mp, gp, func(*gmp.G, any) bool {
				f.Status.Or(gmp.FingWait)
				return true
			}, nil, gmp.WaitReasonFinalizerWait)
		})
		f.G.Set(gp)
		c.MayWait(gp)
		for range 2 {
			mp := c.NewM()
			c.Thread(check.MName(mp), func() {
				if gp := c.S.Wakefing(); gp != nil {
					c.S.Ready(mp, gp, false)
				}
			})
		}
		c.Check(func() {
			if st := f.Status.Load(); !c.Ended(gp) && st != gmp.FingCreated|gmp.FingWait|gmp.FingWake {
				c.Errorf("the G that calls finalizers waits, there is something for it, and nobody will see that: Fing.Status is %03b (wake, wait, created)", st)
			}
		})
	})
}
