//course:omit
package ch17

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// gcMutants are mistakes that one makes in the second half of this chapter.
var gcMutants = []check.Mutant{
	{
		Name: "cycle-rounds-down", Check: "cycle", Hidden: true,
		What:  "a quarter of the Ps is rounded down, and nothing makes up for it: 7 Ps have one worker",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return cycle{p, "down"} }),
	},
	{
		Name: "cycle-no-progress", Check: "cycle", Hidden: true,
		What:  "a collection that is not urgent has no idle workers, even where no worker is dedicated",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return cycle{p, "stuck"} }),
	},
	{
		Name: "worker-two-dedicated", Check: "race-pool", Hidden: true,
		What:  "FindRunnableGCWorker looks whether a dedicated worker is missing, and lowers the count afterwards",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return find{p, "steps"} }),
	},
	{
		Name: "worker-for-a-moment", Check: "race-pool", Hidden: true,
		What:  "FindRunnableGCWorker takes a worker, and looks for a place afterwards, also if there can be none: an idle P does not find the worker meanwhile",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return find{p, "moment"} }),
	},
	{
		Name: "worker-place-lost", Check: "dedicated", Hidden: true,
		What:  "FindRunnableGCWorker takes the place of a dedicated worker, and finds the pool empty",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return find{p, "place"} }),
	},
	{
		Name: "worker-lost", Check: "fractional", Hidden: true,
		What:  "a worker for which there is no time is not given back",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return find{p, "worker"} }),
	},
	{
		Name: "idle-counts-late", Check: "race-idle-worker", Hidden: true,
		What:  "IdleGCWorker counts itself, and takes that back if there are too many",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return idleCountsLate{p} }),
	},
	{
		Name: "idle-gives-up", Check: "race-idle-worker", Hidden: true,
		What:  "IdleGCWorker tries once to count itself: another M that has changed the count at that moment keeps it from marking",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return idleGivesUp{p} }),
	},
	{
		Name: "nop-lets-go", Check: "race-last-look", Hidden: true,
		What:  "CheckIdleGCNoP has a P, gives the lock back while it looks for a worker, and puts the P on the list: the world was to stop meanwhile, and waits for that P",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return noP{p, "lets go"} }),
	},
	{
		Name: "nop-old-news", Check: "race-last-look", Hidden: true,
		What:  "CheckIdleGCNoP looks whether a collection is under way before it has a P, and not again",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return noP{p, "old"} }),
	},
	{
		Name: "nop-keeps-p", Check: "idle", Hidden: true,
		What:  "CheckIdleGCNoP has a P and finds no worker, and does not put the P back",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return noP{p, "keeps"} }),
	},
	{
		Name: "turn-in-pool-early", Check: "turn", Hidden: true,
		What:  "a worker is in the pool before it waits",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return turn{p, "early"} }),
	},
	{
		Name: "turn-keeps-gs", Check: "turn", Hidden: true,
		What:  "a dedicated worker that is asked to stop goes on, and leaves the Gs of its P where they are",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return turn{p, "keeps"} }),
	},
	{
		Name: "turn-runs", Check: "turn", Hidden: true,
		What:  "a worker counts as running while it marks: two that want to look at each other wait for ever",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return turn{p, "runs"} }),
	},
	{
		Name: "turn-two-steps", Check: "race-turn", Hidden: true,
		What:  "a worker that stops lowers Working in two steps: another one counts itself in between, and from then on the count is wrong and the collection never ends",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return turn{p, "steps"} }),
	},
	{
		Name: "done-looks-once", Check: "race-mark-done", Hidden: true,
		What:  "GcMarkDone does not look again after it has given MarkDoneSema back: whoever came meanwhile has gone",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return done{p, "once"} }),
	},
	{
		Name: "done-trusts", Check: "race-found-late", Hidden: true,
		What:  "GcMarkDone stops the world, and does not look again",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return done{p, "trusts"} }),
	},
	{
		Name: "done-no-flush", Check: "mark-done", Hidden: true,
		What:  "GcMarkDone does not ask the Ps for what they have kept",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return done{p, "keeps"} }),
	},
	{
		Name: "done-trusts-ps", Check: "mark-done", Hidden: true,
		What:  "GcMarkDone does not ask the Ps again once the world has stopped: one has found something since, and kept it",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return done{p, "trusts Ps"} }),
	},
	{
		Name: "forced-unlocks-early", Check: "race-forced", Hidden: true,
		What:  "Forcegchelper releases the lock before it waits: it is made ready while it runs",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return forcedEarly{p} }),
	},
	{
		Name: "forced-idle-early", Check: "race-forced", Hidden: true,
		What:  "ForceGC says that the helper is not idle, and takes the lock afterwards",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return forcedIdleEarly{p} }),
	},
	{
		Name: "fing-two-steps", Check: "race-fing", Hidden: true,
		What:  "Wakefing looks at the three bits, and clears two of them afterwards",
		Parts: gcMutant(func(p rightGC) gmp.GCWork { return fingTwoSteps{p} }),
	},
}

