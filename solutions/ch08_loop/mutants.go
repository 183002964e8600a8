package ch08

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Five of the tick are open: the
// student's own test must find them.
var Mutants = []check.Mutant{
	{
		Name: "tick-never", Check: "fair",
		What:  "a P looks at the global queue only when it has nothing else to do: the Gs there starve beside two that keep each other busy",
		Parts: Every(0),
	},
	{
		Name: "tick-64", Check: "turns",
		What:  "the global queue comes first at every 64th time slice, and not at every 61st",
		Parts: Every(64),
	},
	{
		Name: "tick-always", Check: "nearby-tick",
		What:  "the global queue always comes first: now the Gs in the ring starve, and each look costs the lock that all share",
		Parts: Every(1),
	},
	{
		Name: "tick-batch", Check: "nearby-tick",
		What:  "the tick takes a batch, for which P0 has no use, and leaves less for the others",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return takesBatch{p} }),
	},
	{
		Name: "tick-from-one", Check: "nearby-tick",
		What:  "the remainder is compared with 60, as if the first slice had the number 1",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return countsFromOne{p} }),
	},
	{
		Name: "tick-locks", Check: "nearby-free", Hidden: true,
		What:  "the lock is taken before it is known whether there is a G",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return locksFirst{p} }),
	},
	{
		Name: "execute-counts-all", Check: "execute-tick", Hidden: true,
		What:  "each G that runs counts as a new time slice: a ping-pong never looks long, and what is in the ring behind it starves for ever",
		Parts: loopMutant(func(p *loop) gmp.Loop { return countsAll{p} }),
	},
	{
		Name: "execute-asked-before", Check: "execute-request", Hidden: true,
		What:  "Execute leaves an old request to stop: a G that has yielded stops again at its first call",
		Parts: loopMutant(func(p *loop) gmp.Loop { return askedBefore{p} }),
	},
	{
		Name: "execute-running-first", Check: "execute", Hidden: true,
		What:  "a G is running before it has an M",
		Parts: loopMutant(func(p *loop) gmp.Loop { return runningFirst{p} }),
	},
	{
		Name: "schedule-new-slice", Check: "one-slice", Hidden: true,
		What:  "Schedule forgets inheritTime, so each G has a slice of its own",
		Parts: loopMutant(func(p *loop) gmp.Loop { return newSlice{p} }),
	},
	{
		Name: "schedule-wakes-late", Check: "schedule-wakes", Hidden: true,
		What:  "only after Execute, which in the runtime never returns, does an M say that it no longer spins",
		Parts: loopMutant(func(p *loop) gmp.Loop { return wakesLate{p} }),
	},
	{
		Name: "ready-last", Check: "ready", Hidden: true,
		What:  "Ready puts every G at the tail of the ring, as in Go 1.1",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return readyLast{p} }),
	},
	{
		Name: "ready-wakes-first", Check: "race-overflow", Hidden: true,
		What:  "Ready wakes an M and then queues the G, which that M does not find",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return readyWakesFirst{p} }),
	},
	{
		Name: "newproc-looks-late", Check: "newproc", Hidden: true,
		What:  "Newproc looks at the number of the new G when it is queued, and may already belong to another M",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return newprocTouches{p} }),
	},
	{
		Name: "newproc-yields", Check: "points", Hidden: true,
		What:  "the go statement lets the new G run at once, and its caller waits",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return childFirst{p} }),
	},
	{
		Name: "yield-stays", Check: "yield", Hidden: true,
		What:  "a G that yields goes to the ring of its own P, so it comes before all those that wait on the global queue",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return staysLocal{p} }),
	},
	{
		Name: "yield-queues-first", Check: "yield", Hidden: true,
		What:  "a G that yields is queued while its M still has it",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return queuesFirst{p} }),
	},
	{
		Name: "yield-drops-early", Check: "yield", Hidden: true,
		What:  "GoschedImpl lets go of a G whose state still says that it runs: an M that wants to stop it does not find out where",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return yieldDropsEarly{p} }),
	},
	{
		Name: "yield-wakes-nobody", Check: "race-yield", Hidden: true,
		What:  "GoschedImpl relies on its own M to find the G again, which may have others to run",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return yieldWakesNobody{p} }),
	},
	{
		Name: "batch-full-ring", Check: "local-batch", Hidden: true,
		What:  "a batch fills the whole ring, and the next G that is made ready overflows",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return fullRing{p} }),
	},
	{
		Name: "batch-one", Check: "nearby-batch", Hidden: true,
		What:  "a P without work takes one G, and comes back for the next: the lock is taken for each",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return oneByOne{p} }),
	},
	{
		Name: "net-forgets-the-rest", Check: "nearby-net", Hidden: true,
		What:  "the first G from the network runs, and the others are lost",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return forgetsRest{p} }),
	},
	{
		Name: "find-new-slices", Check: "find-each", Hidden: true,
		What:  "FindRunnable takes every G for one with a slice of its own",
		Parts: finderMutant(func(p *finder) gmp.Finder { return newSlices{p} }),
	},
	{
		Name: "find-steals-first", Check: "find-order", Hidden: true,
		What:  "FindRunnable asks all other Ps before it looks at its own",
		Parts: finderMutant(func(p *finder) gmp.Finder { return stealsFirst{p} }),
	},
	{
		Name: "find-looks-once", Check: "race-overflow", Hidden: true,
		What:  "FindRunnable does not look at the global queue again before it gives its P back",
		Parts: finderMutant(func(p *finder) gmp.Finder { return endsWrong{p, p.noLastLook} }),
	},
	{
		Name: "find-two-steps", Check: "race-overflow", Hidden: true,
		What:  "the lock is free between the last look at the global queue and the list of idle Ps",
		Parts: finderMutant(func(p *finder) gmp.Finder { return endsWrong{p, p.twoSteps} }),
	},
	{
		Name: "find-keeps-p", Check: "find-idle", Hidden: true,
		What:  "an M sleeps with its P on no list: no M can use it",
		Parts: finderMutant(func(p *finder) gmp.Finder { return endsWrong{p, p.onNoList} }),
	},
	{
		Name: "find-forgets-work", Check: "find-again", Hidden: true,
		What:  "FindRunnable does not start again when a timer of another P has made something ready",
		Parts: finderMutant(func(p *finder) gmp.Finder { return forgetsWork{p} }),
	},
	{
		Name: "find-sleeps-long", Check: "find-waits", Hidden: true,
		What:  "FindRunnable ignores the timers of other Ps, and sleeps past them",
		Parts: finderMutant(func(p *finder) gmp.Finder { return sleepsLong{p} }),
	},
	{
		Name: "find-sleeps-in-a-stop", Check: "find-stops", Hidden: true,
		What:  "FindRunnable does not look at Gcwaiting under the lock: the world waits for a P that is idle, and counts it twice or never",
		Parts: finderMutant(func(p *finder) gmp.Finder { return endsWrong{p, p.noLookAtStop} }),
	},
	{
		Name: "find-stops-late", Check: "find-stops", Hidden: true,
		What:  "FindRunnable looks at Gcwaiting only under the lock, when it has found nothing: a P with work never stops, and a program that changes GOMAXPROCS never ends",
		Parts: finderMutant(func(p *finder) gmp.Finder { return sloppy{finder: p, stopsLate: true} }),
	},
	{
		Name: "find-sees-stop-early", Check: "race-stop", Hidden: true,
		What:  "FindRunnable looks at Gcwaiting before it takes the lock: the world is stopped in between, and a P that is not counted comes onto the list of idle ones",
		Parts: finderMutant(func(p *finder) gmp.Finder { return sloppy{finder: p, seesStopEarly: true} }),
	},
	{
		Name: "find-old-p", Check: "find-rounds", Hidden: true,
		What:  "FindRunnable looks at mp.P once, before its loop, and after a sleep mp has a different one",
		Parts: finderMutant(func(p *finder) gmp.Finder { return sloppy{finder: p, oldP: true} }),
	},
	{
		Name: "find-old-timer", Check: "find-rounds", Hidden: true,
		What:  "FindRunnable keeps the time of the next timer from one round to the next, and waits for one that is gone",
		Parts: finderMutant(func(p *finder) gmp.Finder { return sloppy{finder: p, oldTimer: true} }),
	},
	{
		Name: "newproc-needs-caller", Check: "newproc", Hidden: true,
		What:  "Newproc takes a G without a caller for the main goroutine: when two timers of AfterFunc fire together no M comes for the second",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return needsCaller{p} }),
	},
	{
		Name: "newproc-touches", Check: "race-newproc", Hidden: true,
		What:  "Newproc looks at the number of the new G when it is on the queue, and perhaps already reused",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return newprocTouches{p} }),
	},
	{
		Name: "ready-clears-late", Check: "race-ready", Hidden: true,
		What:  "Ready clears the reason for which the G waited when it is on the queue, and perhaps already waits again",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return clearsLate{p} }),
	},
	{
		Name: "yield-lets-go-late", Check: "race-gosched", Hidden: true,
		What:  "GoschedImpl lets go of the G after queueing it",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return letsGoLate{p} }),
	},
	{
		Name: "ready-counts-idle", Check: "ready", Hidden: true,
		What:  "Ready calls Wakep only if a P is idle at that moment; one that is about to be given back is missed, as in golang/go#45867",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return countsIdle{p} }),
	},
	{
		Name: "batch-128", Check: "local-batch", Hidden: true,
		What:  "a batch is 128, and not half of the ring of the P",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return takes128{p} }),
	},
	{
		Name: "nearby-believes-hint", Check: "nearby-late", Hidden: true,
		What:  "Nearby returns what the global queue gives, even nil if another M has been faster, and does not look at the network",
		Parts: sourcesMutant(func(p *sources) gmp.Sources { return believesHint{p} }),
	},
}

