//course:omit
package ch11

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Wired is the form of Go 1.26. A P stays Prunning, and wired to its M, while that is in a
// call. What says that it may be taken is the state of the G: whoever sets the scan bit of
// a G that is Gsyscall keeps its M from coming back, and may then part M and P as if it
// were the M itself. So there are two states of a P less for everyone to think of, and an M
// that comes back and finds its P has changed nothing but the state of its G.
var Wired = gmp.Version{
	Syscalls: func(s *gmp.Sched) gmp.Syscalls { return &wired{syscalls{s}} },
}

// wired shares Handoffp and ExitsyscallPidle with the form before.
type wired struct{ syscalls }

// A syscallingThread is a G that is in a call and cannot leave it, since somebody
// holds its scan bit, with its M and P. The runtime's syscallingThread.
type syscallingThread struct {
	gp *gmp.G
	mp *gmp.M
	pp *gmp.P
}

// setBlockOnExitSyscall stops the G that is in a call with pp from leaving it, if there is
// one. Who has pp, and which G that one runs, is only a guess, until the bit is set: then
// M, G and P are looked at once more, and can no longer change. The runtime's
// setBlockOnExitSyscall.
func setBlockOnExitSyscall(pp *gmp.P) (t syscallingThread, ok bool) {
	if pp.Status.Load() != gmp.Prunning {
		return t, false
	}
	mp := pp.M.Look()
	if mp == nil {
		return t, false
	}
	gp := mp.Curg.Look()
	if gp == nil || gp.Atomicstatus.Load() != gmp.Gsyscall || !gp.Atomicstatus.CompareAndSwap(gmp.Gsyscall, gmp.Gsyscall|gmp.Gscan) {
		return t, false
	}
	t = syscallingThread{gp, mp, pp}
	if gp.M.Get() != mp || mp.P.Get() != pp {
		t.resume()
		return t, false
	}
	return t, true
}

// release parts P and M, and says what the P is now.
func (t syscallingThread) release(status uint32) {
	t.pp.M.Set(nil)
	t.mp.P.Set(nil)
	t.pp.Syscalltick.Set(t.pp.Syscalltick.Get() + 1)
	t.pp.Status.Store(status)
}

// resume lets the G leave its call.
func (t syscallingThread) resume() {
	t.gp.Atomicstatus.Store(gmp.Gsyscall)
}

// Entersyscall says that gp is in a call. From then on mp may lose its P.
func (p *wired) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	mp.Oldp.Set(pp)
	if s.Gcwaiting.Load() {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 {
			syscallingThread{gp, mp, pp}.release(gmp.Pgcstop)
			if s.Stopwait.Set(s.Stopwait.Get() - 1); s.Stopwait.Get() == 0 {
				s.Stopnote.Wakeup()
			}
		}
		s.Lock.Unlock()
	}
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		wakeSysmon(s)
		s.Lock.Unlock()
	}
}

// Entersyscallblock hands the P off while gp is Grunning: as soon as it is Gsyscall,
// somebody may look for its P.
func (p *wired) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	s.Handoffp(mp, s.Releasep(mp))
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
}

// Exitsyscall waits, in Casgstatus, for whoever holds the scan bit. Then mp looks whether
// it still has its P.
func (p *wired) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
	oldp := mp.Oldp.Get()
	mp.Oldp.Set(nil)
	if mp.P.Get() == nil && !s.ExitsyscallFast(mp, oldp) {
		s.ExitsyscallNoP(mp, gp)
		return
	}
	pp := mp.P.Get()
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	gp.SyscallSP.Set(0)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
}

// ExitsyscallFast takes the old P from another M's call, or an idle one. The runtime's
// exitsyscallTryGetP.
func (p *wired) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	s := p.s
	if oldp != nil {
		if t, ok := setBlockOnExitSyscall(oldp); ok {
			t.release(gmp.Pidle)
			t.resume()
			s.Acquirep(mp, oldp)
			return true
		}
	}
	return s.Npidle.Load() > 0 && s.ExitsyscallPidle(mp)
}

// ExitsyscallNoP is called with gp Grunning, and without a P.
func (p *wired) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallSP.Set(0)
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	locked := false
	if pp == nil {
		locked = gp.Lockedm.Get() != nil
		s.Globrunqput(gp)
	} else {
		wakeSysmon(s)
	}
	s.Lock.Unlock()
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

// RetakeSyscall cannot tell from outside whether pp is in a call.
func (p *wired) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	s := p.s
	if pp.Status.Load() != gmp.Prunning {
		return false
	}
	s.Incidlelocked(-1) // s.Lock cannot be taken with a scan bit
	defer s.Incidlelocked(1)
	t, ok := setBlockOnExitSyscall(pp)
	if !ok {
		return false
	}
	seen, tick := pp.Sysmontick.Get(), pp.Syscalltick.Get()
	if !due && seen.Syscalltick != tick {
		t.resume()
		seen.Syscalltick, seen.Syscallwhen = tick, now
		pp.Sysmontick.Set(seen)
		return false
	}
	if s.Runqempty(pp) && s.Nmspinning.Load()+s.Npidle.Load() > 0 && seen.Syscallwhen+wanted > now {
		t.resume()
		return false
	}
	t.release(gmp.Pidle)
	t.resume()
	s.Handoffp(mp, pp)
	return true
}

// GcstopSyscall takes pp for a world that is to stop. s.Lock is held.
func (p *wired) GcstopSyscall(pp *gmp.P) bool {
	t, ok := setBlockOnExitSyscall(pp)
	if ok {
		t.release(gmp.Pgcstop)
		t.resume()
		p.s.Stopwait.Set(p.s.Stopwait.Get() - 1)
	}
	return ok
}
