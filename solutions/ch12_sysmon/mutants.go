package ch12

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of Retake that are open are for
// the student's own test.
var Mutants = []check.Mutant{
	{
		Name: "slice-never-renewed", Check: "slice",
		What:  "Retake notes when it saw a P for the first time, and not when its slice began: from 10 ms on every slice ends at once",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, neverRenewed} }),
	},
	{
		Name: "slice-renewed-each-look", Check: "slice",
		What:  "Retake notes the time at every look, so no slice ever lasts for 10 ms",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, renewedEachLook} }),
	},
	{
		Name: "slice-tick-not-noted", Check: "slice",
		What:  "Retake notes the time of a new slice, and not its number: each look finds a new slice",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, tickNotNoted} }),
	},
	{
		Name: "slice-asked-once", Check: "slice",
		What:  "after a request Retake waits for another 10 ms, although the G may have lost it",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, askedOnce} }),
	},
	{
		Name: "slice-too-long", Check: "slice", Hidden: true,
		What:  "a slice is over when it has lasted for more than 10 ms",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, tooLong} }),
	},
	{
		Name: "retake-idle", Check: "states", Hidden: true,
		What:  "Retake asks idle Ps, too",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, anyState} }),
	},
	{
		Name: "retake-running-only", Check: "states", Hidden: true,
		What:  "Retake leaves out Ps whose Ms are in system calls: a G that blocks takes its P along",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, runningOnly} }),
	},
	{
		Name: "retake-overwrites", Check: "calls", Hidden: true,
		What:  "Retake writes Sysmontick back after RetakeSyscall, as it was before: each look finds a new system call, and none is ever taken",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, overwrites} }),
	},
	{
		Name: "retake-not-due", Check: "calls", Hidden: true,
		What:  "RetakeSyscall is not told that the slice is over",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, notDue} }),
	},
	{
		Name: "retake-counts-requests", Check: "calls", Hidden: true,
		What:  "Retake counts the Gs that it has asked to stop as well: beside a program that computes the monitor comes every 20 µs",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, countsRequests} }),
	},
	{
		Name: "retake-locked", Check: "calls", Hidden: true,
		What:  "Retake holds s.Lock all the time, and RetakeSyscall, which hands a P off, waits for it for ever",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, locked} }),
	},
	{
		Name: "retake-own-time", Check: "slice", Hidden: true,
		What:  "Retake asks the clock, and does not use the time that it is told",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, ownTime} }),
	},
	{
		Name: "retake-asks-late", Check: "calls", Hidden: true,
		What:  "Retake takes the P from a system call and then asks the G on it to stop, which may be one that another M has just begun",
		Parts: mutant(func(p *monitor) gmp.Monitor { return retakesFirst{p} }),
	},
	{
		Name: "retake-unlocked", Check: "race-resize", Hidden: true,
		What:  "Retake reads Allp without s.Lock; the world may be stopped, and another M may be writing it",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, unlocked} }),
	},
	{
		Name: "retake-gets-tick", Check: "race-switch", Hidden: true,
		What:  "Retake reads Schedtick as if it owned the P",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &retakes{p, getsTick} }),
	},
	{
		Name: "ask-guard-first", Check: "race-guard", Hidden: true,
		What:  "Preemptone poisons the guard and then sets Preempt: the guard may be set anew in between, and the request is lost",
		Parts: mutant(func(p *monitor) gmp.Monitor { return askGuardFirst{p} }),
	},
	{
		Name: "ask-guard-only", Check: "ask", Hidden: true,
		What:  "Preemptone poisons the guard and leaves Preempt alone",
		Parts: mutant(func(p *monitor) gmp.Monitor { return askGuardOnly{p} }),
	},
	{
		Name: "ask-looks-twice", Check: "race-switch", Hidden: true,
		What:  "Preemptone looks at Curg twice; the second time there may be none",
		Parts: mutant(func(p *monitor) gmp.Monitor { return asksLookingTwice{p} }),
	},
	{
		Name: "ask-gets", Check: "race-switch", Hidden: true,
		What:  "Preemptone reads Curg as if it were that M",
		Parts: mutant(func(p *monitor) gmp.Monitor { return asksGetting{p} }),
	},
	{
		Name: "ask-in-call", Check: "ask", Hidden: true,
		What:  "Preemptone asks a G that is in a system call, and whose scan bit is set, since it compares the whole state",
		Parts: mutant(func(p *monitor) gmp.Monitor { return asksInCall{p} }),
	},
	{
		Name: "ask-running-only", Check: "ask", Hidden: true,
		What:  "Preemptone asks only a G that is Grunning: one whose stack is moving goes on without a request",
		Parts: mutant(func(p *monitor) gmp.Monitor { return asksRunning{p} }),
	},
	{
		Name: "ask-signals-whom-it-sees", Check: "race-switch", Hidden: true,
		What:  "Preemptone looks at P.M again to send the signal; the second time there may be no M",
		Parts: mutant(func(p *monitor) gmp.Monitor { return asksAgain{p} }),
	},
	{
		Name: "ask-no-signal", Check: "ask-signal", Hidden: true,
		What:  "Preemptone sends no signal, and a loop without a call runs on",
		Parts: mutant(func(p *monitor) gmp.Monitor { return asksQuietly{p} }),
	},
	{
		Name: "ask-all-first", Check: "ask-all", Hidden: true,
		What:  "Preemptall asks one G, and no other after it could be asked",
		Parts: mutant(func(p *monitor) gmp.Monitor { return asksFirst{p} }),
	},
	{
		Name: "sleep-decides-unlocked", Check: "race-sleep", Hidden: true,
		What:  "SysmonSleep looks for a reason without the lock, and does not look again",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, decidesUnlocked} }),
	},
	{
		Name: "sleep-says-late", Check: "race-sleep", Hidden: true,
		What:  "SysmonSleep releases the lock before it sets Sysmonwait",
		Parts: mutant(func(p *monitor) gmp.Monitor { return sleepSaysLate{p} }),
	},
	{
		Name: "sleep-clears-unlocked", Check: "race-timeout", Hidden: true,
		What:  "SysmonSleep clears Sysmonwait and the note without the lock: an M that has seen Sysmonwait signals the note afterwards",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, clearsUnlocked} }),
	},
	{
		Name: "sleep-leaves-sign", Check: "deep", Hidden: true,
		What:  "SysmonSleep leaves Sysmonwait set when its time is over",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, leavesSign} }),
	},
	{
		Name: "sleep-leaves-note", Check: "deep", Hidden: true,
		What:  "SysmonSleep does not clear the note",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, leavesNote} }),
	},
	{
		Name: "sleep-through-timer", Check: "deep", Hidden: true,
		What:  "SysmonSleep does not look at the timers, and sleeps while Ps are busy again",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, throughTimer} }),
	},
	{
		Name: "sleep-by-machine-clock", Check: "deep", Hidden: true,
		What:  "SysmonSleep compares the time of the next timer with machine.Nanotime",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, machineClock} }),
	},
	{
		Name: "sleep-reads-timers", Check: "race-resize", Hidden: true,
		What:  "SysmonSleep asks for the next timer without the lock; TimeSleepUntil reads Allp, which another M may be writing",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, readsTimers} }),
	},
	{
		Name: "sleep-with-one-busy", Check: "deep", Hidden: true,
		What:  "SysmonSleep sleeps as soon as one P is idle",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, oneIsEnough} }),
	},
	{
		Name: "sleep-holds-lock", Check: "deep", Hidden: true,
		What:  "SysmonSleep sleeps with s.Lock held",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, holdsLock} }),
	},
	{
		Name: "sleep-reads-procs", Check: "race-resize", Hidden: true,
		What:  "SysmonSleep reads Gomaxprocs without the lock; the world may be stopped, and another M may be writing it",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &sleeps{p, readsProcs} }),
	},
	{
		Name: "poll-stores", Check: "race-poll", Hidden: true,
		What:  "SysmonPoll stores the time in Lastpoll, and overwrites the 0 of an M that waits there",
		Parts: mutant(func(p *monitor) gmp.Monitor { return pollStores{p} }),
	},
	{
		Name: "poll-beside-m", Check: "poll", Hidden: true,
		What:  "SysmonPoll takes a Lastpoll of 0 for a time",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &polls{p, besideM} }),
	},
	{
		Name: "poll-own-time", Check: "poll", Hidden: true,
		What:  "SysmonPoll asks the clock, and does not use the time that it is told",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &polls{p, pollsOwnTime} }),
	},
	{
		Name: "poll-uncounted", Check: "race-inject", Hidden: true,
		What:  "SysmonPoll gives Gs to Injectglist and does not count itself meanwhile: the last M that goes to sleep finds a deadlock",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &polls{p, uncounted} }),
	},
	{
		Name: "poll-counts-late", Check: "poll", Hidden: true,
		What:  "SysmonPoll counts itself after Injectglist",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &polls{p, countsLate} }),
	},
	{
		Name: "back-off-at-once", Check: "back-off", Hidden: true,
		What:  "Sysmon sleeps twice as long after each idle round, from the first on",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, atOnce} }),
	},
	{
		Name: "back-off-for-ever", Check: "long", Hidden: true,
		What:  "Sysmon doubles its sleep without an end",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, forEver} }),
	},
	{
		Name: "back-off-stays", Check: "back-off", Hidden: true,
		What:  "Sysmon sleeps as long as before when another M has woken it",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, stays} }),
	},
	{
		Name: "woken-next-round", Check: "back-off", Hidden: true,
		What:  "Sysmon begins the next round when another M has woken it, and leaves out the duties of this one",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, nextRound} }),
	},
	{
		Name: "no-retake", Check: "duties", Hidden: true,
		What:  "Sysmon never calls Retake",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, noRetake} }),
	},
	{
		Name: "machine-time", Check: "duties", Hidden: true,
		What:  "Sysmon tells all the time of machine.Nanotime, which is ahead of the program's clock",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, machineTime} }),
	},
	{
		Name: "old-time", Check: "duties", Hidden: true,
		What:  "Sysmon looks at the clock before it sleeps soundly, and so sees slices end that have just begun",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, oldTime} }),
	},
	{
		Name: "trace-sleeps", Check: "traces", Hidden: true,
		What:  "Sysmon sleeps soundly although a line is to be printed",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, sleepsSoundly} }),
	},
	{
		Name: "trace-each-round", Check: "traces", Hidden: true,
		What:  "Sysmon prints a line in every round",
		Parts: mutant(func(p *monitor) gmp.Monitor { return &rounds{p, eachRound} }),
	},
	{
		Name: "line-since-boot", Check: "line", Hidden: true,
		What:  "Schedtrace prints the time since the program began",
		Parts: mutant(func(p *monitor) gmp.Monitor { return lineSinceBoot{p} }),
	},
}