func loopMutant(broken func(p *loop) gmp.Loop) gmp.Version {
	return gmp.Version{Loop: func(s *gmp.Sched) gmp.Loop { return broken(&loop{s: s}) }}
}

func submissionMutant(broken func(p *submission) gmp.Submission) gmp.Version {
	return gmp.Version{Submission: func(s *gmp.Sched) gmp.Submission { return broken(&submission{s: s}) }}
}

func sourcesMutant(broken func(p *sources) gmp.Sources) gmp.Version {
	return gmp.Version{Sources: func(s *gmp.Sched) gmp.Sources { return broken(&sources{s: s}) }}
}

func finderMutant(broken func(p *finder) gmp.Finder) gmp.Version {
	return gmp.Version{Finder: func(s *gmp.Sched) gmp.Finder { return broken(&finder{s: s}) }}
}

type takesBatch struct{ *sources }

func (p takesBatch) Nearby(mp *gmp.M) (*gmp.G, bool) {
	s := p.s
	if mp.P.Get().Schedtick.Get()%fairTick == 0 && s.Runqsize.Load() > 0 {
		s.Lock.Lock()
		gp, q := s.Globrunqgetbatch(int32(len(mp.P.Get().Runq) / 2))
		s.Globrunqputbatch(s.Runqputbatch(mp.P.Get(), q))
		s.Lock.Unlock()
		if gp != nil {
			return gp, false
		}
	}
	return p.sources.Nearby(mp)
}

