// Package ch17 holds what stops the world, chapter 17. Until that chapter is reached
// its given form serves, which is that of Go 1.1.
package ch17

import "gosched/chapters/gmp"

// Given is the form that asks, and waits.
var Given = gmp.Version{World: NewGiven}

// given stops the world as Go 1.1 does. It interrupts nobody: a P stops when its M
// comes to look for the next G. So a G that does nothing but compute keeps the world
// from stopping for as long as it likes, while all others wait for it. Since Go 1.2 it
// is asked to stop at its next call, and since 1.14 it is interrupted.
//
// The caller of StopTheWorldWithSema is the only one; see Sched.Worldsema. Every P is
// counted down in Stopwait exactly once: the caller's own; the idle ones, by the
// caller; those whose Ms are in system calls, by whoever wins them; and each other one
// by the M that has it, in Gcstopm. That M cannot be missed.
// It takes s.Lock for this after it has seen Gcwaiting; and a P that an M has taken off
// the list of idle ones shortly before is its own, wherever the two are on their way.
type given struct{ s *gmp.Sched }

// NewGiven makes the given World.
func NewGiven(s *gmp.Sched) gmp.World { return &given{s: s} }

// StopTheWorldWithSema stops all Ps but that of mp, which stays linked to mp.
func (p *given) StopTheWorldWithSema(mp *gmp.M, reason string) {
	s := p.s
	s.Lock.Lock()
	s.Stopwait.Set(s.Gomaxprocs.Get())
	s.Gcwaiting.Store(true)
	stop := func(pp *gmp.P) {
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
	}
	stop(mp.P.Get())
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
		stop(pp)
	}
	wait := s.Stopwait.Get() > 0
	s.Lock.Unlock()
	if wait {
		s.Stopnote.Sleep()
		s.Stopnote.Clear()
	}
	// Nobody else touches what belongs to Ps now.
	for _, pp := range s.Allp.Get() {
		if pp.Status.Load() != gmp.Pgcstop {
			s.Throwf("stopTheWorld: not stopped (P%d)", pp.ID)
		}
	}
}

// StartTheWorldWithSema makes s.Newprocs Ps of those there are, if it is set, and lets
// them run: those with work at once, on Ms that sleep or new ones, and one more to look
// for what else there is. mp goes on with a P, perhaps another one.
func (p *given) StartTheWorldWithSema(mp *gmp.M, now int64) int64 {
	s := p.s
	s.Lock.Lock()
	procs := s.Gomaxprocs.Get()
	if s.Newprocs.Get() != 0 {
		procs = s.Newprocs.Get()
		s.Newprocs.Set(0)
	}
	runnable := s.Procresize(mp, procs)
	s.Gcwaiting.Store(false)
	if s.Sysmonwait.Load() { // the monitor has slept with the world
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
	}
	s.Lock.Unlock()
	for runnable != nil {
		pp := runnable
		runnable = pp.Link.Get()
		pp.Link.Set(nil)
		s.Startm(mp, pp, false, false)
	}
	if now == 0 {
		now = s.Nanotime()
	}
	// There may be more in the queues than these, and timers: an M without a P that waited for
	// one has found none for itself when it came.
	s.Wakep(mp)
	return now
}

// Gcstopm stops mp's P, and lets mp sleep until it gets one again.
func (p *given) Gcstopm(mp *gmp.M) {
	s := p.s
	if !s.Gcwaiting.Load() {
		s.Throw("gcstopm: not waiting for gc")
	}
	if mp.Spinning.Get() {
		// Nobody need look for work in its stead: who starts the world wakes somebody.
		mp.Spinning.Set(false)
		if s.Nmspinning.Add(-1) < 0 {
			s.Throw("gcstopm: negative nmspinning")
		}
	}
	pp := s.Releasep(mp)
	s.Lock.Lock()
	pp.Status.Store(gmp.Pgcstop)
	s.Stopwait.Set(s.Stopwait.Get() - 1)
	if s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
	s.Lock.Unlock()
	s.Stopm(mp)
}

// ForEachP is there from chapter 17 on.
func (p *given) ForEachP(mp *gmp.M, reason string, fn func(pp *gmp.P)) {
	panic(gmp.Absent{Version: p.s.Version().Name, Method: "World.ForEachP"})
}
