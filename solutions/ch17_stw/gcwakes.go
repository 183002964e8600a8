package ch17

import "gosched/chapters/gmp"

// Wakefing returns the G that calls finalizers, if it is to be woken.
//
//course:exercise
func (p *gcWork) Wakefing() *gmp.G {
	//course:holds Of those who see that it waits, and that there is something for it, one wakes it.
	//course:step Three bits, and one step.
	f := &p.s.Fing
	if f.Status.CompareAndSwap(gmp.FingCreated|gmp.FingWait|gmp.FingWake, gmp.FingCreated) {
		return f.G.Get()
	}
	return nil
}

// Forcegchelper lets gp wait until a collection is due.
//
//course:exercise
func (p *gcWork) Forcegchelper(mp *gmp.M, gp *gmp.G) {
	//course:holds Whoever finds it idle, with the lock held, may make it ready: it waits.
	//course:step Say that you are idle, and what you do when you run again. Let others see it when you wait.
	f := &p.s.Forcegc
	f.Lock.Lock()
	if f.Idle.Load() {
		p.s.Throw("forcegc: phase error")
	}
	f.Idle.Store(true)
	gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		s.GcStart(mp, gp, gmp.GcTriggerTime, (*gmp.Sched).Forcegchelper)
	})
	p.s.Gopark(mp, gp, p.unlockForcegc, nil, gmp.WaitReasonForceGCIdle)
}

// unlockForcegc lets the monitor find the helper.
//
//course:omit
func (p *gcWork) unlockForcegc(gp *gmp.G, lock any) bool {
	p.s.Forcegc.Lock.Unlock()
	return true
}

// ForceGC wakes the helper, if a collection is due.
//
//course:exercise
func (p *gcWork) ForceGC(mp *gmp.M, now int64) {
	//course:holds The helper is made ready once each time that it waits.
	//course:step Is one due, and does the helper wait? If it is at work a collection begins anyway.
	s, f := p.s, &p.s.Forcegc
	if !s.GcTest(gmp.GcTriggerTime, now) || !f.Idle.Load() {
		return
	}
	//course:step With the lock it has parked for certain. The monitor has no P, and so no queue.
	f.Lock.Lock()
	f.Idle.Store(false)
	var list gmp.GList
	list.Push(f.G.Get())
	s.Injectglist(mp, list)
	f.Lock.Unlock()
}

// ScavengerWake does nothing: here no memory is given back.
func (p *gcWork) ScavengerWake(mp *gmp.M) {}
