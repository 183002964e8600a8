package gmp

import (
	"slices"

	"gosched/chapters/trace"
)

// This file writes what happens to Ps into the trace. What adds a G to a queue is
// recorded before it is done, what takes one off after: so the log has them in this
// order, too, whoever takes it.

// recordP is record for what happens to pp, which an M holds or is about to.
func (s *Sched) recordP(pp *P, ev trace.Event) {
	if pp.M.Get() != nil {
		s.record(pp.M.Get(), ev)
		return
	}
	ev.M, ev.P = trace.None, pp.ID
	s.recordShared(ev)
}

// recordSpinning adds to the trace that mp has begun or ceased to spin, if it has.
func (s *Sched) recordSpinning(mp *M, spinning bool) {
	if mp.traced == spinning {
		return
	}
	mp.traced = spinning
	kind := trace.Unspin
	if spinning {
		kind = trace.Spin
	}
	s.record(mp, trace.Event{Kind: kind, G: trace.None})
}

type tracedProcs struct {
	Procs
	s *Sched
}

func (t *tracedProcs) Acquirep(mp *M, pp *P) {
	t.Procs.Acquirep(mp, pp)
	mp.acquired = true
	t.s.record(mp, trace.Event{Kind: trace.Acquire, G: trace.None})
	t.s.recordSpinning(mp, mp.Spinning.Get())
}

func (t *tracedProcs) Releasep(mp *M) *P {
	t.s.record(mp, trace.Event{Kind: trace.Release, G: trace.None})
	return t.Procs.Releasep(mp)
}

// Procresize takes a P from mp without Releasep, if that one has to go. mp's G runs on,
// with another P; the log has it leave the one and begin on the other.
func (t *tracedProcs) Procresize(mp *M, nprocs int32) *P {
	moves := mp.P.Get() != nil && mp.P.Get().ID >= nprocs
	if moves {
		t.s.record(mp, trace.Event{Kind: trace.Release, G: trace.None})
	}
	runnable := t.Procs.Procresize(mp, nprocs)
	if gp := mp.Curg.Get(); moves && gp != nil {
		t.s.record(mp, trace.Event{Kind: trace.Run, G: gp.Goid.Get(), Line: t.s.lineOf(gp)})
	}
	return runnable
}

type tracedWorld struct {
	World
	s *Sched
}

func (t *tracedWorld) StopTheWorldWithSema(mp *M, reason string) {
	t.s.record(mp, trace.Event{Kind: trace.Stop, G: trace.None, Text: reason})
	t.World.StopTheWorldWithSema(mp, reason)
}

func (t *tracedWorld) StartTheWorldWithSema(mp *M, now int64) int64 {
	procs := t.s.Gomaxprocs.Get()
	if n := t.s.Newprocs.Get(); n != 0 {
		procs = n
	}
	// Before it is so: who gets a P then says so, too.
	t.s.record(mp, trace.Event{Kind: trace.Start, G: trace.None, N: int64(procs)})
	return t.World.StartTheWorldWithSema(mp, now)
}

type tracedMonitor struct {
	Monitor
	s *Sched
}

// Preemptone records which G was running on pp before it was asked; that is the one asked, or
// the one before it.
func (t *tracedMonitor) Preemptone(mp *M, pp *P) bool {
	id := int64(trace.None)
	if target := pp.M.Look(); target != nil {
		if gp := target.Curg.Look(); gp != nil {
			id = gp.Goid.Peek()
		}
	}
	asked := t.Monitor.Preemptone(mp, pp)
	if asked && id != trace.None {
		why := "it has run for 10 ms"
		if t.s.Gcwaiting.Load() {
			why = "the world stops"
		} else if pp.RunSafePointFn.Load() != 0 {
			why = "a safe point is wanted"
		}
		t.s.recordShared(trace.Event{Kind: trace.Ask, G: id, P: pp.ID, M: int32(mp.ID), Text: why})
	}
	return asked
}

type tracedWakeups struct {
	Wakeups
	s *Sched
}

func (t *tracedWakeups) BecomeSpinning(mp *M) {
	t.Wakeups.BecomeSpinning(mp)
	t.s.recordSpinning(mp, true)
}

func (t *tracedWakeups) Resetspinning(mp *M) {
	t.s.recordSpinning(mp, false)
	t.Wakeups.Resetspinning(mp)
}

// CheckRunqsNoP is called by an M that has ceased to spin. So is Stopm, if it finds
// nothing.
func (t *tracedWakeups) CheckRunqsNoP(mp *M, allp []*P) *P {
	t.s.recordSpinning(mp, mp.Spinning.Get())
	return t.Wakeups.CheckRunqsNoP(mp, allp)
}

func (t *tracedWakeups) Stopm(mp *M) {
	t.s.recordSpinning(mp, mp.Spinning.Get())
	t.Wakeups.Stopm(mp)
}

