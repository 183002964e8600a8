package ch11

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of ExitsyscallFast that are open
// are for the student's own test.
var Mutants = []check.Mutant{
	{
		Name: "fast-any-state", Check: "exit-idle",
		What:  "ExitsyscallFast takes the old P back although another M runs with it",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return fastAnyState{p} }),
	},
	{
		Name: "fast-not-wired", Check: "exit-own",
		What:  "ExitsyscallFast wins the old P, and does not link M and P",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return fastNotWired{p} }),
	},
	{
		Name: "fast-own-only", Check: "exit-idle",
		What:  "ExitsyscallFast tries the old P, and not an idle one",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return fastOwnOnly{p} }),
	},
	{
		Name: "fast-idle-first", Check: "exit-own",
		What:  "ExitsyscallFast looks for an idle P, and for the old one only if there is none",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return fastIdleFirst{p} }),
	},
	{
		Name: "fast-loads-and-stores", Check: "race-retake", Hidden: true,
		What:  "ExitsyscallFast looks whether the old P is Psyscall, and then takes it, in two steps: the monitor may have taken it in between",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return fastLoadsAndStores{p} }),
	},
	{
		Name: "enter-publishes-first", Check: "race-retake", Hidden: true,
		What:  "Entersyscall makes the P Psyscall, and then parts it from its M",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterPublishesFirst{p} }),
	},
	{
		Name: "enter-counts-late", Check: "race-retake", Hidden: true,
		What:  "Entersyscall notes the P's Syscalltick when the P is Psyscall already, and another M may write it",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterCountsLate{p} }),
	},
	{
		Name: "enter-forgets-p", Check: "enter", Hidden: true,
		What:  "Entersyscall does not note which P it leaves behind",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterForgetsP{p} }),
	},
	{
		Name: "enter-forgets-stack", Check: "enter", Hidden: true,
		What:  "Entersyscall does not note where the G stands",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterForgetsStack{p} }),
	},
	{
		Name: "enter-ignores-stop", Check: "race-stop", Hidden: true,
		What:  "Entersyscall does not look whether the world is to stop: if that looked at the P shortly before, it waits for the P as long as the call lasts",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterIgnoresStop{p} }),
	},
	{
		Name: "enter-looks-first", Check: "race-stop", Hidden: true,
		What:  "Entersyscall looks whether the world is to stop before the P is Psyscall, and not after",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterLooksFirst{p} }),
	},
	{
		Name: "enter-stops-anyway", Check: "race-stop", Hidden: true,
		What:  "Entersyscall stops its P for the world although another M may have stopped it already: it is counted twice",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterStopsAnyway{p} }),
	},
	{
		Name: "enter-stops-unwanted", Check: "enter-stop", Hidden: true,
		What:  "Entersyscall stops its P although Stopwait is 0, and the world has stopped without it",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterStopsUnwanted{p} }),
	},
	{
		Name: "enter-lets-monitor-sleep", Check: "monitor", Hidden: true,
		What:  "Entersyscall does not wake the monitor, so it does not look after the call",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterLetsMonitorSleep{p} }),
	},
	{
		Name: "enter-wakes-twice", Check: "race-monitor", Hidden: true,
		What:  "Entersyscall wakes the monitor without looking again under the lock: two Ms signal the note",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return enterWakesTwice{p} }),
	},
	{
		Name: "block-waits", Check: "block", Hidden: true,
		What:  "Entersyscallblock leaves the P behind, as Entersyscall does, until the monitor comes",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return blockWaits{p} }),
	},
	{
		Name: "block-counts-late", Check: "block", Hidden: true,
		What:  "Entersyscallblock increments the P's Syscalltick when it has handed it off",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return blockCountsLate{p} }),
	},
	{
		Name: "exit-forgets-tick", Check: "exit-own", Hidden: true,
		What:  "Exitsyscall does not increment Syscalltick: many short calls look like a long one to the monitor",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return exitForgetsTick{p} }),
	},
	{
		Name: "exit-forgets-preempt", Check: "exit-own", Hidden: true,
		What:  "Exitsyscall lets a G go on that was asked to stop",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return exitForgetsPreempt{p} }),
	},
	{
		Name: "exit-keeps-oldp", Check: "exit-none", Hidden: true,
		What:  "Exitsyscall leaves the P in Oldp",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return exitKeepsOldp{p} }),
	},
	{
		Name: "exit-touches-late", Check: "race-idle", Hidden: true,
		What:  "Exitsyscall clears SyscallSP after ExitsyscallNoP, when the G may be running on another M",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return exitTouchesLate{p} }),
	},
	{
		Name: "nop-looks-unlocked", Check: "race-idle", Hidden: true,
		What:  "ExitsyscallNoP looks for an idle P, and queues the G, with the lock released in between: an M that gives up its P there finds no G",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return nopLooksUnlocked{p} }),
	},
	{
		Name: "nop-asks-late", Check: "race-idle", Hidden: true,
		What:  "ExitsyscallNoP asks whether the G is locked when it is on the queue and the lock is free",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return nopAsksLate{p} }),
	},
	{
		Name: "nop-forgets-locked", Check: "exit-none", Hidden: true,
		What:  "ExitsyscallNoP puts an M that is locked to its G on the list of idle Ms",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return nopForgetsLocked{p} }),
	},
	{
		Name: "handoff-as-the-runtime", Check: "race-handoff", Hidden: true,
		What:  "Handoffp does not look at Needspinning under the lock: an M that has just found no P for its G is forgotten, as in the runtime",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffAsTheRuntime{p} }),
	},
	{
		Name: "handoff-looks-once", Check: "race-handoff-global", Hidden: true,
		What:  "Handoffp looks at the global queue without the lock, and not once more with it",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffLooksOnce{p} }),
	},
	{
		Name: "handoff-to-the-list", Check: "handoff-work", Hidden: true,
		What:  "Handoffp looks at the P's queue, and puts the P on the list of idle ones although there is a G on the global queue",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffToTheList{p} }),
	},
	{
		Name: "handoff-not-counted", Check: "handoff-spin", Hidden: true,
		What:  "Handoffp starts an M that spins, and does not count it",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffNotCounted{p} }),
	},
	{
		Name: "handoff-forgets-stop", Check: "handoff-stop", Hidden: true,
		What:  "Handoffp puts the P on the list of idle ones although the world is to stop, and waits for it",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffForgetsStop{p} }),
	},
	{
		Name: "handoff-leaves-the-network", Check: "handoff-last", Hidden: true,
		What:  "Handoffp lets the last P become idle, although no M waits for the network",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffLeavesTheNetwork{p} }),
	},
	{
		Name: "handoff-forgets-timers", Check: "handoff-last", Hidden: true,
		What:  "Handoffp tells no M of the timers of a P that becomes idle",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffForgetsTimers{p} }),
	},
	{
		Name: "retake-at-once", Check: "retake", Hidden: true,
		What:  "RetakeSyscall takes the P from a call that it sees for the first time",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakeAtOnce{p} }),
	},
	{
		Name: "retake-patient", Check: "retake-unneeded", Hidden: true,
		What:  "RetakeSyscall leaves a P for 10 ms although a G waits in its queue",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakePatient{p} }),
	},
	{
		Name: "retake-stores", Check: "race-retake", Hidden: true,
		What:  "RetakeSyscall looks whether the P is Psyscall, and then takes it, in two steps",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakeStores{p} }),
	},
	{
		Name: "retake-keeps-tick", Check: "retake", Hidden: true,
		What:  "RetakeSyscall does not increment Syscalltick: the next call with this P looks like the same one",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakeKeepsTick{p} }),
	},
	{
		Name: "retake-not-awake", Check: "race-dead", Hidden: true,
		What:  "RetakeSyscall takes the P without saying that somebody is awake",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakeNotAwake{p} }),
	},
	{
		Name: "retake-sleeps-early", Check: "race-dead", Hidden: true,
		What:  "RetakeSyscall says that no M is awake before it has handed off the P",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakeSleepsEarly{p} }),
	},
	{
		Name: "retake-lost-awake", Check: "retake", Hidden: true,
		What:  "RetakeSyscall that does not win the P says that an M is awake, and never takes that back: from then on no deadlock is noticed",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakeLost{p, false} }),
	},
	{
		Name: "retake-lost-claims", Check: "retake", Hidden: true,
		What:  "RetakeSyscall reports that it has taken a P that it has not won",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return retakeLost{p, true} }),
	},
	{
		Name: "gcstop-stores", Check: "race-stop-retake", Hidden: true,
		What:  "GcstopSyscall looks whether the P is Psyscall, and then stops it, in two steps",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return gcstopStores{p} }),
	},
	{
		Name: "gcstop-signals", Check: "gcstop", Hidden: true,
		What:  "GcstopSyscall signals Stopnote if it has stopped the last P, as its callers do",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return gcstopSignals{p} }),
	},
	{
		Name: "fast-asks-oldp", Check: "exit-own", Hidden: true,
		What:  "ExitsyscallFast tries M.Oldp, and not the P that it is told; so Exitsyscall forgets that late",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return fastAsksOldp{p} }),
	},
	{
		Name: "exit-guards-anew", Check: "exit-own", Hidden: true,
		What:  "Exitsyscall puts the guard right if the G was not asked to stop, although nothing has changed it",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return exitGuardsAnew{p} }),
	},
	{
		Name: "handoff-machine-time", Check: "handoff-spin", Hidden: true,
		What:  "Handoffp tells Pidleput the time of machine.Nanotime",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return handoffMachineTime{p} }),
	},
	{
		Name: "lock-once", Check: "lock", Hidden: true,
		What:  "the first UnlockOSThread unlocks, however often LockOSThread was called, as before Go 1.10",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return lockOnce{p} }),
	},
	{
		Name: "unlock-below-zero", Check: "lock", Hidden: true,
		What:  "UnlockOSThread without a LockOSThread counts below 0",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return unlockBelowZero{p} }),
	},
	{
		Name: "idle-locked-unseen", Check: "idle-locked", Hidden: true,
		What:  "the last M awake waits for its locked G, and no deadlock is reported",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return idleLockedUnseen{p} }),
	},
	{
		Name: "stop-locked-on-list", Check: "stop-locked", Hidden: true,
		What:  "an M that waits for its G is on the list of idle Ms, and is woken for others",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return stopLockedOnList{p} }),
	},
	{
		Name: "stop-locked-drops-p", Check: "stop-locked", Hidden: true,
		What:  "an M that waits for its G lets go of its P, and gives it to no other",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return stopLockedDropsP{p} }),
	},
	{
		Name: "stop-locked-counts-first", Check: "stop-locked", Hidden: true,
		What:  "an M that waits for its G counts as asleep while it still holds a P with Gs: if no other M is awake, Checkdead finds them forgotten",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return stopLockedCountsFirst{p} }),
	},
	{
		Name: "start-locked-wakes-first", Check: "race-locked", Hidden: true,
		What:  "Startlockedm wakes the other M before it has set its Nextp",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return startLockedWakesFirst{p} }),
	},
	{
		Name: "start-locked-counts-late", Check: "race-locked", Hidden: true,
		What:  "Startlockedm says that the other M is awake after it has slept itself: for a moment no M counts as awake",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return startLockedCountsLate{p} }),
	},
	{
		Name: "exit-m-counts-first", Check: "race-exit", Hidden: true,
		What:  "an M that ends says so before it has handed off its P",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return exitMCountsFirst{p} }),
	},
	{
		Name: "exit-m-zero", Check: "exit-m", Hidden: true,
		What:  "M0 ends like any other M",
		Parts: locksMutant(func(p *lockedThreads) gmp.LockedThreads { return exitMZero{p} }),
	},
	{
		Name: "loop-runs-locked", Check: "race-locked", Hidden: true,
		What:  "an M runs the G of another M that it has found",
		Parts: loopMutant(func(p *loop) gmp.Loop { return loopRunsLocked{p} }),
	},
	{
		Name: "loop-keeps-request", Check: "loop-ordinary", Hidden: true,
		What:  "Execute leaves a request to stop in place that was made to an earlier slice: the G stops once more",
		Parts: loopMutant(func(p *loop) gmp.Loop { return loopKeepsRequest{p} }),
	},
	{
		Name: "loop-trusts-spinning", Check: "loop-ordinary", Hidden: true,
		What:  "Schedule lets an M spin that has a G in its own queue",
		Parts: loopMutant(func(p *loop) gmp.Loop { return loopTrustsSpinning{p} }),
	},
	{
		Name: "loop-finds-other", Check: "loop-locked", Hidden: true,
		What:  "an M whose locked G waits runs others meanwhile",
		Parts: loopMutant(func(p *loop) gmp.Loop { return loopFindsOther{p} }),
	},
	{
		Name: "loop-spins-on", Check: "loop-locked", Hidden: true,
		What:  "an M that finds a locked G gives away its P while it is still counted as spinning",
		Parts: loopMutant(func(p *loop) gmp.Loop { return loopSpinsOn{p} }),
	},
	{
		Name: "loop-outlives", Check: "loop-locked", Hidden: true,
		What:  "an M whose locked G has ended runs others, as before Go 1.10",
		Parts: loopMutant(func(p *loop) gmp.Loop { return loopOutlives{p} }),
	},
}