func mutant(broken func(p *monitor) gmp.Monitor) gmp.Version {
	return gmp.Version{Monitor: func(s *gmp.Sched) gmp.Monitor { return broken(&monitor{s: s}) }}
}

// A flaw is a mistake in one of the methods.
type flaw int

const (
	none flaw = iota
	// of Retake
	neverRenewed
	renewedEachLook
	tickNotNoted
	askedOnce
	tooLong
	anyState
	runningOnly
	overwrites
	notDue
	countsRequests
	locked
	unlocked
	getsTick
	ownTime
	// of SysmonSleep
	decidesUnlocked
	clearsUnlocked
	leavesSign
	leavesNote
	throughTimer
	oneIsEnough
	holdsLock
	readsProcs
	readsTimers
	machineClock
	// of SysmonPoll
	besideM
	pollsOwnTime
	uncounted
	countsLate
	// of Sysmon
	atOnce
	forEver
	stays
	nextRound
	noRetake
	machineTime
	oldTime
	sleepsSoundly
	eachRound
)

// retakes is Retake once more, with a flaw.
type retakes struct {
	*monitor
	flaw flaw
}

func (p *retakes) Retake(mp *gmp.M, now int64) (n uint32) {
	s := p.s
	if p.flaw == ownTime {
		now = s.Nanotime()
	}
	if p.flaw != unlocked {
		s.Lock.Lock()
	}
	all := s.Allp.Get()
	switch p.flaw {
	case unlocked:
	case locked:
		defer s.Lock.Unlock()
	default:
		s.Lock.Unlock()
	}
	for _, pp := range all {
		st := pp.Status.Load()
		interesting := st == gmp.Prunning || st == gmp.Psyscall && p.flaw != runningOnly
		if !interesting && p.flaw != anyState {
			continue
		}
		over, asked := p.over(mp, pp, now)
		before := pp.Sysmontick.Get()
		if s.RetakeSyscall(mp, pp, now, over && p.flaw != notDue) || asked && p.flaw == countsRequests {
			n++
		}
		if p.flaw == overwrites {
			pp.Sysmontick.Set(before)
		}
	}
	return n
}