type tracedNetPoller struct {
	NetPoller
	s *Sched
}

// Netpoll records that mp waits meanwhile, if it may, and the Gs that it brings: they are
// ready from now on, though whoever called makes them runnable later.
func (t *tracedNetPoller) Netpoll(mp *M, delay int64) GList {
	if delay != 0 {
		t.s.recordPolling(mp, trace.Idle)
	}
	list := t.NetPoller.Netpoll(mp, delay)
	if delay != 0 {
		t.s.recordPolling(mp, trace.Wake)
	}
	if t.s.run.version.Procs == nil {
		return list // Injectglist calls Ready
	}
	for gp := list.Head; gp != nil; gp = gp.Schedlink.Get() {
		t.s.record(mp, trace.Event{Kind: trace.Ready, G: gp.Goid.Get()})
	}
	return list
}

// recordPolling adds to the trace that mp begins to wait in the netpoller, or is back.
func (s *Sched) recordPolling(mp *M, kind trace.Kind) {
	if s.run.tracer.on {
		s.recordShared(trace.Event{Kind: kind, M: int32(mp.ID), P: trace.None, G: trace.None, Text: trace.Polling})
	}
}

type tracedRunQueue struct {
	RunQueue
	s       *Sched
	runnext bool // this version has a Runnext
}

// queueName is how the trace calls the queue of a P.
func queueName(next bool) string {
	if next {
		return "next"
	}
	return "local"
}

func (t *tracedRunQueue) Runqput(pp *P, gp *G, next bool) {
	t.s.recordP(pp, trace.Event{Kind: trace.Put, G: gp.Goid.Get(), Q: queueName(next && t.runnext)})
	t.RunQueue.Runqput(pp, gp, next)
}

func (t *tracedRunQueue) Runqputbatch(pp *P, q GQueue) (rest GQueue) {
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		t.s.recordP(pp, trace.Event{Kind: trace.Put, G: gp.Goid.Get(), Q: "local"})
	}
	return t.RunQueue.Runqputbatch(pp, q)
}

func (t *tracedRunQueue) Runqget(pp *P) (gp *G, inheritTime bool) {
	gp, inheritTime = t.RunQueue.Runqget(pp)
	if gp != nil {
		t.s.recordP(pp, trace.Event{Kind: trace.Get, G: gp.Goid.Get(), Q: queueName(inheritTime)})
	}
	return gp, inheritTime
}

func (t *tracedRunQueue) Runqdrain(pp *P) GQueue {
	q := t.RunQueue.Runqdrain(pp)
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		t.s.recordP(pp, trace.Event{Kind: trace.Get, G: gp.Goid.Get(), Q: "local"})
	}
	return q
}

// Runqsteal records the Gs that came to pp: those that are behind its tail now, and the
// one that is returned, which was the last of them.
func (t *tracedRunQueue) Runqsteal(pp, p2 *P, stealRunNext bool) *G {
	first, before := pp.Runqtail.Load(), onRing(p2)
	gp := t.RunQueue.Runqsteal(pp, p2, stealRunNext)
	if gp == nil {
		return nil
	}
	var gs []int64
	for i, end := first, pp.Runqtail.Load(); i != end; i++ {
		gs = append(gs, pp.Runq[i%uint32(len(pp.Runq))].Load().Goid.Get())
	}
	if gs = slices.DeleteFunc(append(gs, gp.Goid.Get()), hidden); len(gs) == 0 {
		return gp
	}
	t.s.recordP(pp, trace.Event{Kind: trace.Steal, G: trace.None, From: p2.ID, Gs: gs, N: held(len(gs), before, onRing(p2)+len(gs))})
	return gp
}

// onRing is how many Gs are on the ring of pp, as far as another M can tell.
func onRing(pp *P) int {
	head := pp.Runqhead.Load()
	return int(int32(pp.Runqtail.Load() - head))
}

// held is how many Gs a queue held when n were stolen: one looked before and after, and
// the owner may have put and taken some in between. If twice n is possible, it is that.
func held(n, before, after int) int64 {
	return int64(max(n, min(before, after), min(2*n, max(before, after))))
}

func (t *tracedRunQueue) Globrunqputbatch(q GQueue) {
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		t.s.record(nil, trace.Event{Kind: trace.Put, G: gp.Goid.Get(), Q: "global"})
	}
	t.RunQueue.Globrunqputbatch(q)
}

func (t *tracedRunQueue) Globrunqgetbatch(n int32) (*G, GQueue) {
	gp, q := t.RunQueue.Globrunqgetbatch(n)
	t.get(gp)
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		t.get(gp)
	}
	return gp, q
}

func (t *tracedRunQueue) get(gp *G) {
	if gp != nil {
		t.s.record(nil, trace.Event{Kind: trace.Get, G: gp.Goid.Get(), Q: "global"})
	}
}