func callsMutant(broken func(p *syscalls) gmp.Syscalls) gmp.Version {
	return gmp.Version{Syscalls: func(s *gmp.Sched) gmp.Syscalls { return broken(&syscalls{s: s}) }}
}

func locksMutant(broken func(p *lockedThreads) gmp.LockedThreads) gmp.Version {
	return gmp.Version{LockedThreads: func(s *gmp.Sched) gmp.LockedThreads { return broken(&lockedThreads{s: s}) }}
}

func loopMutant(broken func(p *loop) gmp.Loop) gmp.Version {
	return gmp.Version{Loop: func(s *gmp.Sched) gmp.Loop { return broken(&loop{s: s}) }}
}

type fastAnyState struct{ *syscalls }

func (p fastAnyState) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	if oldp != nil {
		oldp.M.Set(nil)
		oldp.Status.Store(gmp.Pidle)
		p.s.Wirep(mp, oldp)
		return true
	}
	return p.s.ExitsyscallPidle(mp)
}

type fastNotWired struct{ *syscalls }

func (p fastNotWired) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	if oldp != nil && oldp.Status.CompareAndSwap(gmp.Psyscall, gmp.Prunning) {
		mp.P.Set(oldp)
		return true
	}
	return p.s.Npidle.Load() > 0 && p.s.ExitsyscallPidle(mp)
}

