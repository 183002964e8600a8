//course:omit
package ch18

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parted are other right Syscalls: what is done to a call is a function, and runs while the G cannot
// leave it. The mutants are made of it.
var Parted = gmp.Version{Syscalls: partedWith("")}

// partedWith makes the Syscalls with one of the flaws, "" for none.
func partedWith(flaw string) func(s *gmp.Sched) gmp.Syscalls {
	return func(s *gmp.Sched) gmp.Syscalls { return &parted{syscalls{s}, flaw} }
}

// parted shares with syscalls what is as in chapter 11.
type parted struct {
	syscalls
	flaw string
}

// during calls do while the G that is in a call with pp cannot leave it, and reports whether
// there is one.
func (p *parted) during(pp *gmp.P, do func(mp *gmp.M)) bool {
	mp := pp.M.Look()
	if pp.Status.Load() != gmp.Prunning || mp == nil {
		return false
	}
	gp := mp.Curg.Look()
	if gp == nil {
		return false
	}
	if p.flaw == "looks-before-bit" && (gp.M.Get() != mp || mp.P.Get() != pp) {
		return false
	}
	if p.flaw == "no-bit" {
		if gp.Atomicstatus.Load() == gmp.Gsyscall && mp.P.Get() == pp {
			do(mp)
			return true
		}
		return false
	}
	if !gp.Atomicstatus.CompareAndSwap(gmp.Gsyscall, gmp.Gsyscall|gmp.Gscan) {
		return false
	}
	right := p.flaw == "looks-before-bit" || p.flaw == "guesses" || gp.M.Get() == mp && mp.P.Get() == pp
	if p.flaw == "goes-too-early" {
		gp.Atomicstatus.Store(gmp.Gsyscall)
	}
	if right {
		do(mp)
	}
	if !right && p.flaw == "keeps-bit" || p.flaw == "goes-too-early" {
		return right
	}
	gp.Atomicstatus.CompareAndSwap(gmp.Gsyscall|gmp.Gscan, gmp.Gsyscall)
	return right
}

// part parts mp and pp.
func (p *parted) part(mp *gmp.M, pp *gmp.P, status uint32) {
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	pp.Status.Store(status)
	if p.flaw != "keeps-link" {
		mp.P.Set(nil)
	}
	pp.M.Set(nil)
}

// stop stops mp's own P, for a world that is to stop.
func (p *parted) stop(mp *gmp.M, pp *gmp.P) {
	s := p.s
	if !s.Gcwaiting.Load() {
		return
	}
	var early int32
	if p.flaw == "counts-unlocked" {
		early = s.Stopwait.Get()
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	left := s.Stopwait.Get()
	if p.flaw == "counts-unlocked" {
		left = early
	}
	if left == 0 {
		return
	}
	p.part(mp, pp, gmp.Pgcstop)
	s.Stopwait.Set(left - 1)
	if left == 1 {
		s.Stopnote.Wakeup()
	}
}

func (p *parted) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s, pp := p.s, mp.P.Get()
	gp.SyscallSP.Set(gp.Sched.SP)
	gp.SyscallPC.Set(gp.Sched.PC)
	if p.flaw != "notes-late" {
		mp.Oldp.Set(pp)
		mp.Syscalltick.Set(pp.Syscalltick.Get())
	}
	if pp.RunSafePointFn.Load() == 1 && p.flaw != "no-safe-point" {
		s.RunSafePointFn(pp, false)
	}
	if p.flaw != "stops-late" {
		p.stop(mp, pp)
	}
	if p.flaw == "wakes-early" {
		p.wake()
	}
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	if p.flaw != "wakes-early" {
		p.wake()
	}
	if p.flaw == "stops-late" {
		p.stop(mp, pp)
	}
	if p.flaw == "notes-late" {
		mp.Oldp.Set(pp)
		mp.Syscalltick.Set(pp.Syscalltick.Get())
	}
}

// wake wakes the monitor if it sleeps.
func (p *parted) wake() {
	if p.s.Sysmonwait.Load() {
		p.s.Lock.Lock()
		wakeSysmon(p.s)
		p.s.Lock.Unlock()
	}
}

func (p *parted) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	s, pp := p.s, mp.P.Get()
	gp.SyscallSP.Set(gp.Sched.SP)
	gp.SyscallPC.Set(gp.Sched.PC)
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	pp.Syscalltick.Set(mp.Syscalltick.Get() + 1)
	if p.flaw == "in-call-first" {
		s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	}
	s.Handoffp(mp, s.Releasep(mp))
	if p.flaw != "in-call-first" {
		s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	}
}

func (p *parted) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	has := p.flaw == "looks-in-call" && mp.P.Get() != nil
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
	if p.flaw != "looks-in-call" {
		has = mp.P.Get() != nil
	}
	oldp := mp.Oldp.Get()
	mp.Oldp.Set(nil)
	if !has {
		has = s.ExitsyscallFast(mp, oldp)
	}
	if !has {
		s.ExitsyscallNoP(mp, gp)
		return
	}
	gp.SyscallSP.Set(0)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
	pp := mp.P.Get()
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
}

func (p *parted) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	s := p.s
	switch {
	case oldp != nil && p.during(oldp, func(other *gmp.M) { p.part(other, oldp, gmp.Pidle) }):
		s.Acquirep(mp, oldp)
		return true
	case s.Npidle.Load() == 0:
		return false
	}
	return s.ExitsyscallPidle(mp)
}

func (p *parted) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	if p.flaw == "marks-nothing" && s.Runqempty(pp) && s.Runqsize.Load() == 0 && s.GcController.BlackenEnabled.Load() {
		s.Lock.Lock()
		s.Pidleput(pp, 0)
		s.Lock.Unlock()
		return
	}
	p.syscalls.Handoffp(mp, pp)
}

func (p *parted) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	s, taken := p.s, false
	if pp.Status.Load() != gmp.Prunning {
		return false
	}
	if p.flaw != "counts-late" {
		s.Incidlelocked(-1)
	}
	found := p.during(pp, func(other *gmp.M) {
		if p.flaw == "counts-late" {
			s.Incidlelocked(-1)
		}
		tick := pp.Sysmontick.Get()
		if other := pp.Syscalltick.Get(); !due && tick.Syscalltick != other {
			tick.Syscalltick, tick.Syscallwhen = other, now
			pp.Sysmontick.Set(tick)
			return
		}
		needed := !s.Runqempty(pp) || s.Nmspinning.Load()+s.Npidle.Load() == 0
		if taken = needed || now >= tick.Syscallwhen+wanted; taken {
			p.part(other, pp, gmp.Pidle)
			if p.flaw == "hands-off-early" {
				s.Handoffp(mp, pp)
			}
		}
	})
	if taken && p.flaw != "hands-off-early" {
		s.Handoffp(mp, pp)
	}
	if found || p.flaw != "counts-late" {
		s.Incidlelocked(1)
	}
	return taken
}

func (p *parted) GcstopSyscall(pp *gmp.P) bool {
	took := p.during(pp, func(other *gmp.M) { p.part(other, pp, gmp.Pgcstop) })
	if took {
		p.s.Stopwait.Set(p.s.Stopwait.Get() - 1)
	}
	return took
}
