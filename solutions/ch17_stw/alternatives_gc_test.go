package ch17_test

import (
	"slices"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions/ch17_stw"
)

// gcAlternatives are other right solutions of the chapter's second half.
func gcAlternatives() map[string]gmp.Version {
	alternatives := map[string]gmp.Version{}
	for name, wrap := range map[string]func(p baseGC) gmp.GCWork{
		"whole-numbers": func(p baseGC) gmp.GCWork { return wholeNumbers{p} },
		"place-first":   func(p baseGC) gmp.GCWork { return placeFirst{p} },
		"turn-by-mode":  func(p baseGC) gmp.GCWork { return turnByMode{p, false} },
		"one-drain":     func(p baseGC) gmp.GCWork { return turnByMode{p, true} },
		"sema-first":    func(p baseGC) gmp.GCWork { return semaFirst{p} },
		"looks-locked":  func(p baseGC) gmp.GCWork { return looksLocked{p} },
		"keeps-sema":    func(p baseGC) gmp.GCWork { return keepsSema{p} },
		"idle-last":     func(p baseGC) gmp.GCWork { return idleLast{p} },
	} {
		alternatives[name] = gmp.Version{GCWork: func(s *gmp.Sched) gmp.GCWork { return wrap(baseGC{ch17.NewGCWork(s), s}) }}
	}
	return alternatives
}

// baseGC is what an alternative does not do otherwise.
type baseGC struct {
	gmp.GCWork
	s *gmp.Sched
}

// lower lowers n by one, unless that would make it negative, and reports whether it has.
func lower(n *machine.Int64) bool {
	for {
		v := n.Load()
		if v <= 0 {
			return false
		}
		if n.CompareAndSwap(v, v-1) {
			return true
		}
	}
}

// wholeNumbers computes how many workers there are without fractions. It looks at the helper before
// it looks whether a collection is due.
type wholeNumbers struct{ baseGC }

func (p wholeNumbers) GcControllerStartCycle(now int64, procs int32, trigger gmp.GcTrigger) {
	c := &p.s.GcController
	for _, pp := range p.s.Allp.Get() {
		pp.GcFractionalMarkTime.Set(0)
	}
	c.MarkStartTime.Set(now)
	dedicated := (procs + 2) / 4
	off := 4*dedicated - procs // in quarters of a P
	if 10*off > 3*procs {
		dedicated--
	}
	share := 0.0
	if 10*max(off, -off) > 3*procs {
		share = float64(procs-4*dedicated) / float64(4*procs)
	}
	c.FractionalUtilizationGoal.Set(share)
	switch {
	case trigger != gmp.GcTriggerTime:
		c.MaxIdleMarkWorkers.Set(procs - dedicated)
	case dedicated > 0:
		c.MaxIdleMarkWorkers.Set(0)
	default:
		c.MaxIdleMarkWorkers.Set(1)
	}
	c.DedicatedMarkWorkersNeeded.Store(int64(dedicated))
}

func (p wholeNumbers) ForceGC(mp *gmp.M, now int64) {
	s, f := p.s, &p.s.Forcegc
	if !f.Idle.Load() || !s.GcTest(gmp.GcTriggerTime, now) {
		return
	}
	var list gmp.GList
	f.Lock.Lock()
	list.Push(f.G.Get())
	f.Idle.Store(false)
	f.Lock.Unlock()
	s.Injectglist(mp, list)
}

func (p wholeNumbers) Wakefing() *gmp.G {
	f := &p.s.Fing
	const all = gmp.FingCreated | gmp.FingWait | gmp.FingWake
	if f.Status.Load() != all {
		return nil
	}
	gp := f.G.Get()
	if !f.Status.CompareAndSwap(all, gmp.FingCreated) {
		return nil
	}
	return gp
}

// placeFirst takes a place, and then a worker for it. Whoever finds the pool empty gives the
// place back, and nobody has missed anything: others would have found the pool empty, too.
type placeFirst struct{ baseGC }

func (p placeFirst) FindRunnableGCWorker(mp *gmp.M, pp *gmp.P, now int64) (*gmp.G, int64) {
	s, c := p.s, &p.s.GcController
	if !c.BlackenEnabled.Load() {
		s.Throw("gcControllerState.findRunnable: blackening not enabled")
	}
	if !s.GcMarkWorkAvailable() {
		return nil, now
	}
	mode := gmp.GcMarkWorkerDedicatedMode
	if !lower(&c.DedicatedMarkWorkersNeeded) {
		share := c.FractionalUtilizationGoal.Get()
		if share == 0 {
			return nil, now
		}
		if now == 0 {
			now = s.Nanotime()
		}
		if float64(pp.GcFractionalMarkTime.Get()) > share*float64(now-c.MarkStartTime.Get()) {
			return nil, now
		}
		mode = gmp.GcMarkWorkerFractionalMode
	}
	gp := c.Pool.Pop()
	if gp == nil {
		if mode == gmp.GcMarkWorkerDedicatedMode {
			c.DedicatedMarkWorkersNeeded.Add(1)
		}
		return nil, now
	}
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	pp.GcMarkWorkerMode.Set(mode)
	return gp, now
}