type fastOwnOnly struct{ *syscalls }

func (p fastOwnOnly) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	if oldp == nil || !oldp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle) {
		return false
	}
	p.s.Wirep(mp, oldp)
	return true
}

type fastIdleFirst struct{ *syscalls }

func (p fastIdleFirst) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	if p.s.ExitsyscallPidle(mp) {
		return true
	}
	return p.syscalls.ExitsyscallFast(mp, oldp)
}

type fastLoadsAndStores struct{ *syscalls }

func (p fastLoadsAndStores) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	s := p.s
	if oldp != nil && oldp.Status.Load() == gmp.Psyscall {
		oldp.Status.Store(gmp.Pidle)
		s.Wirep(mp, oldp)
		return true
	}
	return s.Npidle.Load() > 0 && s.ExitsyscallPidle(mp)
}

// into is the beginning of Entersyscall, up to where it lets go of its P.
func (p *syscalls) into(mp *gmp.M, gp *gmp.G) *gmp.P {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		wakeSysmon(s)
		s.Lock.Unlock()
	}
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	mp.Oldp.Set(pp)
	return pp
}

// part parts M and P.
func part(mp *gmp.M, pp *gmp.P) {
	mp.P.Set(nil)
	pp.M.Set(nil)
}

// gcwait is the end of Entersyscall.
func (p *syscalls) gcwait(pp *gmp.P) {
	s := p.s
	if !s.Gcwaiting.Load() {
		return
	}
	s.Lock.Lock()
	if s.Stopwait.Get() > 0 && s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
	s.Lock.Unlock()
}

