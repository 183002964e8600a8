package ch17

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// gcWork is what the collector asks of the scheduler. It keeps nothing of its own.
type gcWork struct {
	s *gmp.Sched
}

// NewGCWork makes the GCWork of s.
func NewGCWork(s *gmp.Sched) gmp.GCWork { return &gcWork{s: s} }

// Which share of the Ps' time the workers are to have; how far from it dedicated workers alone
// may be; and by how much the turns of a fractional worker may exceed its share.
const (
	backgroundUtilization = 0.25
	maxUtilError          = 0.3
	fractionalSlack       = 1.2
)

// GcControllerStartCycle says how many workers a collection has.
//
//course:exercise
func (p *gcWork) GcControllerStartCycle(now int64, procs int32, trigger gmp.GcTrigger) {
	//course:holds All workers together have about a quarter of the Ps' time; and at least one of them can always go on to the end.
	//course:question A quarter of 6 Ps is 1.5. How much of the time would 1 dedicated worker take, and how much would 2?
	s, c := p.s, &p.s.GcController
	//course:step Whole Ps first, rounded.
	goal := float64(procs) * backgroundUtilization
	dedicated := int64(goal + 0.5)
	//course:step If that is too far off, no P too many, and all Ps give a share of their time for the rest.
	fractional := 0.0
	if off := float64(dedicated)/goal - 1; off < -maxUtilError || off > maxUtilError {
		if float64(dedicated) > goal {
			dedicated--
		}
		fractional = (goal - float64(dedicated)) / float64(procs)
	}
	//course:step All other Ps may mark when they have nothing else to do. If nothing is urgent they need not; but one worker must be able to go on.
	idle := procs - int32(dedicated)
	if trigger == gmp.GcTriggerTime {
		idle = 0
		if dedicated == 0 {
			idle = 1
		}
	}
	c.DedicatedMarkWorkersNeeded.Store(dedicated)
	c.FractionalUtilizationGoal.Set(fractional)
	c.MaxIdleMarkWorkers.Set(idle)
	c.MarkStartTime.Set(now)
	for _, pp := range s.Allp.Get() {
		pp.GcFractionalMarkTime.Set(0)
	}
}

// FindRunnableGCWorker returns a worker that is more than a guest.
//
//course:exercise
func (p *gcWork) FindRunnableGCWorker(mp *gmp.M, pp *gmp.P, now int64) (*gmp.G, int64) {
	//course:holds A worker that it returns is in nobody else's hands, and has one place; a place without a worker is given back, and so is a worker without a place.
	//course:question Two Ms are here at the same time, and one dedicated worker is missing. At which step is it decided which of the two gets it?
	s, c := p.s, &p.s.GcController
	if !c.BlackenEnabled.Load() {
		s.Throw("gcControllerState.findRunnable: blackening not enabled")
	}
	//course:step Nothing to mark, or no place: the pool is left alone.
	fractional := c.FractionalUtilizationGoal.Get()
	if !s.GcMarkWorkAvailable() || c.DedicatedMarkWorkersNeeded.Load() <= 0 && fractional == 0 {
		return nil, now
	}
	//course:step A worker first. Whoever has none needs no place.
	gp := c.Pool.Pop()
	if gp == nil {
		return nil, now
	}
	//course:step Then a place: a dedicated one, if you get it; or pp's own share, if it is not used up.
	mode := gmp.GcMarkWorkerDedicatedMode
	if !decIfPositive(&c.DedicatedMarkWorkersNeeded) {
		mode = gmp.GcMarkWorkerFractionalMode
		if now == 0 {
			now = s.Nanotime()
		}
		share := fractional * float64(now-c.MarkStartTime.Get())
		if fractional == 0 || float64(pp.GcFractionalMarkTime.Get()) > share {
			c.Pool.Push(gp)
			return nil, now
		}
	}
	p.willRun(gp, pp, mode)
	return gp, now
}

// willRun lets gp, which has left the pool, work on pp. Nobody else has the two, so neither is
// in a hurry.
//
//course:omit
func (p *gcWork) willRun(gp *gmp.G, pp *gmp.P, mode gmp.GcMarkWorkerMode) {
	pp.GcMarkWorkerMode.Set(mode)
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
}

// decIfPositive lowers n by one, unless that would make it negative, and reports whether it has.
//
//course:omit
func decIfPositive(n *machine.Int64) bool {
	for v := n.Load(); v > 0; v = n.Load() {
		if n.CompareAndSwap(v, v-1) {
			return true
		}
	}
	return false
}

// IdleGCWorker returns a worker for a P that has nothing else to do.
//
//course:exercise
func (p *gcWork) IdleGCWorker(mp *gmp.M, pp *gmp.P) *gmp.G {
	//course:holds There are never more idle workers than may be.
	//course:step A place first, since they are few; give it back if the pool is empty. Then the worker may run.
	gp := p.takeIdle()
	if gp != nil {
		p.willRun(gp, pp, gmp.GcMarkWorkerIdleMode)
	}
	return gp
}

// takeIdle takes a place for an idle worker, and a worker from the pool, nil if one of the two is not
// to be had. The caller has a P.
//
//course:omit
func (p *gcWork) takeIdle() *gmp.G {
	c := &p.s.GcController
	if !c.BlackenEnabled.Load() || !p.s.GcMarkWorkAvailable() || !p.addIdle() {
		return nil
	}
	gp := c.Pool.Pop()
	if gp == nil {
		c.IdleMarkWorkers.Add(-1)
	}
	return gp
}

// addIdle counts an idle worker, unless there are as many as may be, and reports whether it has.
//
//course:omit
func (p *gcWork) addIdle() bool {
	c := &p.s.GcController
	for n := c.IdleMarkWorkers.Load(); n < c.MaxIdleMarkWorkers.Get(); n = c.IdleMarkWorkers.Load() {
		if c.IdleMarkWorkers.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// CheckIdleGCNoP returns a P that could mark, and a worker for it.
//
//course:exercise
func (p *gcWork) CheckIdleGCNoP(mp *gmp.M) (*gmp.P, *gmp.G) {
	//course:holds The P that it takes comes with a worker, or is back on the list. And marking is still under way.
	//course:question Without a P the world may stop at any moment, and the collection end. From which step on can it not?
	//course:step Without the lock, which others need more often: is there anything at all?
	s := p.s
	if !s.GcController.BlackenEnabled.Load() || !s.GcMarkWorkAvailable() {
		return nil, nil
	}
	//course:step A P, under the lock. From now on the world does not stop without you; so look once more, and only then take a worker.
	s.Lock.Lock()
	pp, now := s.PidlegetSpinning(mp, 0)
	if pp == nil {
		s.Lock.Unlock()
		return nil, nil
	}
	gp := p.takeIdle()
	if gp == nil {
		s.Pidleput(pp, now)
		s.Lock.Unlock()
		return nil, nil
	}
	s.Lock.Unlock()
	//course:step Nobody else has the two. So there is no hurry with the rest, for which the lock is not needed.
	p.willRun(gp, pp, gmp.GcMarkWorkerIdleMode)
	return pp, gp
}
