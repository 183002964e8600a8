package ch05

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Four of the list of idle Ms are
// open: the student's own test must find them.
var Mutants = []check.Mutant{
	{
		Name: "idle-oldest-first", Check: "idle-list",
		What:  "Mput puts the M at the end of the list, so the one that has slept longest is woken, whose caches are cold",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return oldestFirst{p} }),
	},
	{
		Name: "idle-not-counted", Check: "idle-list",
		What:  "Mget takes an M off the list and still counts it as idle",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return notCounted{p} }),
	},
	{
		Name: "idle-keeps-link", Check: "idle-list",
		What:  "an M that was taken still points to the next idle one",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return keepsLink{p} }),
	},
	{
		Name: "idle-stays", Check: "idle-list",
		What:  "Mget returns the first M and leaves it on the list, so two may give it a G",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return stays{p} }),
	},
	{
		Name: "idle-asks-early", Check: "idle-asks", Hidden: true,
		What:  "Mput calls Checkdead before the M is counted as idle, so there is always one left",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return asksEarly{p} }),
	},
	{
		Name: "reserve-late", Check: "reserve", Hidden: true,
		What:  "an M counts when it is made, not when its ID is reserved; meanwhile all others may go idle, and a deadlock is reported although there is none",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return countsLate{p} }),
	},
	{
		Name: "mcount-off-by-one", Check: "mcount", Hidden: true,
		What:  "the 10,000th M ends the program",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return offByOne{p} }),
	},
	{
		Name: "newm-forgets-p", Check: "newm", Hidden: true,
		What:  "Newm does not pass on the P",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return forgetsP{p} }),
	},
	{
		Name: "newm-leaves-late", Check: "newm", Hidden: true,
		What:  "Newm starts the thread and only then tells the M what to do first, when it may have begun",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return leavesLate{p} }),
	},
	{
		Name: "mpark-clears-first", Check: "mpark", Hidden: true,
		What:  "MPark clears its note before it sleeps: a wake-up that came first is wiped out, and the M sleeps for ever",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return clearsFirst{p} }),
	},
	{
		Name: "mpark-never-clears", Check: "mpark", Hidden: true,
		What:  "MPark leaves its note signalled, so the second wake-up is one too many",
		Parts: threadsMutant(func(p *threads) gmp.Threads { return neverClears{p} }),
	},
	{
		Name: "schedule-keeps-lock", Check: "schedule", Hidden: true,
		What:  "Schedule takes s.Lock again to execute the G",
		Parts: loopMutant(func(p *loop) gmp.Loop { return executesLocked{p} }),
	},
	{
		Name: "next-unlocks-early", Check: "every-order", Hidden: true,
		What:  "the lock is free between the look at the queue and the list of idle Ms: for a G queued in between, one M too many is started",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return unlocksEarly{p} }),
	},
	{
		Name: "next-sleeps-locked", Check: "next-sleeps", Hidden: true,
		What:  "the M sleeps with s.Lock",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return sleepsLocked{p} }),
	},
	{
		Name: "next-counts-twice", Check: "next-given", Hidden: true,
		What:  "an M that was given a G counts itself, although it is already counted; soon Mcpu is at its limit and no M runs",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return countsTwice{p} }),
	},
	{
		Name: "next-ignores-limit", Check: "next-limit", Hidden: true,
		What:  "an M that has let go of its G takes the next one, although GOMAXPROCS has been lowered",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return ignoresLimit{p} }),
	},
	{
		Name: "next-discounts-late", Check: "race-yield", Hidden: true,
		What:  "an M that goes idle releases the lock first, and then counts itself out of Mcpu",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return nextDiscountsLate{p, p.s} }),
	},
	{
		Name: "match-one", Check: "match-idle", Hidden: true,
		What:  "Matchmg hands out one G, however many are queued and may run",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return handsOne{p} }),
	},
	{
		Name: "match-wakes-first", Check: "match-idle", Hidden: true,
		What:  "Matchmg wakes an idle M and lets it look for itself: it gives it no G",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return onlyWakes{p} }),
	},
	{
		Name: "match-gives-late", Check: "every-order", Hidden: true,
		What:  "Matchmg wakes the idle M first and then sets its Nextg, which is too late if the M is fast",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return matchGivesLate{p, p.s} }),
	},
	{
		Name: "match-counts-late", Check: "match-new", Hidden: true,
		What:  "a new M is counted when it starts, so until then others are started for the same place",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return newCountsLate{p} }),
	},
	{
		Name: "match-always-new", Check: "match-idle", Hidden: true,
		What:  "a thread is started for each G that may run, while others sleep",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return alwaysNew{p} }),
	},
	{
		Name: "match-beyond", Check: "match-full", Hidden: true,
		What:  "Matchmg takes Mcpumax for the number of Ms that may run besides the current one",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return beyond{p} }),
	},
	{
		Name: "newproc-queues-only", Check: "newproc", Hidden: true,
		What:  "the go statement queues its G, as in chapter 2, and wakes no M",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return queuesOnly{p} }),
	},
	{
		Name: "ready-two-steps", Check: "ready", Hidden: true,
		What:  "Ready queues the G, releases the lock, and calls Matchmg without it",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return twoSteps{p} }),
	},
	{
		Name: "ready-in-two-sections", Check: "one-rule", Hidden: true,
		What:  "Ready releases the lock between Globrunqput and Matchmg, and takes it again",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return twoSections{p} }),
	},
	{
		Name: "yield-matches", Check: "yield", Hidden: true,
		What:  "GoschedImpl calls Matchmg, as Ready does: an M is woken, or made, for a G that its own M is about to find",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return yieldMatches{p} }),
	},
	{
		Name: "yield-queues-first", Check: "race-yield", Hidden: true,
		What:  "a G that yields is queued while its M still has it: another M may run it at the same time",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return yieldQueuesFirst{p, p.s} }),
	},
	{
		Name: "yield-drops-early", Check: "yield", Hidden: true,
		What:  "GoschedImpl lets go of a G whose state still says that it runs: an M that wants to stop it does not find out where",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return yieldDropsEarly{p} }),
	},
	{
		Name: "dead-forgets-reserved", Check: "dead-counts", Hidden: true,
		What:  "Checkdead counts the Ms that exist, so one that is about to start does not keep it from its verdict",
		Parts: deadlockMutant(func(p *deadlock) gmp.Deadlock { return forgetsReserved{p} }),
	},
	{
		Name: "dead-timers-last", Check: "dead-timers", Hidden: true,
		What:  "Checkdead looks at the Gs before the timers, and finds the one that a timer is just making ready",
		Parts: deadlockMutant(func(p *deadlock) gmp.Deadlock { return timersLast{p} }),
	},
}

