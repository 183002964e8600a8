package gmp

import (
	"cmp"
	"fmt"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file writes system calls and locked threads into the trace. A call begins with
// Syscall and ends with Sysexit. If another M has the P in between, there is a Handoff when
// it is given away, and after Sysexit an Acquire and a Run, as for any other G that gets a
// P.

// callNames are the names of the calls, by the number that is the first argument.
var callNames = map[uint64]string{
	machine.SysRead: "read", machine.SysWrite: "write", machine.SysOpen: "open", machine.SysClose: "close",
	machine.SysPipe: "pipe2", machine.SysNanosleep: "nanosleep",
}

func callName(number uint64) string {
	return cmp.Or(callNames[number], fmt.Sprint(number))
}

type tracedSyscalls struct {
	Syscalls
	s *Sched
}

func (t *tracedSyscalls) enter(mp *M, gp *G) {
	t.s.record(mp, trace.Event{Kind: trace.Syscall, G: gp.Goid.Get(), Line: t.s.lineOf(gp), Text: callNames[t.s.Machine.Word(gp.Sched.Args)]})
	mp.calling = true
	if pp := mp.P.Get(); pp != nil {
		t.s.run.tracer.enters(pp, mp)
	}
}

func (t *tracedSyscalls) back(mp *M, gp *G) {
	mp.calling = false
	t.s.record(mp, trace.Event{Kind: trace.Sysexit, G: gp.Goid.Get(), Line: t.s.lineOf(gp)})
}

func (t *tracedSyscalls) Entersyscall(mp *M, gp *G) {
	t.enter(mp, gp)
	t.Syscalls.Entersyscall(mp, gp)
}

func (t *tracedSyscalls) Entersyscallblock(mp *M, gp *G) {
	t.enter(mp, gp)
	t.Syscalls.Entersyscallblock(mp, gp)
}

// Exitsyscall records the return if none of the methods that it calls has.
func (t *tracedSyscalls) Exitsyscall(mp *M, gp *G) {
	if t.s.run.version.Procs == nil {
		t.back(mp, gp)
	}
	t.Syscalls.Exitsyscall(mp, gp)
	if mp.calling && mp.Curg.Get() == gp {
		t.back(mp, gp)
	}
}

// ExitsyscallFast records whether mp has got the P that it had, without anything having
// happened to that, or one that is new to it.
func (t *tracedSyscalls) ExitsyscallFast(mp *M, oldp *P) bool {
	mp.acquired = false
	if !t.Syscalls.ExitsyscallFast(mp, oldp) {
		return false
	}
	gp, pp := mp.Curg.Get(), mp.P.Get()
	kept := pp == oldp && pp.Syscalltick.Get() == mp.Syscalltick.Get()
	if !kept && !mp.acquired {
		t.s.record(mp, trace.Event{Kind: trace.Acquire, G: trace.None})
	}
	t.back(mp, gp)
	if !kept {
		t.s.record(mp, trace.Event{Kind: trace.Run, G: gp.Goid.Get(), Line: t.s.lineOf(gp)})
	}
	return true
}

func (t *tracedSyscalls) ExitsyscallNoP(mp *M, gp *G) {
	t.back(mp, gp)
	t.Syscalls.ExitsyscallNoP(mp, gp)
}

// Handoffp records whose P is given away: mp's own, or, if mp is the monitor, which has no
// ID, that of the M in the call.
func (t *tracedSyscalls) Handoffp(mp *M, pp *P) {
	ev := trace.Event{Kind: trace.Handoff, G: trace.None, M: int32(mp.ID), P: pp.ID}
	if mp.ID == trace.None {
		ev.M, ev.Text = t.s.run.tracer.caller(pp), trace.Retaken
	}
	if t.s.run.tracer.on {
		t.s.recordShared(ev)
	}
	t.Syscalls.Handoffp(mp, pp)
}

// GcstopSyscall records that a world that stops takes pp. So does ForEachP, in a world that does
// not: then there is a Handoff.
func (t *tracedSyscalls) GcstopSyscall(pp *P) bool {
	won := t.Syscalls.GcstopSyscall(pp)
	if won && t.s.run.tracer.on && t.s.Gcwaiting.Load() {
		t.s.recordShared(trace.Event{Kind: trace.Handoff, G: trace.None, M: t.s.run.tracer.caller(pp), P: pp.ID, Text: trace.Halted})
	}
	return won
}

// enters notes that mp leaves pp behind in a call.
func (t *tracer) enters(pp *P, mp *M) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.callers == nil {
		t.callers = map[*P]int32{}
	}
	t.callers[pp] = int32(mp.ID)
}

// caller is the M that left pp behind last.
func (t *tracer) caller(pp *P) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.callers[pp]; ok {
		return id
	}
	return trace.None
}

type tracedLockedThreads struct {
	LockedThreads
	s *Sched
}

// Stoplockedm records that mp sleeps, as Mput does for others.
func (t *tracedLockedThreads) Stoplockedm(mp *M) {
	t.s.recordOf(mp.ID, trace.Idle)
	t.LockedThreads.Stoplockedm(mp)
}

func (t *tracedLockedThreads) Startlockedm(mp *M, gp *G) {
	if locked := gp.Lockedm.Get(); locked != nil {
		t.s.recordOf(locked.ID, trace.Wake)
	}
	t.LockedThreads.Startlockedm(mp, gp)
}
