package ch11_test

import (
	"math"
	"testing"

	suite "gosched/chapters/ch11_syscall"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch11 "gosched/solutions/ch11_syscall"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	all := otherOrder.With(oneLock).With(otherLocks).With(recursive)
	suite.Suite.TestAlternatives(t, solutions.Base("ch11"), map[string]gmp.Version{
		"other-order": otherOrder, "one-lock": oneLock, "counts-itself": countsItself, "other-locks": otherLocks,
		"recursive": recursive, "asks-twice": asksTwice, "wakes-more": wakesMore, "all-otherwise": all,
	})
}

// otherOrder does in another order what may be, looks without a lock only where it must, and
// wins Ps without looking first.
var otherOrder = gmp.Version{
	Syscalls: func(s *gmp.Sched) gmp.Syscalls { return &ordered{ch11.NewSyscalls(s), s} },
}

type ordered struct {
	gmp.Syscalls
	s *gmp.Sched
}

func (p *ordered) wake() {
	s := p.s
	s.Lock.Lock()
	asleep := s.Sysmonwait.Load()
	if asleep {
		s.Sysmonwait.Store(false)
	}
	s.Lock.Unlock()
	if asleep {
		s.Sysmonnote.Wakeup()
	}
}

func (p *ordered) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s, pp := p.s, mp.P.Get()
	if s.Sysmonwait.Load() {
		p.wake()
	}
	mp.Oldp.Set(pp)
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	pp.M.Set(nil)
	gp.SyscallSP.Set(gp.Sched.SP)
	gp.SyscallPC.Set(gp.Sched.PC)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	mp.P.Set(nil)
	pp.Status.Store(gmp.Psyscall)
	for s.Gcwaiting.Load() {
		s.Lock.Lock()
		if wait := s.Stopwait.Get(); wait > 0 {
			if s.GcstopSyscall(pp) && wait == 1 {
				s.Stopnote.Wakeup()
			}
		}
		s.Lock.Unlock()
		return
	}
}

func (p *ordered) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	s, pp := p.s, p.s.Allp.Get()[mp.P.Get().ID]
	tick := pp.Syscalltick.Get()
	pp.Syscalltick.Set(tick + 1)
	mp.Syscalltick.Set(tick)
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Releasep(mp)
	s.Handoffp(mp, pp)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
}

func (p *ordered) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if !s.ExitsyscallFast(mp, mp.Oldp.Get()) {
		mp.Oldp.Set(nil)
		s.ExitsyscallNoP(mp, gp)
		return
	}
	mp.Oldp.Set(nil)
	gp.SyscallSP.Set(0)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
	mp.P.Get().Syscalltick.Set(mp.P.Get().Syscalltick.Get() + 1)
}

func (p *ordered) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	switch {
	case oldp != nil && oldp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle):
		p.s.Acquirep(mp, oldp)
		return true
	case p.s.Npidle.Load() == 0:
		return false
	}
	return p.s.ExitsyscallPidle(mp)
}

func (p *ordered) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	s, locked := p.s, gp.Lockedm.Get() == mp
	s.Dropg(mp)
	gp.SyscallSP.Set(0)
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunnable)
	s.Lock.Lock()
	if pp, _ := s.Pidleget(0); pp != nil {
		s.Lock.Unlock()
		if s.Sysmonwait.Load() {
			p.wake()
		}
		s.Acquirep(mp, pp)
		s.Execute(mp, gp, false)
		return
	}
	s.Globrunqput(gp)
	s.Lock.Unlock()
	if locked {
		s.Stoplockedm(mp)
		s.Execute(mp, gp, false)
		return
	}
	s.Stopm(mp)
	s.Schedule(mp)
}

func (p *ordered) GcstopSyscall(pp *gmp.P) bool {
	won := pp.Status.Load() == gmp.Psyscall && pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pgcstop)
	if won {
		p.s.Stopwait.Set(p.s.Stopwait.Get() - 1)
		pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	}
	return won
}

// oneLock decides under one lock what becomes of a P that is handed off.
var oneLock = gmp.Version{
	Syscalls: func(s *gmp.Sched) gmp.Syscalls { return &deciding{ch11.NewSyscalls(s), s} },
}

type deciding struct {
	gmp.Syscalls
	s *gmp.Sched
}

func (p *deciding) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	s.Lock.Lock()
	start, spinning, when := p.decide(pp)
	s.Lock.Unlock()
	switch {
	case start:
		s.Startm(mp, pp, spinning, false)
	case when != 0:
		s.Wakenetpoller(mp, when)
	}
}