// over reports whether the slice of pp is, and whether its G was asked to stop.
func (p *retakes) over(mp *gmp.M, pp *gmp.P, now int64) (over, asked bool) {
	tick := pp.Sysmontick.Get()
	defer func() { pp.Sysmontick.Set(tick) }()
	t := uint32(0)
	if p.flaw == getsTick {
		t = pp.Schedtick.Get()
	} else {
		t = pp.Schedtick.Look()
	}
	enough := int64(slice)
	if p.flaw == tooLong {
		enough++
	}
	if t != tick.Schedtick || p.flaw == renewedEachLook {
		if p.flaw != tickNotNoted {
			tick.Schedtick = t
		}
		if p.flaw != neverRenewed || tick.Schedwhen == 0 {
			tick.Schedwhen = now
		}
		return false, false
	}
	if tick.Schedwhen+enough > now {
		return false, false
	}
	if p.flaw == askedOnce {
		tick.Schedwhen = now
	}
	return true, p.s.Preemptone(mp, pp)
}

// runs is what a P runs that is not the monitor's own.
func (p *monitor) runs(mp *gmp.M, pp *gmp.P) (*gmp.M, *gmp.G) {
	target := pp.M.Look()
	if target == nil || target == mp {
		return nil, nil
	}
	gp := target.Curg.Look()
	if gp == nil || gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Gsyscall {
		return target, nil
	}
	return target, gp
}