func threadsMutant(broken func(p *threads) gmp.Threads) gmp.Version {
	return gmp.Version{Threads: func(s *gmp.Sched) gmp.Threads { return broken(&threads{s: s}) }}
}

func matchingMutant(broken func(p *matching) gmp.Matching) gmp.Version {
	return gmp.Version{Matching: func(s *gmp.Sched) gmp.Matching { return broken(&matching{s: s}) }}
}

func loopMutant(broken func(p *loop) gmp.Loop) gmp.Version {
	return gmp.Version{Loop: func(s *gmp.Sched) gmp.Loop { return broken(&loop{s: s}) }}
}

func submissionMutant(broken func(p *submission) gmp.Submission) gmp.Version {
	return gmp.Version{Submission: func(s *gmp.Sched) gmp.Submission { return broken(&submission{s: s}) }}
}

func deadlockMutant(broken func(p *deadlock) gmp.Deadlock) gmp.Version {
	return gmp.Version{Deadlock: func(s *gmp.Sched) gmp.Deadlock { return broken(&deadlock{s: s}) }}
}

type oldestFirst struct{ *threads }

func (p oldestFirst) Mput(mp *gmp.M) {
	end := &p.s.Midle
	for end.Get() != nil {
		end = &end.Get().Schedlink
	}
	end.Set(mp)
	mp.Schedlink.Set(nil)
	p.s.Nmidle.Set(p.s.Nmidle.Get() + 1)
	p.s.Checkdead()
}

type notCounted struct{ *threads }

func (p notCounted) Mget() *gmp.M {
	mp := p.threads.Mget()
	if mp != nil {
		p.s.Nmidle.Set(p.s.Nmidle.Get() + 1)
	}
	return mp
}

type keepsLink struct{ *threads }

func (p keepsLink) Mget() *gmp.M {
	mp := p.threads.Mget()
	if mp != nil {
		mp.Schedlink.Set(p.s.Midle.Get())
	}
	return mp
}

type stays struct{ *threads }

func (p stays) Mget() *gmp.M {
	mp := p.s.Midle.Get()
	if mp != nil {
		p.s.Nmidle.Set(p.s.Nmidle.Get() - 1)
	}
	return mp
}

type asksEarly struct{ *threads }

func (p asksEarly) Mput(mp *gmp.M) {
	p.s.Checkdead()
	mp.Schedlink.Set(p.s.Midle.Get())
	p.s.Midle.Set(mp)
	p.s.Nmidle.Set(p.s.Nmidle.Get() + 1)
}

type countsLate struct{ *threads }

