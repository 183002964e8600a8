package ch02

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of the queue, but
// the last, are open: the student's own test must find them.
var Mutants = []check.Mutant{
	{
		Name: "queue-is-a-stack", Check: "queue-fifo",
		What:  "Globrunqput puts the G at the head, so the newest runs first and the oldest may never run",
		Parts: queueMutant(func(q brokenQueue) gmp.GlobalQueue { return stackQueue{q} }),
	},
	{
		Name: "get-forgets-tail", Check: "queue-fifo",
		What:  "when the last G leaves, Tail still points to it, and the next one put is linked behind it and lost",
		Parts: queueMutant(func(q brokenQueue) gmp.GlobalQueue { return staleTail{q} }),
	},
	{
		Name: "head-forgets-tail", Check: "queue-head",
		What:  "putting at the head of an empty queue leaves Tail nil, and the next G put at the tail throws the first one out",
		Parts: queueMutant(func(q brokenQueue) gmp.GlobalQueue { return noTail{q} }),
	},
	{
		Name: "get-keeps-schedlink", Check: "queue-links",
		What:  "a G that leaves the queue still points to the one behind it",
		Parts: queueMutant(func(q brokenQueue) gmp.GlobalQueue { return keepsLink{q} }),
	},
	{
		Name: "head-not-counted", Check: "queue-links", Hidden: true,
		What:  "Globrunqputhead does not increment Size",
		Parts: queueMutant(func(q brokenQueue) gmp.GlobalQueue { return uncounted{q} }),
	},
	{
		Name: "put-locks", Check: "queue-lock", Hidden: true,
		What:  "Globrunqput takes s.Lock, which its caller already holds",
		Parts: queueMutant(func(q brokenQueue) gmp.GlobalQueue { return lockingQueue{q} }),
	},
	{
		Name: "execute-stores-state", Check: "execute-links", Hidden: true,
		What:  "Execute writes the state instead of going through Casgstatus, which would notice a G that must not run",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return storesState{l} }),
	},
	{
		Name: "execute-one-way", Check: "execute-links", Hidden: true,
		What:  "Execute sets mp.Curg and forgets gp.M",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return oneWay{l} }),
	},
	{
		Name: "execute-state-first", Check: "schedule-race", Hidden: true,
		What:  "Execute says that the G runs before the G is linked to its M, so an M that wants to stop it does not know where it runs",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return stateFirst{l} }),
	},
	{
		Name: "schedule-two-looks", Check: "schedule-race", Hidden: true,
		What:  "Schedule releases the lock between its look at the queue and Checkdead, so a G may be queued in between",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return twoLooks{l} }),
	},
	{
		Name: "schedule-leaves-queued", Check: "schedule-head", Hidden: true,
		What:  "Schedule looks at the head and leaves it on the queue while it runs",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return leavesQueued{l} }),
	},
	{
		Name: "schedule-executes-locked", Check: "schedule-head", Hidden: true,
		What:  "Schedule releases the lock by defer, after Execute",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return executesLocked{l} }),
	},
	{
		Name: "schedule-exits-when-empty", Check: "schedule-empty", Hidden: true,
		What:  "with an empty queue Schedule ends the program with status 0, as Go's first scheduler did in 2008",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return exitsWhenEmpty{l} }),
	},
	{
		Name: "schedule-after-the-end", Check: "schedule-over", Hidden: true,
		What:  "Schedule does not ask whether the program is over",
		Parts: loopMutant(func(l brokenLoop) gmp.Loop { return afterTheEnd{l} }),
	},
	{
		Name: "newproc-at-boot-only", Check: "newproc-tail", Hidden: true,
		What:  "Newproc never tells Newproc1 which G the caller is",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return anonymous{s} }),
	},
	{
		Name: "newproc-runs-child", Check: "spawn-order", Hidden: true,
		What:  "Newproc lets the new G run at once and queues the caller",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return childFirst{s} }),
	},
	{
		Name: "newproc-unlocked", Check: "submit-lock", Hidden: true,
		What:  "Newproc touches the queue without s.Lock",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return unlocked{s} }),
	},
	{
		Name: "ready-queues-first", Check: "ready-queues", Hidden: true,
		What:  "Ready queues the G before it is runnable",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return queuesFirst{s} }),
	},
	{
		Name: "ready-stores-state", Check: "submit-race", Hidden: true,
		What:  "Ready writes the state instead of going through Casgstatus, and breaks the lock of whoever is looking at the G's stack",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return readyStores{s} }),
	},
	{
		Name: "newproc-writes-queued", Check: "submit-race", Hidden: true,
		What:  "Newproc writes into the new G after queueing it, when another M may already run it",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return writesQueued{s} }),
	},
	{
		Name: "ready-takes-all", Check: "ready-queues", Hidden: true,
		What:  "Ready makes any G runnable, whatever its state, so that a running one is queued as well",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return takesAll{s} }),
	},
	{
		Name: "gosched-to-head", Check: "yield-rounds", Hidden: true,
		What:  "the G that yields goes to the head of the queue and runs again at once",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return toHead{s} }),
	},
	{
		Name: "gosched-keeps-m", Check: "gosched-tail", Hidden: true,
		What:  "the G that yields still points to its M",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return keepsM{s} }),
	},
	{
		Name: "gosched-keeps-g", Check: "yield-race", Hidden: true,
		What:  "the G that yields no longer points to its M, but the M still points to it",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return keepsG{s} }),
	},
	{
		Name: "gosched-lets-go-late", Check: "yield-race", Hidden: true,
		What:  "the G that yields is queued first, and only then does its M let go of it, when another M may already run it",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return letsGoLate{s} }),
	},
	{
		Name: "gosched-loses-preempted", Check: "interrupted", Hidden: true,
		What:  "a G that did not ask to yield is not queued",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return losesPreempted{s} }),
	},
	{
		Name: "schedinit-schedules", Check: "boot-order", Hidden: true,
		What:  "Schedinit runs the main goroutine itself, and the router then schedules a second time",
		Parts: bootMutant(func(b brokenBoot) gmp.Boot { return runsMain{b} }),
	},
	{
		Name: "hooks-first-to-last", Check: "main-exit", Hidden: true,
		What:  "the exit hooks run in the order in which they were added",
		Parts: bootMutant(func(b brokenBoot) gmp.Boot { return hooksForward{b} }),
	},
	{
		Name: "hooks-stay-listed", Check: "main-exit", Hidden: true,
		What:  "a hook is taken off the list only after it has run, so it runs again if a hook calls os.Exit",
		Parts: bootMutant(func(b brokenBoot) gmp.Boot { return hooksStay{b} }),
	},
	{
		Name: "exit-before-hooks", Check: "main-exit", Hidden: true,
		What:  "the program is over before the exit hooks have run",
		Parts: bootMutant(func(b brokenBoot) gmp.Boot { return exitsFirst{b} }),
	},
	{
		Name: "main-just-ends", Check: "main-cuts", Hidden: true,
		What:  "main's return is treated like the end of any other goroutine",
		Parts: bootMutant(func(b brokenBoot) gmp.Boot { return mainJustEnds{b} }),
	},
	{
		Name: "dead-are-asleep", Check: "deadlock-words", Hidden: true,
		What:  "Checkdead counts the dead Gs among those that sleep",
		Parts: deadlockMutant(func(d brokenDeadlock) gmp.Deadlock { return countsDead{d} }),
	},
	{
		Name: "checkdead-trusts", Check: "deadlock-words", Hidden: true,
		What:  "Checkdead does not notice a runnable G, so a G that the scheduler has lost looks like the program's fault",
		Parts: deadlockMutant(func(d brokenDeadlock) gmp.Deadlock { return trusts{d} }),
	},
	{
		Name: "running-is-asleep", Check: "deadlock-words", Hidden: true,
		What:  "Checkdead does not notice a G that is said to run, although no M is left to run it",
		Parts: deadlockMutant(func(d brokenDeadlock) gmp.Deadlock { return ignoresRunning{d} }),
	},
	{
		Name: "goexit-is-success", Check: "goexit-deadlock", Hidden: true,
		What:  "when no goroutine is left Checkdead ends the program with status 0, as Go 1.1 did",
		Parts: deadlockMutant(func(d brokenDeadlock) gmp.Deadlock { return goexitIsSuccess{d} }),
	},
}