type countsFromOne struct{ *sources }

func (p countsFromOne) Nearby(mp *gmp.M) (*gmp.G, bool) {
	mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() + 1)
	defer func() { mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() - 1) }()
	return p.sources.Nearby(mp)
}

type locksFirst struct{ *sources }

func (p locksFirst) Nearby(mp *gmp.M) (*gmp.G, bool) {
	s := p.s
	if mp.P.Get().Schedtick.Get()%fairTick == 0 {
		s.Lock.Lock()
		gp := s.Globrunqget()
		s.Lock.Unlock()
		if gp != nil {
			return gp, false
		}
	}
	return p.sources.Nearby(mp)
}

type countsAll struct{ *loop }

func (p countsAll) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) { p.loop.Execute(mp, gp, false) }

type askedBefore struct{ *loop }

func (p askedBefore) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	asked, guard := gp.Preempt.Get(), gp.Sched.Guard.Load()
	p.loop.Execute(mp, gp, inheritTime)
	gp.Preempt.Set(asked)
	gp.Sched.Guard.Store(guard)
}

type runningFirst struct{ *loop }

func (p runningFirst) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	unask(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	if !inheritTime {
		mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() + 1)
	}
}

// unask ends a request to stop.
func unask(gp *gmp.G) {
	gp.Preempt.Set(false)
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
}

