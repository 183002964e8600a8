package ch17

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of RunSafePointFn that are open
// are for the student's own test.
var Mutants = append(worldMutants, gcMutants...)

var worldMutants = []check.Mutant{
	{
		Name: "safe-always", Check: "safe-point",
		What:  "the function is called for a P that has called it already",
		Parts: mutant(func(p right) gmp.World { return safe{p, "always"} }),
	},
	{
		Name: "safe-keeps-flag", Check: "safe-point",
		What:  "RunSafePointFn of the P stays 1",
		Parts: mutant(func(p right) gmp.World { return safe{p, "keeps"} }),
	},
	{
		Name: "safe-wakes-all", Check: "safe-point",
		What:  "whoever counts signals the note, and not only the last one",
		Parts: mutant(func(p right) gmp.World { return safe{p, "wakes"} }),
	},
	{
		Name: "safe-wakes-none", Check: "safe-point",
		What:  "nobody signals the note",
		Parts: mutant(func(p right) gmp.World { return safe{p, "sleeps"} }),
	},
	{
		Name: "safe-counts-first", Check: "race-each-idle", Hidden: true,
		What:  "RunSafePointFn counts the P, and then calls the function: ForEachP returns too early",
		Parts: mutant(func(p right) gmp.World { return safeCountsFirst{p} }),
	},
	{
		Name: "sema-unlocks-early", Check: "race-sema", Hidden: true,
		What:  "StopTheWorld releases Worldlock before gp waits: gp is made ready while it still runs",
		Parts: mutant(func(p right) gmp.World { return semaUnlocksEarly{p} }),
	},
	{
		Name: "sema-cont-late", Check: "sema", Hidden: true,
		What:  "gp.Cont is set when gp has parked",
		Parts: mutant(func(p right) gmp.World { return semaContLate{p} }),
	},
	{
		Name: "sema-last-first", Check: "sema", Hidden: true,
		What:  "whoever comes last is the first on Worldqueue",
		Parts: mutant(func(p right) gmp.World { return semaLastFirst{p} }),
	},
	{
		Name: "sema-old-m", Check: "sema", Hidden: true,
		What:  "gp has waited, and stops the world in the name of the M that it ran on before",
		Parts: mutant(func(p right) gmp.World { return semaOldM{p} }),
	},
	{
		Name: "handover-lets-go", Check: "handover", Hidden: true,
		What:  "Worldsema is free although a G waits, which is woken: another one is faster",
		Parts: mutant(func(p right) gmp.World { return handoverLetsGo{p} }),
	},
	{
		Name: "handover-early", Check: "handover", Hidden: true,
		What:  "Worldsema is given up before the world is started",
		Parts: mutant(func(p right) gmp.World { return handoverEarly{p} }),
	},
	{
		Name: "gcstopm-looks-late", Check: "race-last", Hidden: true,
		What:  "Gcstopm counts with the lock held, and looks at the count without it",
		Parts: mutant(func(p right) gmp.World { return gcstopmLooksLate{p} }),
	},
	{
		Name: "gcstopm-unlocked", Check: "race-last", Hidden: true,
		What:  "Gcstopm counts without the lock",
		Parts: mutant(func(p right) gmp.World { return gcstopm{p, "unlocked"} }),
	},
	{
		Name: "gcstopm-spins", Check: "gcstopm", Hidden: true,
		What:  "an M that stops is still counted as spinning: nobody is woken for new work any more",
		Parts: mutant(func(p right) gmp.World { return gcstopm{p, "spins"} }),
	},
	{
		Name: "gcstopm-idle", Check: "gcstopm", Hidden: true,
		What:  "a P that stops stays idle",
		Parts: mutant(func(p right) gmp.World { return gcstopm{p, "idle"} }),
	},
	{
		Name: "stop-flag-late", Check: "race-enter", Hidden: true,
		What:  "Gcwaiting is set after the look at the Ps in system calls: an M that enters one in between has looked in vain, too",
		Parts: mutant(func(p right) gmp.World { return stop{p, flagLate} }),
	},
	{
		Name: "stop-no-calls", Check: "stop", Hidden: true,
		What:  "the Ps in system calls are left to their Ms",
		Parts: mutant(func(p right) gmp.World { return stop{p, noCalls} }),
	},
	{
		Name: "stop-no-idle", Check: "stop", Hidden: true,
		What:  "the idle Ps are not stopped",
		Parts: mutant(func(p right) gmp.World { return stop{p, noIdle} }),
	},
	{
		Name: "stop-asks-once", Check: "stop", Hidden: true,
		What:  "a request to stop that comes too early is not made again",
		Parts: mutant(func(p right) gmp.World { return stop{p, asksOnce} }),
	},
	{
		Name: "stop-asks-nobody-again", Check: "stop", Hidden: true,
		What:  "StopTheWorldWithSema wakes every 100 µs, and asks nobody again",
		Parts: mutant(func(p right) gmp.World { return stop{p, asksNobodyAgain} }),
	},
	{
		Name: "stop-note-stays", Check: "race-twice", Hidden: true,
		What:  "Stopnote is not cleared: the next stop does not wait",
		Parts: mutant(func(p right) gmp.World { return stop{p, noteStays} }),
	},
	{
		Name: "stop-runs-on", Check: "race-suspend", Hidden: true,
		What:  "the G that stops the world counts as running: two Ms wait for each other",
		Parts: mutant(func(p right) gmp.World { return stop{p, runsOn} }),
	},
	{
		Name: "stop-unlocks-early", Check: "race-startm", Hidden: true,
		What:  "the lock is released between the Ps in calls and the idle ones, and they are taken without it",
		Parts: mutant(func(p right) gmp.World { return stop{p, unlocksEarly} }),
	},
	{
		Name: "start-no-wakep", Check: "race-spin", Hidden: true,
		What:  "nobody is woken but for Ps with work: what a spinning M was relied on for waits",
		Parts: mutant(func(p right) gmp.World { return start{p, "wakep"} }),
	},
	{
		Name: "start-other-clock", Check: "start", Hidden: true,
		What:  "the time is that of the machine, whose clock began before the program",
		Parts: mutant(func(p right) gmp.World { return start{p, "clock"} }),
	},
	{
		Name: "start-link-late", Check: "start", Hidden: true,
		What:  "the Link of a P is followed after an M has it",
		Parts: mutant(func(p right) gmp.World { return start{p, "link"} }),
	},
	{
		Name: "start-first-only", Check: "race-work", Hidden: true,
		What:  "the Ps with work are put on the list of idle ones by whoever wakes, and nobody does",
		Parts: mutant(func(p right) gmp.World { return start{p, "work"} }),
	},
	{
		Name: "start-flag-first", Check: "start", Hidden: true,
		What:  "Gcwaiting is false before the Ps are given out",
		Parts: mutant(func(p right) gmp.World { return start{p, "flag"} }),
	},
	{
		Name: "start-monitor-sleeps", Check: "wakes", Hidden: true,
		What:  "the monitor sleeps on while Ps run",
		Parts: mutant(func(p right) gmp.World { return start{p, "monitor"} }),
	},
	{
		Name: "each-calls-once", Check: "race-each-enter", Hidden: true,
		What:  "ForEachP looks once at the Ps in system calls: one that enters its call after that is never taken",
		Parts: mutant(func(p right) gmp.World { return each{p, callsOnce} }),
	},
	{
		Name: "each-hands-off-first", Check: "race-each-call", Hidden: true,
		What:  "a P that is taken from a call is handed off, and then the function is called for it",
		Parts: mutant(func(p right) gmp.World { return each{p, handsOffFirst} }),
	},
	{
		Name: "each-idle-unlocked", Check: "race-each-carried", Hidden: true,
		What:  "the idle Ps are gone through without the lock",
		Parts: mutant(func(p right) gmp.World { return each{p, idleUnlocked} }),
	},
	{
		Name: "each-idle-by-state", Check: "race-each-carried", Hidden: true,
		What:  "the idle Ps are found by their state: one that is on its way to an M is idle, too, and has an owner",
		Parts: mutant(func(p right) gmp.World { return each{p, idleByState} }),
	},
	{
		Name: "each-fn-late", Check: "race-each-idle", Hidden: true,
		What:  "the Ps are told to call the function before it is known",
		Parts: mutant(func(p right) gmp.World { return each{p, fnLate} }),
	},
	{
		Name: "each-counts-calls", Check: "each", Hidden: true,
		What:  "Stopwait is left as it was counted down for a P in a call: the next stop is one short",
		Parts: mutant(func(p right) gmp.World { return each{p, countsCalls} }),
	},
	{
		Name: "each-without-own", Check: "each", Hidden: true,
		What:  "the caller's own P is forgotten",
		Parts: mutant(func(p right) gmp.World { return each{p, withoutOwn} }),
	},
}