func (p *deciding) decide(pp *gmp.P) (start, spinning bool, when int64) {
	s := p.s
	work := !s.Runqempty(pp) || s.Runq.Get().Size > 0
	switch {
	case work:
		return true, false, 0
	case s.Npidle.Load() == 0 && s.Nmspinning.CompareAndSwap(0, 1):
		s.Needspinning.Store(false)
		return true, true, 0
	case s.Gcwaiting.Load():
		pp.Status.Store(gmp.Pgcstop)
		if s.Stopwait.Set(s.Stopwait.Get() - 1); s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		return false, false, 0
	case s.Lastpoll.Load() != 0 && s.Npidle.Load()+1 == s.Gomaxprocs.Get():
		return true, false, 0
	case s.Needspinning.Load():
		s.Nmspinning.Add(1)
		s.Needspinning.Store(false)
		return true, true, 0
	}
	when = pp.Timers.WakeTime()
	s.Pidleput(pp, 0)
	return false, false, when
}

// countsItself changes Nmidlelocked itself, and compares the tick in another way.
var countsItself = gmp.Version{
	Syscalls: func(s *gmp.Sched) gmp.Syscalls { return &counting{ch11.NewSyscalls(s), s} },
}

type counting struct {
	gmp.Syscalls
	s *gmp.Sched
}

func (p *counting) awake(v int32) {
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	if p.s.Nmidlelocked.Set(p.s.Nmidlelocked.Get() - v); v < 0 {
		p.s.Checkdead()
	}
}

func (p *counting) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	s, tick := p.s, pp.Syscalltick.Look()
	last := pp.Sysmontick.Get()
	switch {
	case pp.Status.Load() != gmp.Psyscall:
		return false
	case last.Syscalltick != tick && !due:
		last.Syscallwhen = now
		last.Syscalltick = tick
		pp.Sysmontick.Set(last)
		return false
	case s.Npidle.Load()+s.Nmspinning.Load() != 0 && now-last.Syscallwhen < 10_000_000 && s.Runqempty(pp):
		return false
	}
	p.awake(1)
	defer p.awake(-1)
	if !pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle) {
		return false
	}
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	s.Handoffp(mp, pp)
	return true
}

// otherLocks locks and unlocks in another order, and counts before it lets go of the P.
var otherLocks = gmp.Version{
	LockedThreads: func(s *gmp.Sched) gmp.LockedThreads { return &locking{ch11.NewLockedThreads(s), s} },
}

type locking struct {
	gmp.LockedThreads
	s *gmp.Sched
}

func (p *locking) LockOSThread(mp *gmp.M, gp *gmp.G) {
	if mp.LockedExt.Get() == math.MaxUint32 {
		p.s.PanicPlain(mp, gp, "LockOSThread nesting overflow")
		return
	}
	gp.Lockedm.Set(mp)
	mp.Lockedg.Set(gp)
	mp.LockedExt.Set(1 + mp.LockedExt.Get())
}

func (p *locking) UnlockOSThread(mp *gmp.M, gp *gmp.G) {
	switch n := mp.LockedExt.Get(); n {
	case 0:
	case 1:
		gp.Lockedm.Set(nil)
		mp.Lockedg.Set(nil)
		fallthrough
	default:
		mp.LockedExt.Set(n - 1)
	}
}

func (p *locking) Startlockedm(mp *gmp.M, gp *gmp.G) {
	s, to := p.s, gp.Lockedm.Get()
	if to == mp {
		s.Throw("startlockedm: locked to me")
	}
	if to.Nextp.Get() != nil {
		s.Throw("startlockedm: m has p")
	}
	to.Nextp.Set(s.Releasep(mp))
	s.Incidlelocked(-1)
	to.Park.Wakeup()
	s.Stopm(mp)
}

func (p *locking) Mexit(mp *gmp.M) {
	s := p.s
	pp := s.Releasep(mp)
	s.Handoffp(mp, pp)
	s.Lock.Lock()
	s.Nmfreed.Set(s.Nmfreed.Get() + 1)
	s.Checkdead()
	s.Lock.Unlock()
	if mp.ID != 0 {
		mp.Gone = true
		return
	}
	s.MPark(mp)
	s.Throw("locked m0 woke up")
}

// recursive calls Schedule again where the right one goes round.
var recursive = gmp.Version{
	Loop: func(s *gmp.Sched) gmp.Loop { return &again{ch11.NewLoop(s), s} },
}

type again struct {
	gmp.Loop
	s *gmp.Sched
}

func (p *again) Schedule(mp *gmp.M) {
	s := p.s
	if own := mp.Lockedg.Get(); own != nil {
		s.Stoplockedm(mp)
		s.Execute(mp, own, false)
		return
	}
	if mp.LockedExt.Get() > 0 {
		s.Mexit(mp)
		return
	}
	if mp.Spinning.Get() && !s.Runqempty(mp.P.Get()) {
		s.Throw("schedule: spinning with local work")
	}
	gp, inherit, wake := s.FindRunnable(mp)
	if gp == nil {
		return
	}
	if mp.Spinning.Get() {
		s.Resetspinning(mp)
	}
	if wake {
		s.Wakep(mp)
	}
	if gp.Lockedm.Get() != nil {
		s.Startlockedm(mp, gp)
		p.Schedule(mp)
		return
	}
	s.Execute(mp, gp, inherit)
}