type newSlice struct{ *loop }

func (p newSlice) Schedule(mp *gmp.M) {
	gp, _, tryWakeP := p.s.FindRunnable(mp)
	if gp == nil {
		return
	}
	if mp.Spinning.Get() {
		p.s.Resetspinning(mp)
	}
	if tryWakeP {
		p.s.Wakep(mp)
	}
	p.s.Execute(mp, gp, false)
}

type wakesLate struct{ *loop }

func (p wakesLate) Schedule(mp *gmp.M) {
	gp, inheritTime, tryWakeP := p.s.FindRunnable(mp)
	if gp == nil {
		return
	}
	p.s.Execute(mp, gp, inheritTime)
	if mp.Spinning.Get() {
		p.s.Resetspinning(mp)
	}
	if tryWakeP {
		p.s.Wakep(mp)
	}
}

type readyLast struct{ *submission }

func (p readyLast) Ready(mp *gmp.M, gp *gmp.G, next bool) { p.submission.Ready(mp, gp, false) }

type readyWakesFirst struct{ *submission }

func (p readyWakesFirst) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		s.Throw("bad g->status in ready")
	}
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	s.Wakep(mp)
	s.Runqput(mp.P.Get(), gp, next)
}

type newprocTouches struct{ *submission }

func (p newprocTouches) Newproc(mp *gmp.M, fn machine.Addr) {
	s := p.s
	callergp, callerpc := mp.Curg.Get(), machine.PC(0)
	if callergp != nil {
		callerpc = callergp.Sched.PC
	}
	gp := s.Newproc1(mp, fn, callergp, callerpc)
	s.Runqput(mp.P.Get(), gp, true)
	if gp.Goid.Get() != 1 {
		s.Wakep(mp)
	}
}

type childFirst struct{ *submission }

func (p childFirst) Newproc(mp *gmp.M, fn machine.Addr) {
	p.submission.Newproc(mp, fn)
	if gp := mp.Curg.Get(); gp != nil {
		p.s.GoschedImpl(mp, gp, false)
	}
}

type staysLocal struct{ *submission }

func (p staysLocal) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.s.Runqput(mp.P.Get(), gp, false)
	p.s.Wakep(mp)
	p.s.Schedule(mp)
}

type yieldDropsEarly struct{ *submission }

func (p yieldDropsEarly) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Dropg(mp)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Wakep(mp)
	p.s.Schedule(mp)
}

type queuesFirst struct{ *submission }

func (p queuesFirst) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Dropg(mp)
	p.s.Wakep(mp)
	p.s.Schedule(mp)
}

type yieldWakesNobody struct{ *submission }

func (p yieldWakesNobody) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	s := p.s
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	s.Lock.Lock()
	s.Globrunqput(gp)
	s.Lock.Unlock()
	s.Schedule(mp)
}

type fullRing struct{ *sources }

func (p fullRing) Globrunqgetlocal(pp *gmp.P) *gmp.G {
	if p.s.Runq.Get().Size == 0 {
		return nil
	}
	gp, q := p.s.Globrunqgetbatch(int32(len(pp.Runq)))
	p.s.Runqputbatch(pp, q)
	return gp
}

type oneByOne struct{ *sources }