// right is the part that a mutant breaks.
type right struct {
	gmp.World
	s *gmp.Sched
}

func mutant(wrap func(p right) gmp.World) gmp.Version {
	return gmp.Version{World: func(s *gmp.Sched) gmp.World { return wrap(right{NewWorld(s), s}) }}
}

type safe struct {
	right
	flaw string
}

func (p safe) RunSafePointFn(pp *gmp.P, lockheld bool) {
	s := p.s
	switch {
	case p.flaw == "always":
		pp.RunSafePointFn.Store(0)
	case pp.RunSafePointFn.Load() == 0:
		return
	case p.flaw != "keeps":
		pp.RunSafePointFn.Store(0)
	}
	s.SafePointFn.Get()(pp)
	if !lockheld {
		s.Lock.Lock()
	}
	s.SafePointWait.Set(s.SafePointWait.Get() - 1)
	if p.flaw == "wakes" || p.flaw != "sleeps" && s.SafePointWait.Get() == 0 {
		s.SafePointNote.Wakeup()
	}
	if !lockheld {
		s.Lock.Unlock()
	}
}

type safeCountsFirst struct{ right }

func (p safeCountsFirst) RunSafePointFn(pp *gmp.P, lockheld bool) {
	s := p.s
	if !pp.RunSafePointFn.CompareAndSwap(1, 0) {
		return
	}
	fn := s.SafePointFn.Get()
	if !lockheld {
		s.Lock.Lock()
	}
	s.SafePointWait.Set(s.SafePointWait.Get() - 1)
	if s.SafePointWait.Get() == 0 {
		s.SafePointNote.Wakeup()
	}
	if !lockheld {
		s.Lock.Unlock()
	}
	fn(pp)
}