// rightGC is the part that a mutant breaks.
type rightGC struct {
	gmp.GCWork
	s *gmp.Sched
}

func gcMutant(wrap func(p rightGC) gmp.GCWork) gmp.Version {
	return gmp.Version{GCWork: func(s *gmp.Sched) gmp.GCWork { return wrap(rightGC{NewGCWork(s), s}) }}
}

type cycle struct {
	rightGC
	flaw string
}

func (p cycle) GcControllerStartCycle(now int64, procs int32, trigger gmp.GcTrigger) {
	p.GCWork.GcControllerStartCycle(now, procs, trigger)
	c := &p.s.GcController
	switch {
	case p.flaw == "down" && procs >= 4:
		c.DedicatedMarkWorkersNeeded.Store(int64(procs / 4))
		c.FractionalUtilizationGoal.Set(0)
	case p.flaw == "stuck" && trigger == gmp.GcTriggerTime:
		c.MaxIdleMarkWorkers.Set(0)
	}
}

type find struct {
	rightGC
	flaw string
}

func (p find) FindRunnableGCWorker(mp *gmp.M, pp *gmp.P, now int64) (*gmp.G, int64) {
	s, c := p.s, &p.s.GcController
	if !c.BlackenEnabled.Load() {
		s.Throw("gcControllerState.findRunnable: blackening not enabled")
	}
	if !s.GcMarkWorkAvailable() {
		return nil, now
	}
	mode := gmp.GcMarkWorkerNotWorker
	if p.flaw == "steps" {
		if c.DedicatedMarkWorkersNeeded.Load() > 0 {
			c.DedicatedMarkWorkersNeeded.Add(-1)
			mode = gmp.GcMarkWorkerDedicatedMode
		}
	} else if decIfPositive(&c.DedicatedMarkWorkersNeeded) {
		mode = gmp.GcMarkWorkerDedicatedMode
	}
	gp := c.Pool.Pop()
	if gp == nil {
		if p.flaw != "place" && mode != gmp.GcMarkWorkerNotWorker {
			c.DedicatedMarkWorkersNeeded.Add(1)
		}
		return nil, now
	}
	if mode == gmp.GcMarkWorkerNotWorker {
		if now == 0 {
			now = s.Nanotime()
		}
		goal, since := c.FractionalUtilizationGoal.Get(), now-c.MarkStartTime.Get()
		if goal == 0 || since > 0 && float64(pp.GcFractionalMarkTime.Get())/float64(since) > goal {
			if p.flaw != "worker" || goal == 0 {
				c.Pool.Push(gp)
			}
			return nil, now
		}
		mode = gmp.GcMarkWorkerFractionalMode
	}
	pp.GcMarkWorkerMode.Set(mode)
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	return gp, now
}

type idleCountsLate struct{ rightGC }

func (p idleCountsLate) IdleGCWorker(mp *gmp.M, pp *gmp.P) *gmp.G {
	c := &p.s.GcController
	if !c.BlackenEnabled.Load() || !p.s.GcMarkWorkAvailable() {
		return nil
	}
	if c.IdleMarkWorkers.Add(1) > c.MaxIdleMarkWorkers.Get() {
		c.IdleMarkWorkers.Add(-1)
		return nil
	}
	gp := c.Pool.Pop()
	if gp == nil {
		c.IdleMarkWorkers.Add(-1)
		return nil
	}
	pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerIdleMode)
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	return gp
}

type idleGivesUp struct{ rightGC }

func (p idleGivesUp) IdleGCWorker(mp *gmp.M, pp *gmp.P) *gmp.G {
	c := &p.s.GcController
	n := c.IdleMarkWorkers.Load()
	if !c.BlackenEnabled.Load() || !p.s.GcMarkWorkAvailable() || n >= c.MaxIdleMarkWorkers.Get() || !c.IdleMarkWorkers.CompareAndSwap(n, n+1) {
		return nil
	}
	gp := c.Pool.Pop()
	if gp == nil {
		c.IdleMarkWorkers.Add(-1)
		return nil
	}
	pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerIdleMode)
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	return gp
}

type noP struct {
	rightGC
	flaw string
}

func (p noP) CheckIdleGCNoP(mp *gmp.M) (*gmp.P, *gmp.G) {
	s, c := p.s, &p.s.GcController
	if !c.BlackenEnabled.Load() || !s.GcMarkWorkAvailable() {
		return nil, nil
	}
	s.Lock.Lock()
	pp, now := s.PidlegetSpinning(mp, 0)
	s.Lock.Unlock()
	if pp == nil {
		return nil, nil
	}
	if p.flaw != "old" {
		gp := s.IdleGCWorker(mp, pp)
		if gp != nil {
			return pp, gp
		}
		if p.flaw == "lets go" {
			s.Lock.Lock()
			s.Pidleput(pp, now)
			s.Lock.Unlock()
		}
		return nil, nil
	}
	var gp *gmp.G
	if c.IdleMarkWorkers.Load() < c.MaxIdleMarkWorkers.Get() {
		gp = c.Pool.Pop()
	}
	if gp == nil {
		s.Lock.Lock()
		s.Pidleput(pp, now)
		s.Lock.Unlock()
		return nil, nil
	}
	c.IdleMarkWorkers.Add(1)
	pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerIdleMode)
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	return pp, gp
}