type enterPublishesFirst struct{ *syscalls }

func (p enterPublishesFirst) Entersyscall(mp *gmp.M, gp *gmp.G) {
	pp := p.into(mp, gp)
	pp.Status.Store(gmp.Psyscall)
	part(mp, pp)
	p.gcwait(pp)
}

type enterCountsLate struct{ *syscalls }

func (p enterCountsLate) Entersyscall(mp *gmp.M, gp *gmp.G) {
	pp := p.into(mp, gp)
	part(mp, pp)
	pp.Status.Store(gmp.Psyscall)
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	p.gcwait(pp)
}

type enterForgetsP struct{ *syscalls }

func (p enterForgetsP) Entersyscall(mp *gmp.M, gp *gmp.G) {
	p.syscalls.Entersyscall(mp, gp)
	mp.Oldp.Set(nil)
}

type enterForgetsStack struct{ *syscalls }

func (p enterForgetsStack) Entersyscall(mp *gmp.M, gp *gmp.G) {
	p.syscalls.Entersyscall(mp, gp)
	gp.SyscallSP.Set(0)
}

type enterIgnoresStop struct{ *syscalls }

func (p enterIgnoresStop) Entersyscall(mp *gmp.M, gp *gmp.G) {
	pp := p.into(mp, gp)
	part(mp, pp)
	pp.Status.Store(gmp.Psyscall)
}

type enterLooksFirst struct{ *syscalls }

func (p enterLooksFirst) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		if s.Sysmonwait.Load() {
			s.Sysmonwait.Store(false)
			s.Sysmonnote.Wakeup()
		}
		s.Lock.Unlock()
	}
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	mp.Oldp.Set(pp)
	mp.P.Set(nil)
	pp.M.Set(nil)
	stopping := s.Gcwaiting.Load()
	pp.Status.Store(gmp.Psyscall)
	if stopping {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 && s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

type enterStopsAnyway struct{ *syscalls }

func (p enterStopsAnyway) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s, pp := p.s, p.into(mp, gp)
	part(mp, pp)
	pp.Status.Store(gmp.Psyscall)
	if s.Gcwaiting.Load() {
		s.Lock.Lock()
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
		if s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

type enterStopsUnwanted struct{ *syscalls }

func (p enterStopsUnwanted) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s, pp := p.s, p.into(mp, gp)
	part(mp, pp)
	pp.Status.Store(gmp.Psyscall)
	if s.Gcwaiting.Load() {
		s.Lock.Lock()
		if s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

type enterLetsMonitorSleep struct{ *syscalls }

func (p enterLetsMonitorSleep) Entersyscall(mp *gmp.M, gp *gmp.G) {
	asleep := p.s.Sysmonwait.Load()
	p.s.Sysmonwait.Store(false)
	p.syscalls.Entersyscall(mp, gp)
	p.s.Sysmonwait.Store(asleep)
}

type enterWakesTwice struct{ *syscalls }

func (p enterWakesTwice) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
		s.Lock.Unlock()
	}
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	mp.Oldp.Set(pp)
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Psyscall)
	if s.Gcwaiting.Load() {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 && s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

type blockWaits struct{ *syscalls }

func (p blockWaits) Entersyscallblock(mp *gmp.M, gp *gmp.G) { p.s.Entersyscall(mp, gp) }

type blockCountsLate struct{ *syscalls }

func (p blockCountsLate) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	s.Handoffp(mp, s.Releasep(mp))
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
}

type exitForgetsTick struct{ *syscalls }

func (p exitForgetsTick) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	p.syscalls.Exitsyscall(mp, gp)
	if pp := mp.P.Get(); pp != nil {
		pp.Syscalltick.Set(pp.Syscalltick.Get() - 1)
	}
}

