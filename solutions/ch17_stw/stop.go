// Package ch17 is what stops the world: chapter 17, Go 1.2 to 1.26.
//
// Nobody can take a P from an M that runs. So the world is not stopped: it stops, each P by
// whoever owns it at that moment, and the one who wants it counts.
package ch17

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{World: NewWorld, GCWork: NewGCWork}

// again is after how many ns those are asked once more that have not stopped: a request may
// have come too early.
const again = 100_000

// world keeps nothing of its own: what is to stop, and has, stands in gmp.Sched.
type world struct {
	s *gmp.Sched
}

// NewWorld makes the World of s.
func NewWorld(s *gmp.Sched) gmp.World { return &world{s: s} }

// StopTheWorld stops the world for gp, or lets gp wait until it may.
//
//course:exercise
func (p *world) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	//course:holds Of all Gs that want to stop the world, one does; each of the others is on the queue, and will be handed the right to do so.
	//course:question gp is on the queue. From when on may another M make it ready, and where is mp by then?
	s := p.s
	stop := func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		s.StopTheWorldWithSema(mp, reason)
		then(s, mp, gp)
	}
	//course:step If nobody has Worldsema, take it.
	s.Worldlock.Lock()
	if !s.Worldsema.Load() {
		s.Worldsema.Store(true)
		s.Worldlock.Unlock()
		stop(s, mp, gp)
		return
	}
	//course:step Otherwise wait, behind those that were here before. When gp runs again it has Worldsema; say what it does then. Whoever starts the world finds gp only when the lock is free, and by then gp must have parked.
	gp.Cont.Set(stop)
	s.Worldqueue.PushBack(gp)
	s.Gopark(mp, gp, p.unlockWorld, nil, gmp.WaitReasonSemacquire)
}

// unlockWorld lets the one who has stopped the world see who waits.
//
//course:omit
func (p *world) unlockWorld(gp *gmp.G, lock any) bool {
	p.s.Worldlock.Unlock()
	return true
}

// StartTheWorld starts the world, and lets the next one stop it.
//
//course:exercise
func (p *world) StartTheWorld(mp *gmp.M) {
	//course:holds Worldsema is free only if nobody waits for it.
	//course:question A G stops the world, starts it, and stops it again, in a loop. When does another one that wants to have its turn?
	s := p.s
	//course:step The world first. Then give up Worldsema, or hand it over: as long as somebody waits it is not free for one moment.
	s.StartTheWorldWithSema(mp, 0)
	s.Worldlock.Lock()
	next := s.Worldqueue.Pop()
	if next == nil {
		s.Worldsema.Store(false)
	}
	s.Worldlock.Unlock()
	//course:step Wake the one who has it now.
	if next != nil {
		s.Goready(mp, next)
	}
}

// StopTheWorldWithSema stops all Ps but that of mp, which stays linked to mp.
//
//course:exercise
func (p *world) StopTheWorldWithSema(mp *gmp.M, reason string) {
	//course:holds When it returns no M but mp has a P, or can get one; each P was counted once; and the note is as clear as before.
	//course:question Between your look at a P and the sleep, that P changes hands, becomes idle, or its M enters a system call. Who counts it then?
	//course:lead Three kinds of Ps can be stopped at once, with the lock held. The others must do it themselves. What do you tell them, and what if they do not listen?
	s := p.s
	//course:step Whoever wants to suspend mp's G, and has a P, must not wait for it, since mp waits for that P.
	gp := mp.Curg.Get()
	if gp != nil {
		p.waits(gp, gmp.WaitReasonStoppingTheWorld)
	}
	//course:step Say how many are to be counted, and then that the world is to stop. Whoever sees that takes the lock before counting.
	s.Lock.Lock()
	s.Stopwait.Set(s.Gomaxprocs.Get())
	s.Gcwaiting.Store(true)
	//course:step Ask those that run.
	p.ask(mp)
	//course:step Stop those that need nobody: your own, those in system calls (if you win them), and the idle ones.
	p.stop(mp.P.Get())
	if s.Version().Syscalls != nil {
		for _, pp := range s.Allp.Get() {
			s.GcstopSyscall(pp)
		}
	}
	for {
		pp, _ := s.Pidleget(1) // the time does not matter
		if pp == nil {
			break
		}
		p.stop(pp)
	}
	wait := s.Stopwait.Get() > 0
	s.Lock.Unlock()
	//course:step Wait for the others. The request may have come too early for some: ask again. Then the note must be ready for the next stop.
	if wait {
		for !s.Stopnote.SleepTimeout(again) {
			p.ask(mp)
		}
		s.Stopnote.Clear()
	}
	//course:step Make sure.
	if s.Stopwait.Get() != 0 {
		s.Throw("stopTheWorld: not stopped (stopwait != 0)")
	}
	for _, pp := range s.Allp.Get() {
		if pp.Status.Load() != gmp.Pgcstop {
			s.Throw("stopTheWorld: not stopped (status != _Pgcstop)")
		}
	}
	//course:step mp's G runs, and is the only one.
	if gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
}

// ask asks all Ps that run to stop.
//
//course:omit
func (p *world) ask(mp *gmp.M) {
	if p.s.Version().Monitor != nil {
		p.s.Preemptall(mp)
	}
}

// stop stops pp, and counts it. s.Lock is held.
//
//course:omit
func (p *world) stop(pp *gmp.P) {
	pp.Status.Store(gmp.Pgcstop)
	p.s.Stopwait.Set(p.s.Stopwait.Get() - 1)
}

// waits makes gp, which runs, one that waits: so it can be suspended.
//
//course:omit
func (p *world) waits(gp *gmp.G, reason gmp.WaitReason) {
	gp.Waitreason.Set(reason)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
}

// Gcstopm stops mp's P, and lets mp sleep until it gets one again.
//
//course:exercise
func (p *world) Gcstopm(mp *gmp.M) {
	//course:holds mp's P is stopped, and counted, and mp is on the list of idle Ms or about to be; whoever counts the last P wakes the one who waits.
	//course:question As soon as you release s.Lock the world may have stopped, and have been started again. What of what you do after that needs the P?
	s := p.s
	if !s.Gcwaiting.Load() {
		s.Throw("gcstopm: not waiting for gc")
	}
	//course:step An M that sleeps does not look for work. Nobody need look in its stead: whoever starts the world wakes somebody.
	if mp.Spinning.Get() {
		mp.Spinning.Set(false)
		if s.Nmspinning.Add(-1) < 0 {
			s.Throw("gcstopm: negative nmspinning")
		}
	}
	//course:step Give up the P, and count it, in one step under the lock.
	pp := s.Releasep(mp)
	s.Lock.Lock()
	p.stop(pp)
	if s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
	s.Lock.Unlock()
	//course:step Sleep like any other M without a P.
	s.Stopm(mp)
}
