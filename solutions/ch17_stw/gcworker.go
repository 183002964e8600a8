package ch17

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// GcBgMarkWorker is one turn of a worker.
//
//course:exercise
func (p *gcWork) GcBgMarkWorker(mp *gmp.M, gp *gmp.G) {
	//course:holds Whatever is in a worker's hands, that worker is counted in Working; and the last one that stops counting itself looks whether that was all.
	//course:question Two workers stop at the same time, and nothing is left. Which of the two calls GcMarkDone?
	//course:lead A worker is a G like others, so its turn has three parts: it takes part, it marks until somebody else is more important, and it goes back to where it was found.
	s, c, pp := p.s, &p.s.GcController, mp.P.Get()
	if !c.BlackenEnabled.Load() {
		s.Throw("gcBgMarkWorker: blackening not enabled")
	}
	//course:step Be counted, before you have anything in your hands.
	start := s.Nanotime()
	pp.GcMarkWorkerStartTime.Set(start)
	c.Working.Add(1)
	//course:step Do not count as running: other workers may look at you. Then mark, until your mode says that it is enough.
	gp.Waitreason.Set(gmp.WaitReasonGCWorkerActive)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	switch pp.GcMarkWorkerMode.Get() {
	case gmp.GcMarkWorkerDedicatedMode:
		s.GcDrain(mp, gp.Preempt.Get)
		if gp.Preempt.Get() {
			//course:step A dedicated worker stays. So others must run the Gs of this P.
			q := s.Runqdrain(pp)
			s.Lock.Lock()
			s.Globrunqputbatch(q)
			s.Lock.Unlock()
			s.GcDrain(mp, func() bool {
				return gp.Preempt.Get() && (s.Gcwaiting.Load() || pp.RunSafePointFn.Load() != 0)
			})
		}
	case gmp.GcMarkWorkerFractionalMode:
		s.GcDrain(mp, func() bool { return gp.Preempt.Get() || p.tookShare(pp) })
	case gmp.GcMarkWorkerIdleMode:
		s.GcDrain(mp, func() bool { return gp.Preempt.Get() || !s.Runqempty(pp) || s.Runqsize.Load() > 0 })
	default:
		s.Throw("gcBgMarkWorker: unexpected gcMarkWorkerMode")
	}
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	//course:step Give your place back, or account for it.
	switch pp.GcMarkWorkerMode.Get() {
	case gmp.GcMarkWorkerDedicatedMode:
		c.DedicatedMarkWorkersNeeded.Add(1)
	case gmp.GcMarkWorkerFractionalMode:
		pp.GcFractionalMarkTime.Set(pp.GcFractionalMarkTime.Get() + s.Nanotime() - start)
	case gmp.GcMarkWorkerIdleMode:
		c.IdleMarkWorkers.Add(-1)
	}
	pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerNotWorker)
	//course:step No longer be counted. Whoever was the last one looks whether that was all.
	if c.Working.Add(-1) == 0 && !s.GcMarkWorkAvailable() {
		s.GcMarkDone(mp, gp)
	}
	//course:step Wait for the next turn. Others may find you in the pool only when you wait.
	gp.Cont.Set((*gmp.Sched).GcBgMarkWorker)
	s.Gopark(mp, gp, p.intoPool, nil, gmp.WaitReasonGCWorkerIdle)
}

// intoPool puts a worker that has parked into the pool.
//
//course:omit
func (p *gcWork) intoPool(gp *gmp.G, lock any) bool {
	p.s.GcController.Pool.Push(gp)
	return true
}

// tookShare reports whether fractional workers have had more of pp's time than they should.
//
//course:omit
func (p *gcWork) tookShare(pp *gmp.P) bool {
	s, c := p.s, &p.s.GcController
	now := s.Nanotime()
	took := pp.GcFractionalMarkTime.Get() + now - pp.GcMarkWorkerStartTime.Get()
	share := c.FractionalUtilizationGoal.Get() * float64(now-c.MarkStartTime.Get())
	return float64(took) > fractionalSlack*share
}

// GcMarkDone ends marking, if it is over.
//
//course:exercise
func (p *gcWork) GcMarkDone(mp *gmp.M, gp *gmp.G) {
	//course:holds Marking ends once, and only when nothing is left anywhere; and if nothing is left it ends.
	//course:question You have seen that something is left, and are about to go. Meanwhile another worker has marked it, has come here, and found you. Who ends the collection?
	//course:lead What is left may be in three places: where all see it, in the hands of a worker, and with a P. For each of these, what makes sure that you see it?
	//course:step Marking is over if this collection still marks, no worker works, and nothing is left.
	s, c := p.s, &p.s.GcController
	over := func() bool {
		return c.BlackenEnabled.Load() && c.Working.Load() == 0 && !s.GcMarkWorkAvailable()
	}
	//course:step One at a time. The others go away, so whoever was here looks once more after giving it back.
	for over() {
		if !c.MarkDoneSema.CompareAndSwap(false, true) {
			return
		}
		if p.allFlushed(mp) {
			//course:step Only a stopped world stays as it is. Check once more there, with what Ps have kept since.
			s.StopTheWorldWithSema(mp, "GC mark termination")
			flushAll(s)
			if over() {
				c.BlackenEnabled.Store(false)
				c.MarkDoneSema.Store(false)
				s.GcMarkTermination(mp, gp)
				return
			}
			s.StartTheWorldWithSema(mp, 0)
		}
		c.MarkDoneSema.Store(false)
	}
}

// flushAll lets each P of a stopped world give away what it has.
//
//course:omit
func flushAll(s *gmp.Sched) {
	for _, pp := range s.Allp.Get() {
		s.GcFlush(pp)
	}
}

// allFlushed lets each P give away what it has, and reports whether none had anything.
//
//course:omit
func (p *gcWork) allFlushed(mp *gmp.M) bool {
	var flushed machine.Bool
	p.s.ForEachP(mp, gmp.WaitReasonGCMarkTermination, func(pp *gmp.P) {
		if p.s.GcFlush(pp) {
			flushed.Store(true)
		}
	})
	return !flushed.Load()
}