type exitForgetsPreempt struct{ *syscalls }

func (p exitForgetsPreempt) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	guard := gp.Sched.Guard.Load()
	p.syscalls.Exitsyscall(mp, gp)
	gp.Sched.Guard.Store(guard)
}

// resumes is what Exitsyscall does when mp has a P.
func (p *syscalls) resumes(mp *gmp.M, gp *gmp.G) {
	pp := mp.P.Get()
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	p.s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
	gp.SyscallSP.Set(0)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
}

type exitKeepsOldp struct{ *syscalls }

func (p exitKeepsOldp) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	if p.s.ExitsyscallFast(mp, mp.Oldp.Get()) {
		p.resumes(mp, gp)
	} else {
		p.s.ExitsyscallNoP(mp, gp)
	}
}

type exitTouchesLate struct{ *syscalls }

func (p exitTouchesLate) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	oldp := mp.Oldp.Get()
	mp.Oldp.Set(nil)
	if p.s.ExitsyscallFast(mp, oldp) {
		p.resumes(mp, gp)
		return
	}
	p.s.ExitsyscallNoP(mp, gp)
	gp.SyscallSP.Set(0)
}

func (p exitTouchesLate) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) { p.nop(mp, gp, nopRight) }

// The ways in which ExitsyscallNoP may be wrong.
const (
	nopRight = iota
	nopLate
)

// nop is ExitsyscallNoP, right or wrong.
func (p *syscalls) nop(mp *gmp.M, gp *gmp.G, mistake int) {
	s := p.s
	if mistake != nopRight {
		gp.SyscallSP.Set(0)
	}
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunnable)
	s.Dropg(mp)
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	locked := false
	if pp == nil {
		locked = mistake != nopLate && gp.Lockedm.Get() != nil
		s.Globrunqput(gp)
	} else {
		wakeSysmon(s)
	}
	s.Lock.Unlock()
	if pp == nil && mistake == nopLate {
		locked = gp.Lockedm.Get() != nil
	}
	p.rests(mp, gp, pp, locked)
}

// rests is the end of ExitsyscallNoP.
func (p *syscalls) rests(mp *gmp.M, gp *gmp.G, pp *gmp.P, locked bool) {
	s := p.s
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

type nopAsksLate struct{ *syscalls }

func (p nopAsksLate) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) { p.nop(mp, gp, nopLate) }

type nopLooksUnlocked struct{ *syscalls }

func (p nopLooksUnlocked) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallSP.Set(0)
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunnable)
	s.Dropg(mp)
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	if pp != nil {
		wakeSysmon(s)
	}
	s.Lock.Unlock()
	if pp != nil {
		s.Acquirep(mp, pp)
		s.Execute(mp, gp, false)
		return
	}
	s.Lock.Lock()
	locked := gp.Lockedm.Get() != nil
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

type nopForgetsLocked struct{ *syscalls }

func (p nopForgetsLocked) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	locked := gp.Lockedm.Get()
	gp.Lockedm.Set(nil)
	p.syscalls.ExitsyscallNoP(mp, gp)
	gp.Lockedm.Set(locked)
}

// hands is Handoffp, with some of its looks left out.
func (p *syscalls) hands(mp *gmp.M, pp *gmp.P, global, again, stop, poll, sign, timers bool) {
	s := p.s
	if !s.Runqempty(pp) || global && s.Runqsize.Load() > 0 {
		s.Startm(mp, pp, false, false)
		return
	}
	if s.Nmspinning.Load()+s.Npidle.Load() == 0 && s.Nmspinning.CompareAndSwap(0, 1) {
		s.Needspinning.Store(false)
		s.Startm(mp, pp, true, false)
		return
	}
	s.Lock.Lock()
	if stop && s.Gcwaiting.Load() {
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
		if s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
		return
	}
	if again && s.Runq.Get().Size > 0 || poll && s.Npidle.Load() == s.Gomaxprocs.Get()-1 && s.Lastpoll.Load() != 0 {
		s.Lock.Unlock()
		s.Startm(mp, pp, false, false)
		return
	}
	if sign && s.Needspinning.Load() {
		s.Needspinning.Store(false)
		s.Nmspinning.Add(1)
		s.Lock.Unlock()
		s.Startm(mp, pp, true, false)
		return
	}
	when := pp.Timers.WakeTime()
	s.Pidleput(pp, 0)
	s.Lock.Unlock()
	if timers && when != 0 {
		s.Wakenetpoller(mp, when)
	}
}