// signal does what Go 1.14 adds.
func (p *monitor) signal(mp *gmp.M, pp *gmp.P, target *gmp.M) {
	if p.s.Version().Signals != nil {
		pp.Preempt.Set(true)
		p.s.PreemptM(mp, target)
	}
}

type askGuardFirst struct{ *monitor }

func (p askGuardFirst) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	s := p.s
	target := pp.M.Look()
	if target == nil || target == mp {
		return false
	}
	gp := target.Curg.Look()
	if gp == nil || gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Gsyscall {
		return false
	}
	gp.Sched.Guard.Store(machine.StackPreempt)
	gp.Preempt.Set(true)
	if s.Version().Signals != nil {
		pp.Preempt.Set(true)
		s.PreemptM(mp, target)
	}
	return true
}

type askGuardOnly struct{ *monitor }

func (p askGuardOnly) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	target, gp := p.runs(mp, pp)
	if gp == nil {
		return false
	}
	gp.Sched.Guard.Store(machine.StackPreempt)
	p.signal(mp, pp, target)
	return true
}

type asksLookingTwice struct{ *monitor }

func (p asksLookingTwice) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	target := pp.M.Look()
	if target == nil || target == mp || target.Curg.Look() == nil {
		return false
	}
	if target.Curg.Look().Atomicstatus.Load()&^gmp.Gscan == gmp.Gsyscall {
		return false
	}
	gp := target.Curg.Look()
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
	p.signal(mp, pp, target)
	return true
}