func (p countsLate) MReserveID() int64 {
	p.s.Checkmcount()
	return p.s.Mnext.Get()
}

func (p countsLate) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	p.s.Mnext.Set(p.s.Mnext.Get() + 1)
	p.threads.Newm(mp, fn, pp, id)
}

type offByOne struct{ *threads }

func (p offByOne) Checkmcount() {
	p.s.Mnext.Set(p.s.Mnext.Get() + 1)
	p.threads.Checkmcount()
	p.s.Mnext.Set(p.s.Mnext.Get() - 1)
}

type forgetsP struct{ *threads }

func (p forgetsP) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	p.threads.Newm(mp, fn, nil, id)
}

type leavesLate struct{ *threads }

func (p leavesLate) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := p.s.NewM(id)
	newm.Nextp.Set(pp)
	p.s.Newosproc(newm)
	newm.Mstartfn.Set(fn)
}

type clearsFirst struct{ *threads }

func (p clearsFirst) MPark(mp *gmp.M) {
	mp.Park.Clear()
	mp.Park.Sleep()
}

type neverClears struct{ *threads }

func (p neverClears) MPark(mp *gmp.M) { mp.Park.Sleep() }

type executesLocked struct{ *loop }

func (p executesLocked) Schedule(mp *gmp.M) {
	if p.s.Exited() {
		return
	}
	p.s.Lock.Lock()
	gp := p.s.NextGAndUnlock(mp)
	p.s.Lock.Lock()
	p.s.Execute(mp, gp, false)
	p.s.Lock.Unlock()
}

// take is the beginning of NextGAndUnlock: it returns a G that mp finds at once.
func (p *matching) take(mp *gmp.M) *gmp.G {
	s := p.s
	if gp := nextg(mp); gp != nil {
		return gp
	}
	s.Mcpu.Set(s.Mcpu.Get() - 1)
	if s.Mcpu.Get() >= s.Mcpumax.Get() {
		return nil
	}
	gp := s.Globrunqget()
	if gp != nil {
		s.Mcpu.Set(s.Mcpu.Get() + 1)
	}
	return gp
}

type unlocksEarly struct{ *matching }

func (p unlocksEarly) NextGAndUnlock(mp *gmp.M) *gmp.G {
	gp := p.take(mp)
	p.s.Lock.Unlock()
	if gp != nil {
		return gp
	}
	p.s.Lock.Lock()
	p.s.Mput(mp)
	p.s.Lock.Unlock()
	p.s.MPark(mp)
	return given(p.s, mp)
}

type nextDiscountsLate struct {
	gmp.Matching
	s *gmp.Sched
}

func (p nextDiscountsLate) NextGAndUnlock(mp *gmp.M) *gmp.G {
	if mp.Nextg.Get() != nil || p.s.Runq.Get().Head != nil {
		return p.Matching.NextGAndUnlock(mp)
	}
	others := p.s.Mcpu.Get() - 1
	p.s.Mput(mp)
	p.s.Lock.Unlock()
	p.s.Mcpu.Set(others)
	p.s.MPark(mp)
	return given(p.s, mp)
}

// given takes the G that mp was given before it was woken.
func given(s *gmp.Sched, mp *gmp.M) *gmp.G {
	gp := nextg(mp)
	if gp == nil {
		s.Throw("bad m->nextg in nextgoroutine")
	}
	return gp
}

type sleepsLocked struct{ *matching }

func (p sleepsLocked) NextGAndUnlock(mp *gmp.M) *gmp.G {
	gp := p.take(mp)
	if gp == nil {
		p.s.Mput(mp)
		p.s.MPark(mp)
		gp = nextg(mp)
	}
	p.s.Lock.Unlock()
	return gp
}

type countsTwice struct{ *matching }

func (p countsTwice) NextGAndUnlock(mp *gmp.M) *gmp.G {
	if mp.Nextg.Get() != nil {
		p.s.Mcpu.Set(p.s.Mcpu.Get() + 1)
	}
	return p.matching.NextGAndUnlock(mp)
}

type ignoresLimit struct{ *matching }

func (p ignoresLimit) NextGAndUnlock(mp *gmp.M) *gmp.G {
	limit := p.s.Mcpumax.Get()
	p.s.Mcpumax.Set(max(limit, p.s.Mcpu.Get()))
	if mp.Nextg.Get() == nil && p.s.Runq.Get().Head != nil {
		gp := p.s.Globrunqget()
		p.s.Mcpumax.Set(limit)
		p.s.Lock.Unlock()
		return gp
	}
	p.s.Mcpumax.Set(limit)
	return p.matching.NextGAndUnlock(mp)
}

type handsOne struct{ *matching }

