// Package ch11 is system calls and locked threads: chapter 11, Go 1.1 to 1.26.
//
// A call may last a nanosecond or a day, and which it will be is not known in advance. So an M
// that enters one neither keeps its P nor gives it away: it leaves it where others may take it,
// and looks when it is back whether they have. Both ways are one atomic operation as long as
// they have not.
package ch11

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Loop:          NewLoop,
	Syscalls:      NewSyscalls,
	LockedThreads: NewLockedThreads,
}

// syscalls keeps nothing of its own: whose a P is stands in its Status.
type syscalls struct {
	s *gmp.Sched
}

// NewSyscalls makes the Syscalls of s, in the form of Go 1.1 to 1.25.
func NewSyscalls(s *gmp.Sched) gmp.Syscalls { return &syscalls{s: s} }

// Entersyscall leaves mp's P where others may take it.
//
//course:exercise
func (p *syscalls) Entersyscall(mp *gmp.M, gp *gmp.G) {
	//course:holds From the moment when the P is Psyscall another M may have it, give it to others, and run Gs with it; and a world that is to stop waits for this P no longer than until Entersyscall returns.
	//course:question As soon as the P is Psyscall another M has taken it, and run a hundred Gs on it. Which of your lines after that still looks at it, and what may it find?
	//course:lead What do you need to know of the P after the call? Note it while the P is still yours. And which two Ms may both think that it is for them to stop this P?
	s := p.s
	//course:step Note where gp stands: whoever looks at its stack meanwhile needs it. Then it is Gsyscall.
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	//course:step The monitor is to look after this call. If it sleeps, wake it: s.Lock makes sure that one M does so.
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		wakeSysmon(s)
		s.Lock.Unlock()
	}
	//course:step Remember the P, and which call this is. Then the two let go of each other; and only when all of this is written does the P become Psyscall.
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	mp.Oldp.Set(pp)
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Psyscall)
	//course:step Whoever stops the world sets Gcwaiting and then looks for Ps that are Psyscall. If it looked before, it waits for this P; so look at Gcwaiting afterwards. It may be that both see each other: then one wins the P, and counts it.
	if s.Gcwaiting.Load() {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 && s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

// wakeSysmon wakes the monitor if it sleeps. s.Lock is held.
//
//course:omit
func wakeSysmon(s *gmp.Sched) {
	if s.Sysmonwait.Load() {
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
	}
}

// Entersyscallblock gives mp's P away.
//
//course:exercise
func (p *syscalls) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	//course:holds When it returns mp has no P and remembers none, and the P has an M, or is idle.
	s := p.s
	//course:step As in Entersyscall: where gp stands, and that it is in a call.
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	//course:step The P is still mp's: count the call now.
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	//course:step Let another M have the P at once.
	s.Handoffp(mp, s.Releasep(mp))
}

// Exitsyscall brings gp back.
//
//course:exercise
func (p *syscalls) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	//course:holds gp runs on mp, with a P; or it is where another M with a P finds it.
	//course:question What may you still touch of gp when ExitsyscallNoP has returned?
	s := p.s
	oldp := mp.Oldp.Get()
	mp.Oldp.Set(nil)
	//course:step If there is no P for mp, gp waits for one, and mp without it.
	if !s.ExitsyscallFast(mp, oldp) {
		s.ExitsyscallNoP(mp, gp)
		return
	}
	//course:step The P is mp's now, and this call is over.
	pp := mp.P.Get()
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
	gp.SyscallSP.Set(0)
	//course:step If gp was asked to stop while it was away, let it find that.
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
}

// ExitsyscallFast tries the old P, then an idle one.
//
//course:exercise
func (p *syscalls) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	//course:holds mp has a P that no other M has, or none.
	//course:question Two Ms may try to take this P at the same time, and the monitor as well. Which single operation decides?
	s := p.s
	//course:step In most cases no M has taken it. Whoever wins it owns it, and it is on no list.
	if oldp != nil && oldp.Status.Load() == gmp.Psyscall && oldp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle) {
		s.Wirep(mp, oldp)
		return true
	}
	//course:step Otherwise an idle one. The lock is worth taking only if there seems to be one.
	return s.Npidle.Load() > 0 && s.ExitsyscallPidle(mp)
}

// ExitsyscallPidle takes an idle P.
//
//course:exercise
func (p *syscalls) ExitsyscallPidle(mp *gmp.M) bool {
	//course:holds If a P was idle, mp has it, and the monitor is awake.
	s := p.s
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	//course:step The monitor sleeps only while all Ps are idle. This one no longer is.
	if pp != nil {
		wakeSysmon(s)
	}
	s.Lock.Unlock()
	if pp == nil {
		return false
	}
	s.Acquirep(mp, pp)
	return true
}

// ExitsyscallNoP lets gp wait for a P.
//
//course:exercise
func (p *syscalls) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	//course:holds gp runs on mp, or it is on the global queue, and then no P was idle; whatever mp does next, it does not touch a G that another M may have.
	//course:question s.Lock is free, and gp on the queue: another M runs it, and it calls UnlockOSThread. What did you have to know before?
	//course:lead When it is queued, gp belongs to the M that takes it. Where may gp be asked for the last time whether it is locked to mp?
	s := p.s
	//course:step gp can run, and mp no longer has it.
	gp.SyscallSP.Set(0)
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunnable)
	s.Dropg(mp)
	//course:step A P may have become idle since. If there is none, gp goes on the queue under the same lock: so an M that gives up its P comes before that, and mp has found the P, or after it, and finds gp.
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	var locked bool
	if pp == nil {
		//course:step Ask whether gp is locked to mp before the lock is free.
		locked = gp.Lockedm.Get() != nil
		s.Globrunqput(gp)
	} else {
		wakeSysmon(s)
	}
	s.Lock.Unlock()
	//course:step With a P, gp goes on here. Without, mp sleeps: until gp comes back to it, if the two are locked, else until there is something to do.
	switch {
	case pp != nil:
		s.Acquirep(mp, pp)
		s.Execute(mp, gp, false)
	case locked:
		s.Stoplockedm(mp)
		s.Execute(mp, gp, false)
	default:
		s.Stopm(mp)
		s.Schedule(mp)
	}
}