type asksGetting struct{ *monitor }

func (p asksGetting) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	target := pp.M.Look()
	if target == nil || target == mp {
		return false
	}
	gp := target.Curg.Get()
	if gp == nil || gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Gsyscall {
		return false
	}
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
	p.signal(mp, pp, target)
	return true
}

type asksInCall struct{ *monitor }

func (p asksInCall) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	target := pp.M.Look()
	if target == nil || target == mp {
		return false
	}
	gp := target.Curg.Look()
	if gp == nil || gp.Atomicstatus.Load() == gmp.Gsyscall {
		return false
	}
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
	p.signal(mp, pp, target)
	return true
}

type asksRunning struct{ *monitor }

func (p asksRunning) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	if target := pp.M.Look(); target != nil {
		if gp := target.Curg.Look(); gp != nil && gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
			return false
		}
	}
	return p.monitor.Preemptone(mp, pp)
}

type retakesFirst struct{ *monitor }

func (p retakesFirst) Retake(mp *gmp.M, now int64) (n uint32) {
	s := p.s
	s.Lock.Lock()
	all := s.Allp.Get()
	s.Lock.Unlock()
	for _, pp := range all {
		if st := pp.Status.Load(); st != gmp.Prunning && st != gmp.Psyscall {
			continue
		}
		tick, t := pp.Sysmontick.Get(), pp.Schedtick.Look()
		due := t == tick.Schedtick && tick.Schedwhen+slice <= now
		if t != tick.Schedtick {
			tick.Schedtick, tick.Schedwhen = t, now
			pp.Sysmontick.Set(tick)
		}
		if s.RetakeSyscall(mp, pp, now, due) {
			n++
		}
		if due {
			s.Preemptone(mp, pp)
		}
	}
	return n
}

type asksAgain struct{ *monitor }

func (p asksAgain) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	_, gp := p.runs(mp, pp)
	if gp == nil {
		return false
	}
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
	p.signal(mp, pp, pp.M.Look())
	return true
}

type asksQuietly struct{ *monitor }

func (p asksQuietly) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	_, gp := p.runs(mp, pp)
	if gp == nil {
		return false
	}
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
	return true
}

type asksFirst struct{ *monitor }

func (p asksFirst) Preemptall(mp *gmp.M) bool {
	for _, pp := range p.s.Allp.Get() {
		if pp.Status.Load() == gmp.Prunning && p.s.Preemptone(mp, pp) {
			return true
		}
	}
	return false
}

// sleeps is SysmonSleep once more, with a flaw.
type sleeps struct {
	*monitor
	flaw flaw
}