type handoffAsTheRuntime struct{ *syscalls }

func (p handoffAsTheRuntime) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	if !s.Runqempty(pp) || s.Runqsize.Load() > 0 {
		s.Startm(mp, pp, false, false)
		return
	}
	if s.Nmspinning.Load()+s.Npidle.Load() == 0 && s.Nmspinning.CompareAndSwap(0, 1) {
		s.Needspinning.Store(false)
		s.Startm(mp, pp, true, false)
		return
	}
	s.Lock.Lock()
	if s.Gcwaiting.Load() {
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
		if s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
		return
	}
	if s.Runq.Get().Size > 0 || s.Npidle.Load() == s.Gomaxprocs.Get()-1 && s.Lastpoll.Load() != 0 {
		s.Lock.Unlock()
		s.Startm(mp, pp, false, false)
		return
	}
	when := pp.Timers.WakeTime()
	s.Pidleput(pp, 0)
	s.Lock.Unlock()
	if when != 0 {
		s.Wakenetpoller(mp, when)
	}
}

type handoffLooksOnce struct{ *syscalls }

func (p handoffLooksOnce) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	if !s.Runqempty(pp) || s.Runqsize.Load() > 0 {
		s.Startm(mp, pp, false, false)
		return
	}
	if s.Nmspinning.Load()+s.Npidle.Load() == 0 && s.Nmspinning.CompareAndSwap(0, 1) {
		s.Needspinning.Store(false)
		s.Startm(mp, pp, true, false)
		return
	}
	s.Lock.Lock()
	if s.Gcwaiting.Load() {
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
		if s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
		return
	}
	if s.Npidle.Load() == s.Gomaxprocs.Get()-1 && s.Lastpoll.Load() != 0 {
		s.Lock.Unlock()
		s.Startm(mp, pp, false, false)
		return
	}
	if s.Needspinning.Load() {
		s.Needspinning.Store(false)
		s.Nmspinning.Add(1)
		s.Lock.Unlock()
		s.Startm(mp, pp, true, false)
		return
	}
	when := pp.Timers.WakeTime()
	s.Pidleput(pp, 0)
	s.Lock.Unlock()
	if when != 0 {
		s.Wakenetpoller(mp, when)
	}
}

type handoffToTheList struct{ *syscalls }

func (p handoffToTheList) Handoffp(mp *gmp.M, pp *gmp.P) {
	p.hands(mp, pp, false, false, true, true, true, true)
}

type handoffNotCounted struct{ *syscalls }

func (p handoffNotCounted) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	if s.Runqempty(pp) && s.Runqsize.Load() == 0 && s.Nmspinning.Load()+s.Npidle.Load() == 0 {
		s.Needspinning.Store(false)
		s.Startm(mp, pp, true, false)
		return
	}
	p.syscalls.Handoffp(mp, pp)
}

type handoffForgetsStop struct{ *syscalls }

func (p handoffForgetsStop) Handoffp(mp *gmp.M, pp *gmp.P) {
	p.hands(mp, pp, true, true, false, true, true, true)
}

type handoffLeavesTheNetwork struct{ *syscalls }

func (p handoffLeavesTheNetwork) Handoffp(mp *gmp.M, pp *gmp.P) {
	p.hands(mp, pp, true, true, true, false, true, true)
}

type handoffForgetsTimers struct{ *syscalls }

func (p handoffForgetsTimers) Handoffp(mp *gmp.M, pp *gmp.P) {
	p.hands(mp, pp, true, true, true, true, true, false)
}

type retakeAtOnce struct{ *syscalls }

func (p retakeAtOnce) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	return p.syscalls.RetakeSyscall(mp, pp, now, true)
}

type retakePatient struct{ *syscalls }

func (p retakePatient) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	if seen := pp.Sysmontick.Get(); seen.Syscalltick == pp.Syscalltick.Look() && seen.Syscallwhen+wanted > now {
		return false
	}
	return p.syscalls.RetakeSyscall(mp, pp, now, due)
}

type retakeStores struct{ *syscalls }

func (p retakeStores) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	s := p.s
	if pp.Status.Load() != gmp.Psyscall {
		return false
	}
	s.Incidlelocked(-1)
	pp.Status.Store(gmp.Pidle)
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	s.Handoffp(mp, pp)
	s.Incidlelocked(1)
	return true
}

type retakeKeepsTick struct{ *syscalls }

func (p retakeKeepsTick) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	p.s.Incidlelocked(-1)
	defer p.s.Incidlelocked(1)
	if pp.Sysmontick.Get().Syscalltick != pp.Syscalltick.Look() && !due {
		return p.syscalls.RetakeSyscall(mp, pp, now, due)
	}
	won := pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle)
	if won {
		p.s.Handoffp(mp, pp)
	}
	return won
}

type retakeNotAwake struct{ *syscalls }

func (p retakeNotAwake) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	won := pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle)
	if won {
		pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
		p.s.Handoffp(mp, pp)
	}
	return won
}