func (p oneByOne) Globrunqgetlocal(pp *gmp.P) *gmp.G { return p.s.Globrunqget() }

type forgetsRest struct{ *sources }

func (p forgetsRest) Nearby(mp *gmp.M) (*gmp.G, bool) {
	inject := p.s.NetPoller
	defer func() { p.s.NetPoller = inject }()
	p.s.NetPoller = noInject{inject}
	return p.sources.Nearby(mp)
}

type noInject struct{ gmp.NetPoller }

func (noInject) Injectglist(mp *gmp.M, list gmp.GList) {}

type newSlices struct{ *finder }

func (p newSlices) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	gp, _, tryWakeP = p.finder.FindRunnable(mp)
	return gp, false, tryWakeP
}

type stealsFirst struct{ *finder }

func (p stealsFirst) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	if gp, inheritTime, _, _, _ := p.s.StealWork(mp, 0); gp != nil {
		return gp, inheritTime, false
	}
	return p.finder.FindRunnable(mp)
}

// endsWrong looks for work, and when it finds none, does something else. end returns a
// G if there is one after all, else when mp has slept.
type endsWrong struct {
	*finder
	end func(mp *gmp.M) *gmp.G
}

func (p endsWrong) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
	for !s.Exited() {
		if s.Gcwaiting.Load() {
			s.Gcstopm(mp)
			continue
		}
		s.CheckTimers(mp, mp.P.Get(), 0)
		if gp, inheritTime := s.Nearby(mp); gp != nil {
			return gp, inheritTime, false
		}
		if gp, inheritTime, _, _, _ := s.StealWork(mp, 0); gp != nil {
			return gp, inheritTime, false
		}
		if gp := p.end(mp); gp != nil {
			return gp, false, false
		}
	}
	return nil, false, false
}

// sleep gives back mp's P, and lets it sleep.
func (p *finder) sleep(mp *gmp.M) {
	p.s.Lock.Lock()
	p.s.Pidleput(p.s.Releasep(mp), 0)
	p.s.Lock.Unlock()
	p.s.Stopm(mp)
}

func (p *finder) noLastLook(mp *gmp.M) *gmp.G {
	p.sleep(mp)
	return nil
}

func (p *finder) twoSteps(mp *gmp.M) *gmp.G {
	p.s.Lock.Lock()
	gp := p.s.Globrunqgetlocal(mp.P.Get())
	p.s.Lock.Unlock()
	if gp == nil {
		p.sleep(mp)
	}
	return gp
}

func (p *finder) onNoList(mp *gmp.M) *gmp.G {
	p.s.Releasep(mp)
	p.s.Stopm(mp)
	return nil
}

func (p *finder) noLookAtStop(mp *gmp.M) *gmp.G {
	s := p.s
	s.Lock.Lock()
	gp := s.Globrunqgetlocal(mp.P.Get())
	if gp == nil {
		s.Pidleput(s.Releasep(mp), 0)
	}
	s.Lock.Unlock()
	if gp == nil {
		s.Stopm(mp)
	}
	return gp
}

type forgetsWork struct{ *finder }

func (p forgetsWork) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	steal := p.s.Stealing
	defer func() { p.s.Stealing = steal }()
	p.s.Stealing = noNewWork{steal}
	return p.finder.FindRunnable(mp)
}

type noNewWork struct{ gmp.Stealing }

func (p noNewWork) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	gp, inheritTime, rnow, pollUntil, _ = p.Stealing.StealWork(mp, now)
	return gp, inheritTime, rnow, pollUntil, false
}

type sleepsLong struct{ *finder }

func (p sleepsLong) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	steal := p.s.Stealing
	defer func() { p.s.Stealing = steal }()
	p.s.Stealing = seesNoTimers{steal}
	return p.finder.FindRunnable(mp)
}

type seesNoTimers struct{ gmp.Stealing }

func (p seesNoTimers) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	gp, inheritTime, rnow, _, newWork = p.Stealing.StealWork(mp, now)
	return gp, inheritTime, rnow, 0, newWork
}