// turnByMode waits before it is counted, has one test of whether to stop for all modes, and has no
// mode any more before it gives its place back. If once is set, the test is also where a dedicated
// worker makes room.
type turnByMode struct {
	baseGC
	once bool
}

func (p turnByMode) GcBgMarkWorker(mp *gmp.M, gp *gmp.G) {
	s, c, pp := p.s, &p.s.GcController, mp.P.Get()
	if !c.BlackenEnabled.Load() {
		s.Throw("gcBgMarkWorker: blackening not enabled")
	}
	mode := pp.GcMarkWorkerMode.Get()
	if mode == gmp.GcMarkWorkerNotWorker {
		s.Throw("gcBgMarkWorker: unexpected gcMarkWorkerMode")
	}
	gp.Waitreason.Set(gmp.WaitReasonGCWorkerActive)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	c.Working.Add(1)
	start := s.Nanotime()
	pp.GcMarkWorkerStartTime.Set(start)
	alone := false // no G is left on the queue of this P
	makeRoom := func() {
		if !alone && mode == gmp.GcMarkWorkerDedicatedMode && gp.Preempt.Get() {
			s.Lock.Lock()
			s.Globrunqputbatch(s.Runqdrain(pp))
			s.Lock.Unlock()
			alone = true
		}
	}
	s.GcDrain(mp, func() bool {
		if p.once {
			makeRoom()
		}
		return p.stops(gp, pp, mode, alone)
	})
	if !p.once && mode == gmp.GcMarkWorkerDedicatedMode { // also if it was not asked
		makeRoom()
		s.GcDrain(mp, func() bool { return p.stops(gp, pp, mode, true) })
	}
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerNotWorker)
	switch mode {
	case gmp.GcMarkWorkerDedicatedMode:
		c.DedicatedMarkWorkersNeeded.Add(1)
	case gmp.GcMarkWorkerIdleMode:
		c.IdleMarkWorkers.Add(-1)
	default:
		pp.GcFractionalMarkTime.Set(pp.GcFractionalMarkTime.Get() + s.Nanotime() - start)
	}
	if last := c.Working.Add(-1) == 0; last && !s.GcMarkWorkAvailable() {
		s.GcMarkDone(mp, gp)
	}
	gp.Cont.Set((*gmp.Sched).GcBgMarkWorker)
	s.Gopark(mp, gp, func(gp *gmp.G, lock any) bool {
		c.Pool.Push(gp)
		return true
	}, nil, gmp.WaitReasonGCWorkerIdle)
}

// stops reports whether the worker gp on pp is to stop.
func (p turnByMode) stops(gp *gmp.G, pp *gmp.P, mode gmp.GcMarkWorkerMode, alone bool) bool {
	s, c := p.s, &p.s.GcController
	switch {
	case alone:
		return gp.Preempt.Get() && (s.Gcwaiting.Load() || pp.RunSafePointFn.Load() != 0)
	case gp.Preempt.Get():
		return true
	case mode == gmp.GcMarkWorkerIdleMode:
		return s.Runqsize.Load() > 0 || !s.Runqempty(pp)
	case mode == gmp.GcMarkWorkerFractionalMode:
		now := s.Nanotime()
		took := pp.GcFractionalMarkTime.Get() + now - pp.GcMarkWorkerStartTime.Get()
		return float64(took) > 1.2*c.FractionalUtilizationGoal.Get()*float64(now-c.MarkStartTime.Get())
	}
	return false
}

// semaFirst takes MarkDoneSema before it looks at all, and gives it back before it says that
// marking is over: in a stopped world it does not matter which is first.
type semaFirst struct{ baseGC }

