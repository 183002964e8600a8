package ch11

import "gosched/chapters/gmp"

// lockedThreads keeps nothing of its own.
type lockedThreads struct {
	s *gmp.Sched
}

// NewLockedThreads makes the LockedThreads of s.
func NewLockedThreads(s *gmp.Sched) gmp.LockedThreads { return &lockedThreads{s: s} }

// LockOSThread locks gp and mp to each other, once more.
//
//course:exercise
func (p *lockedThreads) LockOSThread(mp *gmp.M, gp *gmp.G) {
	//course:step Count it, unless that would begin again at 0.
	if mp.LockedExt.Get()+1 == 0 {
		p.s.PanicPlain(mp, gp, "LockOSThread nesting overflow")
		return
	}
	mp.LockedExt.Set(mp.LockedExt.Get() + 1)
	mp.Lockedg.Set(gp)
	gp.Lockedm.Set(mp)
}

// UnlockOSThread undoes one LockOSThread.
//
//course:exercise
func (p *lockedThreads) UnlockOSThread(mp *gmp.M, gp *gmp.G) {
	//course:step Without a LockOSThread there is nothing to undo.
	if mp.LockedExt.Get() == 0 {
		return
	}
	mp.LockedExt.Set(mp.LockedExt.Get() - 1)
	//course:step The last one unlocks.
	if mp.LockedExt.Get() == 0 {
		mp.Lockedg.Set(nil)
		gp.Lockedm.Set(nil)
	}
}

// Stoplockedm lets mp sleep until its G can run.
//
//course:exercise
func (p *lockedThreads) Stoplockedm(mp *gmp.M) {
	//course:holds The M that finds mp's G wakes mp, whether mp sleeps already or not, and mp finds the P that it was given.
	//course:question mp's G may be runnable already when you are called, and the M that has found it may have signalled mp's note. Which of your steps may come after that?
	s := p.s
	gp := mp.Lockedg.Get()
	if gp == nil || gp.Lockedm.Get() != mp {
		s.Throw("stoplockedm: inconsistent locking")
	}
	//course:step mp has nothing to do for a P, but others may.
	if mp.P.Get() != nil {
		s.Handoffp(mp, s.Releasep(mp))
	}
	//course:step mp is on no list of idle Ms: only the M that finds its G wakes it. But it is not awake, either.
	s.Incidlelocked(1)
	s.MPark(mp)
	//course:step Whoever has woken it has found its G, and left a P.
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunnable {
		s.Throw("stoplockedm: not runnable")
	}
	pp := mp.Nextp.Get()
	mp.Nextp.Set(nil)
	s.Acquirep(mp, pp)
}

// Startlockedm gives mp's P to the M that gp is locked to.
//
//course:exercise
func (p *lockedThreads) Startlockedm(mp *gmp.M, gp *gmp.G) {
	//course:holds The other M runs gp, with the P that was mp's; and at every moment Checkdead counts one of the two as awake.
	//course:question As soon as you signal the note the other M runs gp. What must be true by then, and what of gp may you still touch?
	s := p.s
	locked := gp.Lockedm.Get()
	switch {
	case locked == mp:
		s.Throw("startlockedm: locked to me")
	case locked.Nextp.Get() != nil:
		s.Throw("startlockedm: m has p")
	}
	//course:step It will be awake, and counts from now on, since mp is about to sleep.
	s.Incidlelocked(-1)
	//course:step First the P, then the note.
	locked.Nextp.Set(s.Releasep(mp))
	locked.Park.Wakeup()
	//course:step mp has neither P nor G.
	s.Stopm(mp)
}

// Incidlelocked counts Ms that wait for their G.
//
//course:exercise
func (p *lockedThreads) Incidlelocked(v int32) {
	//course:holds If no M is left that could make a G ready, that is noticed, by whichever M went to sleep last.
	s := p.s
	s.Lock.Lock()
	s.Nmidlelocked.Set(s.Nmidlelocked.Get() + v)
	//course:step One M less is awake: it may have been the last.
	if v > 0 {
		s.Checkdead()
	}
	s.Lock.Unlock()
}

// Mexit ends mp.
//
//course:exercise
func (p *lockedThreads) Mexit(mp *gmp.M) {
	//course:holds The P that was mp's has an M, or is idle, before mp is gone; and if mp was the last M awake a deadlock is reported.
	//course:question Why must the P be handed off before mp is counted among those that are gone?
	s := p.s
	//course:step Somebody else may need the P. An M that is started for it counts from then on.
	s.Handoffp(mp, s.Releasep(mp))
	//course:step mp no longer counts.
	s.Lock.Lock()
	s.Nmfreed.Set(s.Nmfreed.Get() + 1)
	s.Checkdead()
	s.Lock.Unlock()
	//course:step The first thread of a process must not end.
	if mp.ID == 0 {
		s.MPark(mp)
		s.Throw("locked m0 woke up")
	}
	mp.Gone = true
}