// A broken part is the right one, some methods of which are then overridden.
type (
	brokenQueue struct {
		gmp.GlobalQueue
		s *gmp.Sched
	}
	brokenLoop struct {
		gmp.Loop
		s *gmp.Sched
	}
	brokenSubmission struct {
		gmp.Submission
		s *gmp.Sched
	}
	brokenBoot struct {
		gmp.Boot
		s *gmp.Sched
	}
	brokenDeadlock struct {
		gmp.Deadlock
		s *gmp.Sched
	}
)

func queueMutant(breakIt func(brokenQueue) gmp.GlobalQueue) gmp.Version {
	return gmp.Version{GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return breakIt(brokenQueue{NewGlobalQueue(s), s}) }}
}

func loopMutant(breakIt func(brokenLoop) gmp.Loop) gmp.Version {
	return gmp.Version{Loop: func(s *gmp.Sched) gmp.Loop { return breakIt(brokenLoop{NewLoop(s), s}) }}
}

func submissionMutant(breakIt func(brokenSubmission) gmp.Submission) gmp.Version {
	return gmp.Version{Submission: func(s *gmp.Sched) gmp.Submission { return breakIt(brokenSubmission{NewSubmission(s), s}) }}
}

func bootMutant(breakIt func(brokenBoot) gmp.Boot) gmp.Version {
	return gmp.Version{Boot: func(s *gmp.Sched) gmp.Boot { return breakIt(brokenBoot{NewBoot(s), s}) }}
}