type semaUnlocksEarly struct{ right }

func (p semaUnlocksEarly) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	s := p.s
	s.Worldlock.Lock()
	if s.Worldsema.Load() {
		gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
			s.StopTheWorldWithSema(mp, reason)
			then(s, mp, gp)
		})
		s.Worldqueue.PushBack(gp)
		s.Worldlock.Unlock()
		s.Gopark(mp, gp, nil, nil, gmp.WaitReasonSemacquire)
		return
	}
	s.Worldsema.Store(true)
	s.Worldlock.Unlock()
	s.StopTheWorldWithSema(mp, reason)
	then(s, mp, gp)
}

// waits does what a G does that has to wait, with some steps of its own.
func (p right) waits(mp *gmp.M, gp *gmp.G, queue func(), cont func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	s := p.s
	queue()
	gp.Cont.Set(cont)
	s.Gopark(mp, gp, func(*gmp.G, any) bool { s.Worldlock.Unlock(); return true }, nil, gmp.WaitReasonSemacquire)
}

// taken reports whether another G has Worldsema; then Worldlock is held.
func (p right) taken() bool {
	p.s.Worldlock.Lock()
	if p.s.Worldsema.Load() {
		return true
	}
	p.s.Worldlock.Unlock()
	return false
}

type semaContLate struct{ right }

func (p semaContLate) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	if !p.taken() {
		p.World.StopTheWorld(mp, gp, reason, then)
		return
	}
	p.waits(mp, gp, func() { p.s.Worldqueue.PushBack(gp) }, nil)
	gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		s.StopTheWorldWithSema(mp, reason)
		then(s, mp, gp)
	})
}

type semaLastFirst struct{ right }

func (p semaLastFirst) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	if !p.taken() {
		p.World.StopTheWorld(mp, gp, reason, then)
		return
	}
	p.waits(mp, gp, func() {
		var q gmp.GQueue
		q.PushBack(gp)
		for other := p.s.Worldqueue.Pop(); other != nil; other = p.s.Worldqueue.Pop() {
			q.PushBack(other)
		}
		p.s.Worldqueue.Set(q)
	}, func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		s.StopTheWorldWithSema(mp, reason)
		then(s, mp, gp)
	})
}

type semaOldM struct{ right }

func (p semaOldM) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	if !p.taken() {
		p.World.StopTheWorld(mp, gp, reason, then)
		return
	}
	p.waits(mp, gp, func() { p.s.Worldqueue.PushBack(gp) }, func(s *gmp.Sched, _ *gmp.M, gp *gmp.G) {
		s.StopTheWorldWithSema(mp, reason)
		then(s, mp, gp)
	})
}

type handoverLetsGo struct{ right }

func (p handoverLetsGo) StartTheWorld(mp *gmp.M) {
	s := p.s
	s.StartTheWorldWithSema(mp, 0)
	s.Worldlock.Lock()
	next := s.Worldqueue.Pop()
	s.Worldsema.Store(false)
	s.Worldlock.Unlock()
	if next != nil {
		s.Goready(mp, next)
	}
}

type handoverEarly struct{ right }