func (p handsOne) Matchmg(mp *gmp.M) {
	limit := p.s.Mcpumax.Get()
	p.s.Mcpumax.Set(min(limit, p.s.Mcpu.Get()+1))
	p.matching.Matchmg(mp)
	p.s.Mcpumax.Set(limit)
}

type onlyWakes struct{ *matching }

func (p onlyWakes) Matchmg(mp *gmp.M) {
	for p.s.Mcpu.Get() < p.s.Mcpumax.Get() && p.s.Runq.Get().Head != nil && p.s.Midle.Get() != nil {
		p.s.Mcpu.Set(p.s.Mcpu.Get() + 1)
		p.s.Mget().Park.Wakeup()
	}
	p.matching.Matchmg(mp)
}

type matchGivesLate struct {
	gmp.Matching
	s *gmp.Sched
}

func (p matchGivesLate) Matchmg(mp *gmp.M) {
	s := p.s
	for s.Mcpu.Get() < s.Mcpumax.Get() && s.Runq.Get().Head != nil && s.Midle.Get() != nil {
		s.Mcpu.Set(s.Mcpu.Get() + 1)
		idle := s.Mget()
		idle.Park.Wakeup()
		idle.Nextg.Set(s.Globrunqget())
	}
	p.Matching.Matchmg(mp)
}

type newCountsLate struct{ *matching }

func (p newCountsLate) Matchmg(mp *gmp.M) {
	s := p.s
	for s.Mcpu.Get() < s.Mcpumax.Get() {
		gp := s.Globrunqget()
		if gp == nil {
			return
		}
		if idle := s.Mget(); idle != nil {
			s.Mcpu.Set(s.Mcpu.Get() + 1)
			idle.Nextg.Set(gp)
			idle.Park.Wakeup()
			continue
		}
		s.Newm(mp, func(newm *gmp.M) {
			newm.Nextg.Set(gp)
			s.Lock.Lock()
			s.Mcpu.Set(s.Mcpu.Get() + 1)
			s.Lock.Unlock()
		}, nil, s.MReserveID())
	}
}

type alwaysNew struct{ *matching }

func (p alwaysNew) Matchmg(mp *gmp.M) {
	idle := p.s.Midle.Get()
	p.s.Midle.Set(nil)
	p.matching.Matchmg(mp)
	p.s.Midle.Set(idle)
}

type beyond struct{ *matching }

func (p beyond) Matchmg(mp *gmp.M) {
	p.s.Mcpumax.Set(p.s.Mcpumax.Get() + 1)
	p.matching.Matchmg(mp)
	p.s.Mcpumax.Set(p.s.Mcpumax.Get() - 1)
}

type queuesOnly struct{ *submission }

func (p queuesOnly) Newproc(mp *gmp.M, fn machine.Addr) {
	callergp, callerpc := mp.Curg.Get(), machine.PC(0)
	if callergp != nil {
		callerpc = callergp.Sched.PC
	}
	gp := p.s.Newproc1(mp, fn, callergp, callerpc)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

type twoSteps struct{ *submission }

func (p twoSteps) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Matchmg(mp)
}

type twoSections struct{ *submission }

func (p twoSections) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Lock.Lock()
	p.s.Matchmg(mp)
	p.s.Lock.Unlock()
}

type yieldMatches struct{ *submission }

func (p yieldMatches) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.submit(mp, gp)
	p.s.Schedule(mp)
}

type yieldDropsEarly struct{ *submission }

func (p yieldDropsEarly) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Dropg(mp)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}

type yieldQueuesFirst struct {
	gmp.Submission
	s *gmp.Sched
}

func (p yieldQueuesFirst) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Dropg(mp)
	p.s.Schedule(mp)
}

type forgetsReserved struct{ *deadlock }

func (p forgetsReserved) Checkdead() {
	made, n := p.s.Mnext.Get(), int64(0)
	for mp := p.s.Allm.Load(); mp != nil; mp = mp.Alllink.Get() {
		n++
	}
	p.s.Mnext.Set(min(made, n))
	p.deadlock.Checkdead()
	p.s.Mnext.Set(made)
}

type timersLast struct{ *deadlock }

func (p timersLast) Checkdead() {
	s := p.s
	if s.Mnext.Get()-s.Nmfreed.Get()-int64(s.Nmidle.Get())-int64(s.Nmidlelocked.Get())-int64(s.Nmsys.Get()) == 0 {
		s.ForEachG(func(gp *gmp.G) {
			if st := gp.Atomicstatus.Load() &^ gmp.Gscan; st == gmp.Grunnable || st == gmp.Grunning {
				s.Throw("checkdead: runnable g")
			}
		})
	}
	p.deadlock.Checkdead()
}