type turn struct {
	rightGC
	flaw string
}

func (p turn) GcBgMarkWorker(mp *gmp.M, gp *gmp.G) {
	s, c, pp := p.s, &p.s.GcController, mp.P.Get()
	mode := pp.GcMarkWorkerMode.Get()
	if mode == gmp.GcMarkWorkerNotWorker || !c.BlackenEnabled.Load() || mode != gmp.GcMarkWorkerDedicatedMode && p.flaw == "keeps" {
		p.GCWork.GcBgMarkWorker(mp, gp)
		return
	}
	if p.flaw == "early" {
		c.Pool.Push(gp)
	}
	start := s.Nanotime()
	pp.GcMarkWorkerStartTime.Set(start)
	c.Working.Add(1)
	if p.flaw != "runs" {
		gp.Waitreason.Set(gmp.WaitReasonGCWorkerActive)
		s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	}
	s.GcDrain(mp, func() bool { return gp.Preempt.Get() })
	if gp.Preempt.Get() && mode == gmp.GcMarkWorkerDedicatedMode {
		s.GcDrain(mp, func() bool { return s.Gcwaiting.Load() || pp.RunSafePointFn.Load() != 0 })
	}
	if p.flaw != "runs" {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
	switch mode {
	case gmp.GcMarkWorkerDedicatedMode:
		c.DedicatedMarkWorkersNeeded.Add(1)
	case gmp.GcMarkWorkerFractionalMode:
		pp.GcFractionalMarkTime.Set(pp.GcFractionalMarkTime.Get() + s.Nanotime() - start)
	case gmp.GcMarkWorkerIdleMode:
		c.IdleMarkWorkers.Add(-1)
	}
	pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerNotWorker)
	left := int32(0)
	if p.flaw == "steps" {
		left = c.Working.Load() - 1
		c.Working.Store(left)
	} else {
		left = c.Working.Add(-1)
	}
	if left == 0 && !s.GcMarkWorkAvailable() {
		s.GcMarkDone(mp, gp)
	}
	gp.Cont.Set((*gmp.Sched).GcBgMarkWorker)
	s.Gopark(mp, gp, func(gp *gmp.G, lock any) bool {
		if p.flaw != "early" {
			c.Pool.Push(gp)
		}
		return true
	}, nil, gmp.WaitReasonGCWorkerIdle)
}

type done struct {
	rightGC
	flaw string
}

func (p done) GcMarkDone(mp *gmp.M, gp *gmp.G) {
	s, c := p.s, &p.s.GcController
	for c.BlackenEnabled.Load() && c.Working.Load() == 0 && !s.GcMarkWorkAvailable() {
		if !c.MarkDoneSema.CompareAndSwap(false, true) {
			return
		}
		if p.flaw == "keeps" || (&gcWork{s}).allFlushed(mp) {
			s.StopTheWorldWithSema(mp, "GC mark termination")
			if p.flaw != "trusts Ps" {
				flushAll(s)
			}
			if p.flaw == "trusts" || c.Working.Load() == 0 && !s.GcMarkWorkAvailable() {
				c.BlackenEnabled.Store(false)
				c.MarkDoneSema.Store(false)
				s.GcMarkTermination(mp, gp)
				return
			}
			s.StartTheWorldWithSema(mp, 0)
		}
		c.MarkDoneSema.Store(false)
		if p.flaw == "once" {
			return
		}
	}
}

type forcedEarly struct{ rightGC }

func (p forcedEarly) Forcegchelper(mp *gmp.M, gp *gmp.G) {
	f := &p.s.Forcegc
	f.Lock.Lock()
	if f.Idle.Load() {
		p.s.Throw("forcegc: phase error")
	}
	gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		s.GcStart(mp, gp, gmp.GcTriggerTime, (*gmp.Sched).Forcegchelper)
	})
	f.Idle.Store(true)
	f.Lock.Unlock()
	p.s.Gopark(mp, gp, nil, nil, gmp.WaitReasonForceGCIdle)
}

type forcedIdleEarly struct{ rightGC }

func (p forcedIdleEarly) ForceGC(mp *gmp.M, now int64) {
	s, f := p.s, &p.s.Forcegc
	if !s.GcTest(gmp.GcTriggerTime, now) || !f.Idle.Swap(false) {
		return
	}
	f.Lock.Lock()
	var list gmp.GList
	list.Push(f.G.Get())
	s.Injectglist(mp, list)
	f.Lock.Unlock()
}

type fingTwoSteps struct{ rightGC }

func (p fingTwoSteps) Wakefing() *gmp.G {
	f := &p.s.Fing
	if f.Status.Load() != gmp.FingCreated|gmp.FingWait|gmp.FingWake {
		return nil
	}
	f.Status.Store(gmp.FingCreated)
	return f.G.Get()
}