func (p handoverEarly) StartTheWorld(mp *gmp.M) {
	s := p.s
	s.Worldlock.Lock()
	next := s.Worldqueue.Pop()
	if next == nil {
		s.Worldsema.Store(false)
	}
	s.Worldlock.Unlock()
	s.StartTheWorldWithSema(mp, 0)
	if next != nil {
		s.Goready(mp, next)
	}
}

type gcstopmLooksLate struct{ right }

func (p gcstopmLooksLate) Gcstopm(mp *gmp.M) {
	s := p.s
	if !s.Gcwaiting.Load() {
		s.Throw("gcstopm: not waiting for gc")
	}
	if mp.Spinning.Get() {
		mp.Spinning.Set(false)
		if s.Nmspinning.Add(-1) < 0 {
			s.Throw("gcstopm: negative nmspinning")
		}
	}
	pp := s.Releasep(mp)
	s.Lock.Lock()
	pp.Status.Store(gmp.Pgcstop)
	left := s.Stopwait.Get() - 1
	s.Stopwait.Set(left)
	s.Lock.Unlock()
	if s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
	s.Stopm(mp)
}

type gcstopm struct {
	right
	flaw string
}

func (p gcstopm) Gcstopm(mp *gmp.M) {
	s := p.s
	if !s.Gcwaiting.Load() {
		s.Throw("gcstopm: not waiting for gc")
	}
	if mp.Spinning.Get() {
		mp.Spinning.Set(false)
		if p.flaw != "spins" && s.Nmspinning.Add(-1) < 0 {
			s.Throw("gcstopm: negative nmspinning")
		}
	}
	pp := s.Releasep(mp)
	if p.flaw != "unlocked" {
		s.Lock.Lock()
	}
	if p.flaw != "idle" {
		pp.Status.Store(gmp.Pgcstop)
	}
	s.Stopwait.Set(s.Stopwait.Get() - 1)
	if s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
	if p.flaw != "unlocked" {
		s.Lock.Unlock()
	}
	s.Stopm(mp)
}

// The flaws of a stop.
type stopFlaw int

const (
	flagLate stopFlaw = iota
	countLate
	noCalls
	noIdle
	asksOnce
	asksNobodyAgain
	noteStays
	runsOn
	unlocksEarly
)

type stop struct {
	right
	flaw stopFlaw
}

func (p stop) StopTheWorldWithSema(mp *gmp.M, reason string) {
	s := p.s
	gp := mp.Curg.Get()
	if p.flaw == runsOn {
		gp = nil
	}
	if gp != nil {
		gp.Waitreason.Set(gmp.WaitReasonStoppingTheWorld)
		s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	}
	s.Lock.Lock()
	if p.flaw != countLate {
		s.Stopwait.Set(s.Gomaxprocs.Get())
	}
	if p.flaw != flagLate {
		s.Gcwaiting.Store(true)
	}
	if p.flaw == countLate {
		s.Stopwait.Set(s.Gomaxprocs.Get())
	}
	if s.Version().Monitor != nil {
		s.Preemptall(mp)
	}
	one := func(pp *gmp.P) {
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
	}
	one(mp.P.Get())
	if s.Version().Syscalls != nil && p.flaw != noCalls {
		for _, pp := range s.Allp.Get() {
			s.GcstopSyscall(pp)
		}
	}
	s.Gcwaiting.Store(true)
	if p.flaw == unlocksEarly {
		s.Lock.Unlock()
	}
	for p.flaw != noIdle {
		pp, _ := s.Pidleget(1)
		if pp == nil {
			break
		}
		one(pp)
	}
	if p.flaw == unlocksEarly {
		s.Lock.Lock()
	}
	wait := s.Stopwait.Get() > 0
	s.Lock.Unlock()
	if wait {
		if p.flaw == asksOnce {
			s.Stopnote.Sleep()
		}
		for !s.Stopnote.SleepTimeout(again) {
			if p.flaw != asksNobodyAgain {
				s.Preemptall(mp)
			}
		}
		if p.flaw != noteStays {
			s.Stopnote.Clear()
		}
	}
	if s.Stopwait.Get() != 0 {
		s.Throw("stopTheWorld: not stopped (stopwait != 0)")
	}
	for _, pp := range s.Allp.Get() {
		if pp.Status.Load() != gmp.Pgcstop {
			s.Throw("stopTheWorld: not stopped (status != _Pgcstop)")
		}
	}
	if gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
}

type start struct {
	right
	flaw string
}