func (p *again) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	if pp := mp.P.Get(); !inheritTime {
		pp.Schedtick.Set(1 + pp.Schedtick.Get())
	}
	if gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard); gp.Preempt.Get() {
		gp.Preempt.Set(false)
	}
	if p.s.HasSignals() {
		mp.P.Get().Preempt.Set(false)
	}
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// asksTwice keeps count of its own of the calls of each M, and looks for an idle P twice.
var asksTwice = gmp.Version{
	Syscalls: func(s *gmp.Sched) gmp.Syscalls { return &asking{Syscalls: ch11.NewSyscalls(s), s: s} },
}

type asking struct {
	gmp.Syscalls
	s     *gmp.Sched
	calls gmp.PerM[machine.Cell[int]]
}

func (p *asking) Entersyscall(mp *gmp.M, gp *gmp.G) {
	n := p.calls.Of(mp)
	n.Set(n.Get() + 1)
	p.Syscalls.Entersyscall(mp, gp)
}

func (p *asking) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	return p.Syscalls.ExitsyscallFast(mp, oldp) || p.Syscalls.ExitsyscallFast(mp, nil)
}

// wakesMore wakes the monitor also for a call that is known to block, and when the lock is free;
// counts a call for a P that it has found in the last moment; and under the lock it reads what
// says the same elsewhere: Runqsize, the list of Ps, and whether there is a G to unlock.
var wakesMore = gmp.Version{
	Syscalls:      func(s *gmp.Sched) gmp.Syscalls { return &waking{deciding{ch11.NewSyscalls(s), s}, ordered{s: s}} },
	LockedThreads: func(s *gmp.Sched) gmp.LockedThreads { return &relocking{ch11.NewLockedThreads(s), s} },
}

type waking struct {
	deciding
	ordered ordered
}

func (p *waking) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	if p.s.Sysmonwait.Load() {
		p.ordered.wake()
	}
	p.Syscalls.Entersyscallblock(mp, gp)
}

func (p *waking) ExitsyscallPidle(mp *gmp.M) bool {
	s := p.s
	s.Lock.Lock()
	pp, _ := s.Pidleget(s.Nanotime())
	s.Lock.Unlock()
	if pp == nil {
		return false
	}
	s.Acquirep(mp, pp)
	if s.Sysmonwait.Load() {
		p.ordered.wake()
	}
	return true
}

func (p *waking) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallSP.Set(0)
	s.Dropg(mp)
	s.Lock.Lock()
	defer func() {
		if mp.Curg.Get() == nil {
			s.Schedule(mp)
		}
	}()
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunnable)
	if pp, _ := s.Pidleget(0); pp != nil {
		s.Lock.Unlock()
		p.ordered.wake()
		s.Acquirep(mp, pp)
		pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
		s.Execute(mp, gp, false)
		return
	}
	own := mp.Lockedg.Get()
	s.Globrunqput(gp)
	s.Lock.Unlock()
	if own != nil {
		s.Stoplockedm(mp)
		s.Execute(mp, own, false)
		return
	}
	s.Stopm(mp)
}

func (p *waking) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	s.Lock.Lock()
	work := s.Runqsize.Load() > 0 || !s.Runqempty(pp)
	last := s.Lastpoll.Load() != 0 && int(s.Npidle.Load())+1 == len(s.Allp.Get()) && !s.Gcwaiting.Load()
	s.Lock.Unlock()
	if work || last && s.Npidle.Load()+s.Nmspinning.Load() > 0 {
		s.Startm(mp, pp, false, false)
		return
	}
	p.deciding.Handoffp(mp, pp)
}

type relocking struct {
	gmp.LockedThreads
	s *gmp.Sched
}

func (p *relocking) UnlockOSThread(mp *gmp.M, gp *gmp.G) {
	if mp.Lockedg.Get() == nil {
		return
	}
	if mp.LockedExt.Set(mp.LockedExt.Get() - 1); mp.LockedExt.Get() == 0 {
		gp.Lockedm.Set(nil)
		mp.Lockedg.Set(nil)
	}
}

func (p *relocking) Stoplockedm(mp *gmp.M) {
	s, gp := p.s, mp.Lockedg.Get()
	if gp == nil || gp.Lockedm.Get() != mp {
		s.Throw("stoplockedm: inconsistent locking")
	}
	if mp.P.Get() != nil {
		pp := s.Releasep(mp)
		s.Handoffp(mp, pp)
	}
	s.Incidlelocked(1)
	s.MPark(mp)
	pp := mp.Nextp.Get()
	s.Acquirep(mp, pp)
	mp.Nextp.Set(nil)
	if st := gp.Atomicstatus.Load(); st != gmp.Grunnable && st != gmp.Grunnable|gmp.Gscan {
		s.Throw("stoplockedm: not runnable")
	}
}