func deadlockMutant(breakIt func(brokenDeadlock) gmp.Deadlock) gmp.Version {
	return gmp.Version{Deadlock: func(s *gmp.Sched) gmp.Deadlock { return breakIt(brokenDeadlock{NewDeadlock(s), s}) }}
}

// The queue.

type stackQueue struct{ brokenQueue }

func (p stackQueue) Globrunqput(gp *gmp.G) { p.GlobalQueue.Globrunqputhead(gp) }

type staleTail struct{ brokenQueue }

func (p staleTail) Globrunqget() *gmp.G {
	tail := p.s.Runq.Get().Tail
	gp := p.GlobalQueue.Globrunqget()
	q := p.s.Runq.Get()
	q.Tail = tail
	p.s.Runq.Set(q)
	return gp
}

type noTail struct{ brokenQueue }

func (p noTail) Globrunqputhead(gp *gmp.G) {
	tail := p.s.Runq.Get().Tail
	p.GlobalQueue.Globrunqputhead(gp)
	q := p.s.Runq.Get()
	q.Tail = tail
	p.s.Runq.Set(q)
}

type keepsLink struct{ brokenQueue }

func (p keepsLink) Globrunqget() *gmp.G {
	gp := p.GlobalQueue.Globrunqget()
	if gp != nil {
		gp.Schedlink.Set(p.s.Runq.Get().Head)
	}
	return gp
}

type uncounted struct{ brokenQueue }

func (p uncounted) Globrunqputhead(gp *gmp.G) {
	p.GlobalQueue.Globrunqputhead(gp)
	q := p.s.Runq.Get()
	q.Size--
	p.s.Runq.Set(q)
}

type lockingQueue struct{ brokenQueue }

func (p lockingQueue) Globrunqput(gp *gmp.G) {
	p.s.Lock.Lock()
	p.GlobalQueue.Globrunqput(gp)
	p.s.Lock.Unlock()
}

// The loop.

type storesState struct{ brokenLoop }

func (p storesState) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	gp.Atomicstatus.Store(gmp.Grunning)
}

type oneWay struct{ brokenLoop }

func (p oneWay) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

type stateFirst struct{ brokenLoop }

func (p stateFirst) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	mp.Curg.Set(gp)
	gp.M.Set(mp)
}

type twoLooks struct{ brokenLoop }

func (p twoLooks) Schedule(mp *gmp.M) {
	if p.s.Exited() {
		return
	}
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	p.s.Lock.Unlock()
	if gp == nil {
		p.s.Lock.Lock()
		p.s.Checkdead()
	}
	p.s.Execute(mp, gp, false)
}

type leavesQueued struct{ brokenLoop }

func (p leavesQueued) Schedule(mp *gmp.M) {
	p.s.Lock.Lock()
	gp := p.s.Runq.Get().Head
	if gp == nil {
		p.s.Checkdead()
	}
	p.s.Lock.Unlock()
	p.s.Execute(mp, gp, false)
}

type executesLocked struct{ brokenLoop }

func (p executesLocked) Schedule(mp *gmp.M) {
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
	}
	p.s.Execute(mp, gp, false)
}

type exitsWhenEmpty struct{ brokenLoop }

func (p exitsWhenEmpty) Schedule(mp *gmp.M) {
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	p.s.Lock.Unlock()
	if gp == nil {
		p.s.Exit(mp, 0)
		return
	}
	p.s.Execute(mp, gp, false)
}

type afterTheEnd struct{ brokenLoop }

func (p afterTheEnd) Schedule(mp *gmp.M) {
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
	}
	p.s.Lock.Unlock()
	p.s.Execute(mp, gp, false)
}

// Submission.

type anonymous struct{ brokenSubmission }