func (p semaFirst) GcMarkDone(mp *gmp.M, gp *gmp.G) {
	s, c := p.s, &p.s.GcController
	over := func() bool {
		return c.BlackenEnabled.Load() && c.Working.Load() == 0 && !s.GcMarkWorkAvailable()
	}
	for again := true; again; again = over() {
		if !c.MarkDoneSema.CompareAndSwap(false, true) {
			return
		}
		if over() && p.nothingKept(mp) && over() {
			s.StopTheWorldWithSema(mp, "GC mark termination")
			for _, pp := range slices.Backward(s.Allp.Get()) {
				s.GcFlush(pp)
			}
			if over() {
				c.MarkDoneSema.Store(false)
				c.BlackenEnabled.Store(false)
				s.GcMarkTermination(mp, gp)
				return
			}
			s.StartTheWorldWithSema(mp, 0)
		}
		c.MarkDoneSema.Store(false)
	}
}

// keepsSema gives MarkDoneSema back only when it has ended marking, or found that it is not over.
type keepsSema struct{ baseGC }

func (p keepsSema) GcMarkDone(mp *gmp.M, gp *gmp.G) {
	s, c := p.s, &p.s.GcController
	over := func() bool {
		return c.BlackenEnabled.Load() && c.Working.Load() == 0 && !s.GcMarkWorkAvailable()
	}
	for over() && c.MarkDoneSema.CompareAndSwap(false, true) {
		for over() {
			if !(semaFirst{p.baseGC}).nothingKept(mp) {
				continue
			}
			s.StopTheWorldWithSema(mp, "GC mark termination")
			for _, pp := range s.Allp.Get() {
				s.GcFlush(pp)
			}
			if over() {
				c.MarkDoneSema.Store(false)
				c.BlackenEnabled.Store(false)
				s.GcMarkTermination(mp, gp)
				return
			}
			s.StartTheWorldWithSema(mp, 0)
		}
		c.MarkDoneSema.Store(false)
	}
}

// nothingKept lets each P give away what it has, and reports whether none had anything.
func (p semaFirst) nothingKept(mp *gmp.M) bool {
	var kept machine.Int32
	p.s.ForEachP(mp, gmp.WaitReasonGCMarkTermination, func(pp *gmp.P) {
		if p.s.GcFlush(pp) {
			kept.Add(1)
		}
	})
	return kept.Load() == 0
}

// idleLast says that the helper is idle when it has parked, with the lock held since before.
type idleLast struct{ baseGC }

func (p idleLast) Forcegchelper(mp *gmp.M, gp *gmp.G) {
	s, f := p.s, &p.s.Forcegc
	gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		s.GcStart(mp, gp, gmp.GcTriggerTime, (*gmp.Sched).Forcegchelper)
	})
	f.Lock.Lock()
	if f.Idle.Load() {
		s.Throw("forcegc: phase error")
	}
	s.Gopark(mp, gp, func(*gmp.G, any) bool {
		f.Idle.Store(true)
		f.Lock.Unlock()
		return true
	}, nil, gmp.WaitReasonForceGCIdle)
}

// looksLocked looks for marking under the lock alone. An idle worker leaves the pool before it is
// counted, and returns if there are too many.
type looksLocked struct{ baseGC }

func (p looksLocked) CheckIdleGCNoP(mp *gmp.M) (*gmp.P, *gmp.G) {
	pp, gp := p.both(mp)
	if gp != nil {
		p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerIdleMode)
	}
	return pp, gp
}

// both returns a P and a worker, or neither.
func (p looksLocked) both(mp *gmp.M) (*gmp.P, *gmp.G) {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if !p.marks() {
		return nil, nil
	}
	pp, now := s.PidlegetSpinning(mp, 0)
	if pp == nil {
		return nil, nil
	}
	gp := p.take()
	if gp == nil {
		s.Pidleput(pp, now)
		return nil, nil
	}
	return pp, gp
}

func (p looksLocked) IdleGCWorker(mp *gmp.M, pp *gmp.P) *gmp.G {
	gp := p.take()
	if gp != nil {
		p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerIdleMode)
	}
	return gp
}

// take takes a worker and a place, nil if one of the two is not to be had.
func (p looksLocked) take() *gmp.G {
	c := &p.s.GcController
	if !p.marks() || c.IdleMarkWorkers.Load() >= c.MaxIdleMarkWorkers.Get() {
		return nil
	}
	gp := c.Pool.Pop()
	if gp == nil {
		return nil
	}
	for n := c.IdleMarkWorkers.Load(); n < c.MaxIdleMarkWorkers.Get(); n = c.IdleMarkWorkers.Load() {
		if c.IdleMarkWorkers.CompareAndSwap(n, n+1) {
			return gp
		}
	}
	c.Pool.Push(gp)
	return nil
}

// marks reports whether there is something to mark.
func (p looksLocked) marks() bool {
	return p.s.GcController.BlackenEnabled.Load() && p.s.GcMarkWorkAvailable()
}