// A sloppy finder does all, and something of it in the wrong place.
type sloppy struct {
	*finder
	stopsLate, seesStopEarly, oldP, oldTimer bool
}

func (p sloppy) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
	pp, until := mp.P.Get(), int64(0)
	for !s.Exited() {
		if s.Gcwaiting.Load() && !p.stopsLate {
			s.Gcstopm(mp)
			continue
		}
		if !p.oldP {
			pp = mp.P.Get()
		}
		if !p.oldTimer {
			until = 0
		}
		now, own, _ := s.CheckTimers(mp, pp, 0)
		until = sooner(until, own)
		if gp, inheritTime := s.Nearby(mp); gp != nil {
			return gp, inheritTime, false
		}
		gp, inheritTime, now, theirs, newWork := s.StealWork(mp, now)
		if gp != nil {
			return gp, inheritTime, false
		}
		if newWork {
			continue
		}
		until = sooner(until, theirs)
		stopping := s.Gcwaiting.Load()
		s.Lock.Lock()
		if !p.seesStopEarly {
			stopping = s.Gcwaiting.Load()
		}
		if stopping {
			s.Lock.Unlock()
			if p.stopsLate {
				s.Gcstopm(mp)
			}
			continue
		}
		if gp := s.Globrunqgetlocal(pp); gp != nil {
			s.Lock.Unlock()
			return gp, false, false
		}
		now = s.Pidleput(s.Releasep(mp), now)
		s.Lock.Unlock()
		if !p.waits(mp, until, now) {
			s.Stopm(mp)
		}
	}
	return nil, false, false
}

// waits waits in Netpoll, and reports whether mp has a P then.
func (p *finder) waits(mp *gmp.M, until, now int64) bool {
	s := p.s
	if until == 0 && !s.NetpollAnyWaiters() {
		return false
	}
	list, polled := s.Netpolluntil(mp, until, now)
	if !polled {
		return false
	}
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	s.Lock.Unlock()
	if pp != nil {
		s.Acquirep(mp, pp)
	}
	s.Injectglist(mp, list)
	return pp != nil
}

type needsCaller struct{ *submission }

func (p needsCaller) Newproc(mp *gmp.M, fn machine.Addr) {
	caller, pc := mp.Curg.Get(), machine.PC(0)
	if caller != nil {
		pc = caller.Sched.PC
	}
	p.s.Runqput(mp.P.Get(), p.s.Newproc1(mp, fn, caller, pc), true)
	if caller != nil {
		p.s.Wakep(mp)
	}
}

type clearsLate struct{ *submission }

func (p clearsLate) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	p.submission.Ready(mp, gp, next)
	gp.Waitreason.Set(gmp.WaitReasonZero)
}

type letsGoLate struct{ *submission }

func (p letsGoLate) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	s := p.s
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Lock.Lock()
	s.Globrunqput(gp)
	s.Lock.Unlock()
	s.Dropg(mp)
	s.Wakep(mp)
	s.Schedule(mp)
}

type countsIdle struct{ *submission }

func (p countsIdle) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if p.s.Npidle.Load() > 0 || gp.Atomicstatus.Load() != gmp.Gwaiting {
		p.submission.Ready(mp, gp, next)
		return
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Runqput(mp.P.Get(), gp, next)
}

type takes128 struct{ *sources }

func (p takes128) Globrunqgetlocal(pp *gmp.P) *gmp.G {
	gp, q := p.s.Globrunqgetbatch(128)
	p.s.Globrunqputbatch(p.s.Runqputbatch(pp, q))
	return gp
}

type believesHint struct{ *sources }

func (p believesHint) Nearby(mp *gmp.M) (*gmp.G, bool) {
	s, pp := p.s, mp.P.Get()
	if pp.Schedtick.Get()%fairTick == 0 || !s.Runqempty(pp) || s.Runqsize.Load() == 0 {
		return p.sources.Nearby(mp)
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	return s.Globrunqgetlocal(pp), false
}