func (p anonymous) Newproc(mp *gmp.M, fn machine.Addr) {
	gp := p.s.Newproc1(mp, fn, nil, 0)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

type childFirst struct{ brokenSubmission }

func (p childFirst) Newproc(mp *gmp.M, fn machine.Addr) {
	caller := mp.Curg.Get()
	if caller == nil {
		p.Submission.Newproc(mp, fn)
		return
	}
	gp := p.s.Newproc1(mp, fn, caller, caller.Sched.PC)
	p.s.Casgstatus(caller, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.s.Lock.Lock()
	p.s.Globrunqput(caller)
	p.s.Lock.Unlock()
	p.s.Execute(mp, gp, false)
}

type unlocked struct{ brokenSubmission }

func (p unlocked) Newproc(mp *gmp.M, fn machine.Addr) {
	pc := machine.PC(0)
	if mp.Curg.Get() != nil {
		pc = mp.Curg.Get().Sched.PC
	}
	p.s.Globrunqput(p.s.Newproc1(mp, fn, mp.Curg.Get(), pc))
}

type queuesFirst struct{ brokenSubmission }

func (p queuesFirst) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if gp.Atomicstatus.Load() != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
}

type readyStores struct{ brokenSubmission }

func (p readyStores) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	gp.Atomicstatus.Store(gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

type takesAll struct{ brokenSubmission }

func (p takesAll) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	gp.Atomicstatus.Store(gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

type toHead struct{ brokenSubmission }

func (p toHead) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.s.Lock.Lock()
	p.s.Globrunqputhead(gp)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}

type keepsM struct{ brokenSubmission }

func (p keepsM) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}

type keepsG struct{ brokenSubmission }

func (p keepsG) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	gp.M.Set(nil)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}

type letsGoLate struct{ brokenSubmission }

func (p letsGoLate) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Dropg(mp)
	p.s.Schedule(mp)
}

type writesQueued struct{ brokenSubmission }

func (p writesQueued) Newproc(mp *gmp.M, fn machine.Addr) {
	gp := p.s.Newproc1(mp, fn, nil, 0)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	if caller := mp.Curg.Get(); caller != nil {
		gp.Gopc.Set(caller.Sched.PC)
	}
}

type losesPreempted struct{ brokenSubmission }

func (p losesPreempted) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	if !preempted {
		p.Submission.GoschedImpl(mp, gp, preempted)
		return
	}
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.s.Schedule(mp)
}

// Boot.

type runsMain struct{ brokenBoot }

func (p runsMain) Schedinit(mp *gmp.M) {
	p.Boot.Schedinit(mp)
	p.s.Schedule(mp)
}

type hooksForward struct{ brokenBoot }

func (p hooksForward) MainExit(mp *gmp.M, gp *gmp.G) {
	for _, hook := range p.s.Exithooks.Get() {
		hook()
	}
	p.s.Exit(mp, 0)
}

type hooksStay struct{ brokenBoot }

func (p hooksStay) MainExit(mp *gmp.M, gp *gmp.G) {
	for len(p.s.Exithooks.Get()) > 0 {
		last := len(p.s.Exithooks.Get()) - 1
		p.s.Exithooks.Get()[last]()
		p.s.Exithooks.Set(p.s.Exithooks.Get()[:min(last, len(p.s.Exithooks.Get()))])
	}
	p.s.Exit(mp, 0)
}

type exitsFirst struct{ brokenBoot }

func (p exitsFirst) MainExit(mp *gmp.M, gp *gmp.G) {
	p.s.Exit(mp, 0)
	p.Boot.MainExit(mp, gp)
}

type mainJustEnds struct{ brokenBoot }

func (p mainJustEnds) MainExit(mp *gmp.M, gp *gmp.G) { p.s.Goexit0(mp, gp) }

// Deadlock.

type countsDead struct{ brokenDeadlock }

func (p countsDead) Checkdead() {
	waiting := 0
	p.s.ForEachG(func(gp *gmp.G) {
		switch gp.Atomicstatus.Load() {
		case gmp.Grunnable:
			p.s.Throw("checkdead: runnable g")
		default:
			waiting++
		}
	})
	if waiting == 0 {
		p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	p.s.Throw("all goroutines are asleep - deadlock!")
}

type trusts struct{ brokenDeadlock }

func (p trusts) Checkdead() {
	if p.s.Gcount() == 0 {
		p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	p.s.Throw("all goroutines are asleep - deadlock!")
}

type ignoresRunning struct{ brokenDeadlock }

func (p ignoresRunning) Checkdead() {
	waiting := 0
	p.s.ForEachG(func(gp *gmp.G) {
		switch gp.Atomicstatus.Load() &^ gmp.Gscan {
		case gmp.Grunnable:
			p.s.Throw("checkdead: runnable g")
		case gmp.Gwaiting, gmp.Gpreempted:
			waiting++
		}
	})
	if waiting == 0 {
		p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	p.s.Throw("all goroutines are asleep - deadlock!")
}

type goexitIsSuccess struct{ brokenDeadlock }

func (p goexitIsSuccess) Checkdead() {
	if p.s.Gcount() == 0 {
		p.s.Exit(p.s.Allm.Load(), 0)
		return
	}
	p.Deadlock.Checkdead()
}