func (p start) StartTheWorldWithSema(mp *gmp.M, now int64) int64 {
	s := p.s
	list := s.Netpoll(mp, 0)
	s.Injectglist(mp, list)
	s.Lock.Lock()
	procs := s.Gomaxprocs.Get()
	if s.Newprocs.Get() != 0 {
		procs = s.Newprocs.Get()
		s.Newprocs.Set(0)
	}
	if p.flaw == "flag" {
		s.Gcwaiting.Store(false)
	}
	runnable := s.Procresize(mp, procs)
	s.Gcwaiting.Store(false)
	if p.flaw != "monitor" && s.Sysmonwait.Load() {
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
	}
	s.Lock.Unlock()
	for runnable != nil && p.flaw != "work" {
		pp := runnable
		if p.flaw == "link" {
			s.Startm(mp, pp, false, false)
			runnable = pp.Link.Get()
			pp.Link.Set(nil)
			continue
		}
		runnable = pp.Link.Get()
		pp.Link.Set(nil)
		s.Startm(mp, pp, false, false)
	}
	if now == 0 {
		now = s.Nanotime()
		if p.flaw == "clock" {
			now = machine.Nanotime()
		}
	}
	if p.flaw != "wakep" {
		s.Wakep(mp)
	}
	return now
}

// The flaws of ForEachP.
type eachFlaw int

const (
	callsOnce eachFlaw = iota
	handsOffFirst
	idleUnlocked
	idleByState
	fnLate
	waitLate
	countsCalls
	withoutOwn
)

type each struct {
	right
	flaw eachFlaw
}

func (p each) ForEachP(mp *gmp.M, reason gmp.WaitReason, fn func(pp *gmp.P)) {
	s, pp := p.s, mp.P.Get()
	gp := mp.Curg.Get()
	if gp != nil {
		gp.Waitreason.Set(reason)
		s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	}
	s.Lock.Lock()
	if s.SafePointWait.Get() != 0 {
		s.Throw("forEachP: sched.safePointWait != 0")
	}
	if p.flaw != waitLate {
		s.SafePointWait.Set(s.Gomaxprocs.Get() - 1)
	}
	if p.flaw != fnLate {
		s.SafePointFn.Set(fn)
	}
	for _, p2 := range s.Allp.Get() {
		if p2 != pp {
			p2.RunSafePointFn.Store(1)
		}
	}
	s.SafePointWait.Set(s.Gomaxprocs.Get() - 1)
	if p.flaw == fnLate {
		s.SafePointFn.Set(fn)
	}
	s.Preemptall(mp)
	if p.flaw == idleUnlocked {
		s.Lock.Unlock()
	}
	if p.flaw == idleByState {
		for _, p2 := range s.Allp.Get() {
			if p2.Status.Load() == gmp.Pidle {
				s.RunSafePointFn(p2, true)
			}
		}
	}
	for p2 := s.Pidle.Get(); p2 != nil; p2 = p2.Link.Get() {
		s.RunSafePointFn(p2, p.flaw != idleUnlocked)
	}
	if p.flaw != idleUnlocked {
		s.Lock.Unlock()
	}
	if p.flaw != withoutOwn {
		fn(pp)
	}
	p.takeCalls(mp)
	if s.Gomaxprocs.Get() > 1 {
		for !s.SafePointNote.SleepTimeout(again) {
			s.Preemptall(mp)
			if p.flaw != callsOnce {
				p.takeCalls(mp)
			}
		}
		s.SafePointNote.Clear()
	}
	s.Lock.Lock()
	if s.SafePointWait.Get() != 0 {
		s.Throw("forEachP: not done")
	}
	for _, p2 := range s.Allp.Get() {
		if p2.RunSafePointFn.Load() != 0 {
			s.Throw("forEachP: P did not run fn")
		}
	}
	s.SafePointFn.Set(nil)
	s.Lock.Unlock()
	if gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
}

func (p each) takeCalls(mp *gmp.M) {
	s := p.s
	for _, pp := range s.Allp.Get() {
		if pp.RunSafePointFn.Load() == 0 {
			continue
		}
		s.Lock.Lock()
		before := s.Stopwait.Get()
		won := s.GcstopSyscall(pp)
		if won {
			if p.flaw != countsCalls {
				s.Stopwait.Set(before)
			}
			if p.flaw != handsOffFirst {
				s.RunSafePointFn(pp, true)
			}
			pp.Status.Store(gmp.Pidle)
		}
		s.Lock.Unlock()
		if won {
			s.Handoffp(mp, pp)
			if p.flaw == handsOffFirst {
				s.RunSafePointFn(pp, false)
			}
		}
	}
}