type retakeSleepsEarly struct{ *syscalls }

func (p retakeSleepsEarly) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	s := p.s
	if pp.Status.Load() != gmp.Psyscall {
		return false
	}
	seen, tick := pp.Sysmontick.Get(), pp.Syscalltick.Look()
	if !due && seen.Syscalltick != tick {
		seen.Syscalltick, seen.Syscallwhen = tick, now
		pp.Sysmontick.Set(seen)
		return false
	}
	if s.Runqempty(pp) && s.Nmspinning.Load()+s.Npidle.Load() > 0 && seen.Syscallwhen+10_000_000 > now {
		return false
	}
	s.Incidlelocked(-1)
	won := pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle)
	s.Incidlelocked(1)
	if won {
		pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
		s.Handoffp(mp, pp)
	}
	return won
}

// retakeLost is wrong when the M of the P has won it back: it claims the P, or leaves
// Nmidlelocked one too low.
type retakeLost struct {
	*syscalls
	claims bool
}

func (p retakeLost) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	inCall := pp.Status.Load() == gmp.Psyscall
	won := p.syscalls.RetakeSyscall(mp, pp, now, due)
	if lost := !won && inCall && pp.Status.Load() != gmp.Psyscall; lost && !p.claims {
		p.s.Incidlelocked(-1)
	} else if lost {
		return true
	}
	return won
}

type gcstopStores struct{ *syscalls }

func (p gcstopStores) GcstopSyscall(pp *gmp.P) bool {
	if pp.Status.Load() != gmp.Psyscall {
		return false
	}
	pp.Status.Store(gmp.Pgcstop)
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	p.s.Stopwait.Set(p.s.Stopwait.Get() - 1)
	return true
}

type gcstopSignals struct{ *syscalls }

func (p gcstopSignals) GcstopSyscall(pp *gmp.P) bool {
	won := p.syscalls.GcstopSyscall(pp)
	if won && p.s.Stopwait.Get() == 0 {
		p.s.Stopnote.Wakeup()
	}
	return won
}

type fastAsksOldp struct{ *syscalls }

func (p fastAsksOldp) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	if !p.s.ExitsyscallFast(mp, mp.Oldp.Get()) {
		mp.Oldp.Set(nil)
		p.s.ExitsyscallNoP(mp, gp)
		return
	}
	mp.Oldp.Set(nil)
	p.resumes(mp, gp)
}

func (p fastAsksOldp) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	return p.syscalls.ExitsyscallFast(mp, mp.Oldp.Get())
}

type exitGuardsAnew struct{ *syscalls }

func (p exitGuardsAnew) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	p.syscalls.Exitsyscall(mp, gp)
	if mp.Curg.Get() == gp && !gp.Preempt.Get() {
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
}

type handoffMachineTime struct{ *syscalls }

func (p handoffMachineTime) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	if !s.Runqempty(pp) || s.Runqsize.Load() > 0 || s.Gcwaiting.Load() || s.Needspinning.Load() || s.Nmspinning.Load()+s.Npidle.Load() == 0 {
		p.syscalls.Handoffp(mp, pp)
		return
	}
	s.Lock.Lock()
	s.Pidleput(pp, machine.Nanotime())
	s.Lock.Unlock()
}

type lockOnce struct{ *lockedThreads }

func (p lockOnce) UnlockOSThread(mp *gmp.M, gp *gmp.G) {
	mp.LockedExt.Set(0)
	mp.Lockedg.Set(nil)
	gp.Lockedm.Set(nil)
}

type unlockBelowZero struct{ *lockedThreads }

func (p unlockBelowZero) UnlockOSThread(mp *gmp.M, gp *gmp.G) {
	mp.LockedExt.Set(mp.LockedExt.Get() - 1)
	if mp.LockedExt.Get() == 0 {
		mp.Lockedg.Set(nil)
		gp.Lockedm.Set(nil)
	}
}

type idleLockedUnseen struct{ *lockedThreads }

func (p idleLockedUnseen) Incidlelocked(v int32) {
	p.s.Lock.Lock()
	p.s.Nmidlelocked.Set(p.s.Nmidlelocked.Get() + v)
	p.s.Lock.Unlock()
}

// wakesWithP is the end of Stoplockedm.
func (p *lockedThreads) wakesWithP(mp *gmp.M) {
	pp := mp.Nextp.Get()
	mp.Nextp.Set(nil)
	p.s.Acquirep(mp, pp)
}

type stopLockedOnList struct{ *lockedThreads }

func (p stopLockedOnList) Stoplockedm(mp *gmp.M) {
	s := p.s
	if mp.P.Get() != nil {
		s.Handoffp(mp, s.Releasep(mp))
	}
	s.Lock.Lock()
	s.Nmidlelocked.Set(s.Nmidlelocked.Get() + 1)
	s.Mput(mp)
	s.Lock.Unlock()
	s.MPark(mp)
	p.wakesWithP(mp)
}

