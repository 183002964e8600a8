package gmp

// This file is how a Finder that knows nothing of mark workers comes to them: the parts that it
// asks for work ask for workers, too. The runtime has these looks in findRunnable and handoffp.
// As long as there was no collection nobody looks, so that runs without one take the time that
// they always took.

// withGCWorkers is v, with the looks that the FindRunnable of chapter 18 makes itself.
func withGCWorkers(v Version) Version {
	sources, stealing, wakeups := v.Sources, v.Stealing, v.Wakeups
	v.Sources = func(s *Sched) Sources { return gcSources{sources(s), s} }
	v.Stealing = func(s *Sched) Stealing { return gcStealing{stealing(s), s} }
	v.Wakeups = func(s *Sched) Wakeups { return gcWakeups{wakeups(s), s} }
	return v
}

// handsOffToMark is syscalls, with the look in Handoffp.
func handsOffToMark(syscalls func(s *Sched) Syscalls) func(s *Sched) Syscalls {
	return func(s *Sched) Syscalls { return gcSyscalls{syscalls(s), s} }
}

type gcSources struct {
	Sources
	s *Sched
}

// Nearby asks for a worker that comes before everything else, and for the G that calls
// finalizers, which is then nearby.
func (p gcSources) Nearby(mp *M) (gp *G, inheritTime bool) {
	s := p.s
	if !s.run.gc.used.Load() {
		return p.Sources.Nearby(mp)
	}
	if s.GcController.BlackenEnabled.Load() {
		if gp, _ := s.FindRunnableGCWorker(mp, mp.P.Get(), 0); gp != nil {
			if !mp.Spinning.Get() {
				s.Wakep(mp) // for the Gs that its P does not run meanwhile
			}
			return gp, false
		}
	}
	if gp := s.Wakefing(); gp != nil {
		s.Ready(mp, gp, true)
	}
	return p.Sources.Nearby(mp)
}

type gcStealing struct {
	Stealing
	s *Sched
}

// StealWork finds an idle worker if there is nothing to steal.
func (p gcStealing) StealWork(mp *M, now int64) (gp *G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	gp, inheritTime, rnow, pollUntil, newWork = p.Stealing.StealWork(mp, now)
	if gp == nil && !newWork && p.s.run.gc.used.Load() {
		gp = p.s.IdleGCWorker(mp, mp.P.Get())
	}
	return gp, inheritTime, rnow, pollUntil, newWork
}

type gcWakeups struct {
	Wakeups
	s *Sched
}

// CheckRunqsNoP lets mp come back if no queue has work, and something is to be marked: as an M that
// spins it will ask for an idle worker. The Finder of chapter 18 gets that worker here, by
// CheckIdleGCNoP.
func (p gcWakeups) CheckRunqsNoP(mp *M, allp []*P) *P {
	s, c := p.s, &p.s.GcController
	pp := p.Wakeups.CheckRunqsNoP(mp, allp)
	if pp == nil && s.run.gc.used.Load() && c.BlackenEnabled.Load() && s.GcMarkWorkAvailable() && c.IdleMarkWorkers.Load() < c.MaxIdleMarkWorkers.Get() {
		s.Lock.Lock()
		pp, _ = s.PidlegetSpinning(mp, 0)
		s.Lock.Unlock()
	}
	return pp
}

type gcSyscalls struct {
	Syscalls
	s *Sched
}

// Handoffp hands a P off also because there is something to mark: nobody else may come. The Handoffp of
// chapter 18 looks itself.
func (p gcSyscalls) Handoffp(mp *M, pp *P) {
	s := p.s
	if s.run.gc.used.Load() && s.GcController.BlackenEnabled.Load() && s.GcMarkWorkAvailable() {
		s.Startm(mp, pp, false, false)
		return
	}
	p.Syscalls.Handoffp(mp, pp)
}

type checkedGCWork struct {
	GCWork
	w *watcher
}

// ForceGC makes the helper ready without Ready. Only that makes Idle true, so there is one then.
func (c *checkedGCWork) ForceGC(mp *M, now int64) {
	if f := &c.w.s.Forcegc; f.Idle.Load() {
		c.w.seen(f.G.Peek(), nowhere)
	}
	c.GCWork.ForceGC(mp, now)
}