func (p *sleeps) SysmonSleep(mp *gmp.M) (woken bool) {
	s := p.s
	reason := func() bool {
		idle := s.Npidle.Load()
		return s.Gcwaiting.Load() || idle == s.Gomaxprocs.Get() || p.flaw == oneIsEnough && idle > 0
	}
	switch p.flaw {
	case readsProcs:
		if !reason() {
			return false
		}
	case decidesUnlocked:
		s.Lock.Lock()
		all := s.Gomaxprocs.Get()
		s.Lock.Unlock()
		if !s.Gcwaiting.Load() && s.Npidle.Load() != all {
			return false
		}
		reason = func() bool { return true }
	}
	next := int64(0)
	if p.flaw == readsTimers {
		next = s.TimeSleepUntil()
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if p.flaw != readsTimers {
		next = s.TimeSleepUntil()
	}
	if p.flaw == throughTimer {
		next = gmp.MaxWhen
	}
	now := s.Nanotime()
	if p.flaw == machineClock {
		now = machine.Nanotime()
	}
	if !reason() || next <= now {
		return false
	}
	s.Sysmonwait.Store(true)
	if p.flaw != holdsLock {
		s.Lock.Unlock()
	}
	woken = s.Sysmonnote.SleepTimeout(min(next-now, gmp.ForceGCPeriod/2))
	if p.flaw == clearsUnlocked {
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Clear()
	}
	if p.flaw != holdsLock {
		s.Lock.Lock()
	}
	if p.flaw != leavesSign && p.flaw != clearsUnlocked {
		s.Sysmonwait.Store(false)
	}
	if p.flaw != leavesNote && p.flaw != clearsUnlocked {
		s.Sysmonnote.Clear()
	}
	return woken
}

type sleepSaysLate struct{ *monitor }

func (p sleepSaysLate) SysmonSleep(mp *gmp.M) bool {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	wait := min(s.TimeSleepUntil()-s.Nanotime(), gmp.ForceGCPeriod/2)
	if wait <= 0 || !s.Gcwaiting.Load() && s.Npidle.Load() != s.Gomaxprocs.Get() {
		return false
	}
	s.Lock.Unlock()
	s.Sysmonwait.Store(true)
	woken := s.Sysmonnote.SleepTimeout(wait)
	s.Lock.Lock()
	s.Sysmonwait.Store(false)
	s.Sysmonnote.Clear()
	return woken
}

type pollStores struct{ *monitor }

func (p pollStores) SysmonPoll(mp *gmp.M, now int64) {
	s := p.s
	last := s.Lastpoll.Load()
	if last == 0 || last+10_000_000 >= now {
		return
	}
	s.Lastpoll.Store(now)
	if list := s.Netpoll(mp, 0); list.Head != nil {
		s.Incidlelocked(-1)
		s.Injectglist(mp, list)
		s.Incidlelocked(1)
	}
}

// polls is SysmonPoll once more, with a flaw.
type polls struct {
	*monitor
	flaw flaw
}

func (p *polls) SysmonPoll(mp *gmp.M, now int64) {
	s := p.s
	if p.flaw == pollsOwnTime {
		now = s.Nanotime()
	}
	last := s.Lastpoll.Load()
	if last == 0 && p.flaw != besideM || now-last <= pollPeriod {
		return
	}
	s.Lastpoll.CompareAndSwap(last, now)
	list := s.Netpoll(mp, 0)
	if list.Head == nil {
		return
	}
	switch p.flaw {
	case uncounted:
		s.Injectglist(mp, list)
	case countsLate:
		s.Injectglist(mp, list)
		s.Incidlelocked(-1)
		s.Incidlelocked(1)
	default:
		s.Incidlelocked(-1)
		s.Injectglist(mp, list)
		s.Incidlelocked(1)
	}
}

// rounds is Sysmon once more, with a flaw.
type rounds struct {
	*monitor
	flaw flaw
}

func (p *rounds) Sysmon(mp *gmp.M) {
	s := p.s
	every, detailed := s.SchedtraceEvery()
	quiet, sleep, last := 0, uint32(shortest), -every
	for !s.Exited() {
		machine.Usleep(sleep)
		now := s.Nanotime()
		if (every == 0 || p.flaw == sleepsSoundly) && s.SysmonSleep(mp) && p.flaw != stays {
			quiet, sleep = 0, shortest
			if p.flaw == nextRound {
				continue
			}
		}
		switch p.flaw {
		case oldTime:
		case machineTime:
			now = machine.Nanotime()
		default:
			now = s.Nanotime()
		}
		s.SysmonPoll(mp, now)
		s.ScavengerWake(mp)
		if quiet++; p.flaw != noRetake && s.Retake(mp, now) > 0 {
			quiet, sleep = 0, shortest
		}
		s.ForceGC(mp, now)
		if every > 0 && (now-last >= every || p.flaw == eachRound) {
			last = now
			s.Schedtrace(detailed)
		}
		if quiet > patience || quiet > 0 && p.flaw == atOnce {
			if sleep *= 2; p.flaw != forEver {
				sleep = min(sleep, longest)
			}
		}
	}
}

type lineSinceBoot struct{ *monitor }

func (p lineSinceBoot) Schedtrace(detailed bool) {
	p.since.Set(1)
	p.monitor.Schedtrace(detailed)
}