type stopLockedDropsP struct{ *lockedThreads }

func (p stopLockedDropsP) Stoplockedm(mp *gmp.M) {
	s := p.s
	if mp.P.Get() != nil {
		s.Releasep(mp)
	}
	s.Incidlelocked(1)
	s.MPark(mp)
	p.wakesWithP(mp)
}

type stopLockedCountsFirst struct{ *lockedThreads }

func (p stopLockedCountsFirst) Stoplockedm(mp *gmp.M) {
	s := p.s
	s.Incidlelocked(1)
	if mp.P.Get() != nil {
		s.Handoffp(mp, s.Releasep(mp))
	}
	s.MPark(mp)
	p.wakesWithP(mp)
}

type startLockedWakesFirst struct{ *lockedThreads }

func (p startLockedWakesFirst) Startlockedm(mp *gmp.M, gp *gmp.G) {
	s, locked := p.s, gp.Lockedm.Get()
	s.Incidlelocked(-1)
	pp := s.Releasep(mp)
	locked.Park.Wakeup()
	locked.Nextp.Set(pp)
	s.Stopm(mp)
}

type startLockedCountsLate struct{ *lockedThreads }

func (p startLockedCountsLate) Startlockedm(mp *gmp.M, gp *gmp.G) {
	s, locked := p.s, gp.Lockedm.Get()
	locked.Nextp.Set(s.Releasep(mp))
	locked.Park.Wakeup()
	s.Stopm(mp)
	s.Incidlelocked(-1)
}

type exitMCountsFirst struct{ *lockedThreads }

func (p exitMCountsFirst) Mexit(mp *gmp.M) {
	s := p.s
	pp := s.Releasep(mp)
	s.Lock.Lock()
	s.Nmfreed.Set(s.Nmfreed.Get() + 1)
	s.Checkdead()
	s.Lock.Unlock()
	s.Handoffp(mp, pp)
	mp.Gone = true
}

type exitMZero struct{ *lockedThreads }

func (p exitMZero) Mexit(mp *gmp.M) {
	s := p.s
	s.Handoffp(mp, s.Releasep(mp))
	s.Lock.Lock()
	s.Nmfreed.Set(s.Nmfreed.Get() + 1)
	s.Checkdead()
	s.Lock.Unlock()
	mp.Gone = true
}

// finds is Schedule from where it looks for a G, as in chapter 8.
func (p *loop) finds(mp *gmp.M) {
	s := p.s
	gp, inheritTime, _ := s.FindRunnable(mp)
	if gp == nil {
		return
	}
	if mp.Spinning.Get() {
		s.Resetspinning(mp)
	}
	s.Execute(mp, gp, inheritTime)
}

type loopRunsLocked struct{ *loop }

func (p loopRunsLocked) Schedule(mp *gmp.M) {
	if mp.Lockedg.Get() != nil || mp.LockedExt.Get() > 0 {
		p.loop.Schedule(mp)
		return
	}
	p.finds(mp)
}

type loopFindsOther struct{ *loop }

func (p loopFindsOther) Schedule(mp *gmp.M) {
	if mp.Lockedg.Get() == nil {
		p.loop.Schedule(mp)
		return
	}
	p.finds(mp)
}

type loopSpinsOn struct{ *loop }

func (p loopSpinsOn) Schedule(mp *gmp.M) {
	s := p.s
	if mp.LockedExt.Get() > 0 {
		p.loop.Schedule(mp)
		return
	}
	for {
		gp, inheritTime, _ := s.FindRunnable(mp)
		if gp == nil {
			return
		}
		if gp.Lockedm.Get() != nil {
			s.Startlockedm(mp, gp)
			continue
		}
		if mp.Spinning.Get() {
			s.Resetspinning(mp)
		}
		s.Execute(mp, gp, inheritTime)
		return
	}
}

type loopOutlives struct{ *loop }

func (p loopOutlives) Schedule(mp *gmp.M) {
	if mp.Lockedg.Get() == nil {
		mp.LockedExt.Set(0)
	}
	p.loop.Schedule(mp)
}

type loopKeepsRequest struct{ *loop }

func (p loopKeepsRequest) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	if !inheritTime {
		mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() + 1)
	}
}

type loopTrustsSpinning struct{ *loop }

func (p loopTrustsSpinning) Schedule(mp *gmp.M) {
	s := p.s
	if mp.LockedExt.Get() != 0 {
		p.loop.Schedule(mp)
		return
	}
	for {
		gp, inheritTime, tryWakeP := s.FindRunnable(mp)
		if gp == nil {
			return
		}
		if mp.Spinning.Get() {
			s.Resetspinning(mp)
		}
		if tryWakeP {
			s.Wakep(mp)
		}
		if gp.Lockedm.Get() == nil {
			s.Execute(mp, gp, inheritTime)
			return
		}
		s.Startlockedm(mp, gp)
	}
}
