package gmp

import (
	"fmt"
	"strings"
	"sync"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file writes the trace: decorators around the parts, which record what
// was done and then do it, or the other way round where the record needs the
// result.

// traced wraps parts so that what they do is recorded in s.run.tracer.
func traced(s *Sched, p Parts) Parts {
	p.Loop = &tracedLoop{p.Loop, s}
	p.Submission = &tracedSubmission{p.Submission, s}
	p.GlobalQueue = &tracedQueue{p.GlobalQueue, s}
	p.Goroutines = &tracedGoroutines{p.Goroutines, s}
	p.Stacks = &tracedStacks{p.Stacks, s}
	p.Parking = &tracedParking{p.Parking, s}
	p.Threads = &tracedThreads{p.Threads, s}
	p.Procs = &tracedProcs{p.Procs, s}
	p.RunQueue = &tracedRunQueue{p.RunQueue, s, s.hasRunnext()}
	p.Monitor = &tracedMonitor{p.Monitor, s}
	p.Wakeups = &tracedWakeups{p.Wakeups, s}
	p.World = &tracedWorld{p.World, s}
	p.NetPoller = &tracedNetPoller{p.NetPoller, s}
	p.Syscalls = &tracedSyscalls{p.Syscalls, s}
	p.LockedThreads = &tracedLockedThreads{p.LockedThreads, s}
	p.Signals = &tracedSignals{p.Signals, s}
	return p
}

// A tracer collects the events of a run. On one thread, also that of a
// simulation, all come to one buffer, in the order in which they happen. Ms on
// threads of their own have a buffer each, so that they do not disturb each other,
// and the time tells the order.
type tracer struct {
	on       bool
	recorder trace.Recorder
	mu       sync.Mutex    // guards what follows
	all      *trace.Buffer // what has no M, or of one thread
	callers  map[*P]int32  // the M that has last entered a system call with this P
}

// begin gives mp a buffer, if it needs one.
func (t *tracer) begin(s *Sched, mp *M) {
	if t.on && s.run.many && !machine.Hooked() {
		mp.events = t.recorder.Buffer(int32(mp.ID))
	}
}

// record adds ev to the trace, if there is one. mp is the M that calls it, or nil
// if that is unknown.
func (s *Sched) record(mp *M, ev trace.Event) {
	t := &s.run.tracer
	if !t.on {
		return
	}
	ev.P = trace.None
	ev.M = trace.None
	if mp != nil {
		ev.M = int32(mp.ID) // of timerproc it is trace.None
		if mp.P.Get() != nil {
			ev.P = mp.P.Get().ID
		}
	}
	ev.T = s.eventTime()
	s.add(mp, ev)
}

// recordUnseen is record for what runs have had before the trace told of it: on simulated
// CPUs it costs nothing, so that their times stay as they were.
func (s *Sched) recordUnseen(mp *M, ev trace.Event) {
	if !s.run.tracer.on {
		return
	}
	ev.M, ev.P = int32(mp.ID), trace.None
	if pp := mp.P.Peek(); pp != nil {
		ev.P = pp.ID
	}
	ev.T = s.timeBy(machine.PeekNanotime)
	s.add(mp, ev)
}

// recordOf adds to the trace what happens to the M with this id. Another one does it,
// so it cannot go to that M's buffer.
func (s *Sched) recordOf(id int64, kind trace.Kind) {
	if s.run.tracer.on {
		s.recordShared(trace.Event{Kind: kind, M: int32(id), P: trace.None, G: trace.None})
	}
}

// recordSlice adds to the trace that gp, which runs on mp, is asked to stop at the end of a
// slice. While one request waits for its answer, another says nothing new.
func (s *Sched) recordSlice(mp *M, gp *G) {
	if s.run.tracer.on && !gp.Preempt.Peek() {
		n := s.run.opt.Ask + s.run.opt.Signal
		s.recordUnseen(mp, trace.Event{Kind: trace.Ask, G: gp.Goid.Peek(), Text: fmt.Sprintf("it has run for %d instructions", n)})
	}
}

// recordShared adds ev to what has no buffer of an M.
func (s *Sched) recordShared(ev trace.Event) {
	ev.T = s.eventTime()
	s.add(nil, ev)
}

// add adds ev, whose time is set, to the buffer of mp, if it has one, or to that of all. It
// does not ask for the time, since in a simulation others might come in while it holds the
// lock.
func (s *Sched) add(mp *M, ev trace.Event) {
	if hidden(ev.G) {
		return
	}
	if mp != nil && mp.events != nil {
		mp.events.Add(ev)
		return
	}
	t := &s.run.tracer
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = t.recorder.Buffer(trace.None)
	}
	t.all.Add(ev)
}

// finishTrace returns the trace when the run has ended.
func (s *Sched) finishTrace() *trace.Log {
	h := trace.Header{
		Go:    s.Version().Name,
		Procs: s.procsAtFirst(),
		Ms:    int(s.Mnext.Peek()),
		Unit:  "instructions",
		Seed:  s.run.opt.Seed,
	}
	if s.run.version.RunQueue != nil {
		h.Ring, h.Runnext = RunqLen, s.hasRunnext()
	}
	if s.run.many || s.run.hooked || s.run.skipped > 0 {
		h.Unit = "ns" // there is a clock, or the program slept
	}
	if len(s.run.prog.Files) > 0 {
		h.File, h.Source = s.run.prog.Files[0].Name, s.run.prog.Files[0].Source
	}
	return s.run.tracer.recorder.Merge(h)
}

// procsAtFirst is how many Ps there were at the beginning.
func (s *Sched) procsAtFirst() int {
	if s.Gomaxprocs.Peek() == 0 {
		return 0
	}
	return s.StartingProcs()
}

type tracedLoop struct {
	Loop
	s *Sched
}

func (t *tracedLoop) Execute(mp *M, gp *G, inheritTime bool) {
	t.Loop.Execute(mp, gp, inheritTime)
	t.s.record(mp, trace.Event{Kind: trace.Run, G: gp.Goid.Get(), Line: t.s.lineOf(gp)})
}

type tracedSubmission struct {
	Submission
	s *Sched
}

func (t *tracedSubmission) GoschedImpl(mp *M, gp *G, preempted bool) {
	kind, why := trace.Yield, ""
	if preempted {
		kind, why = trace.Preempt, trace.ByCall
		if gp.AsyncSafe.Get() {
			why = trace.BySignal
		}
	}
	t.s.record(mp, trace.Event{Kind: kind, G: gp.Goid.Get(), Line: t.s.lineOf(gp), Text: why})
	t.Submission.GoschedImpl(mp, gp, preempted)
}

func (t *tracedSubmission) Ready(mp *M, gp *G, next bool) {
	by := int64(0)
	if mp.Curg.Get() != nil {
		by = mp.Curg.Get().Goid.Get()
	}
	t.s.record(mp, trace.Event{Kind: trace.Ready, G: gp.Goid.Get(), By: by})
	t.Submission.Ready(mp, gp, next)
}

type tracedQueue struct {
	GlobalQueue
	s *Sched
}

func (t *tracedQueue) Globrunqput(gp *G) {
	t.GlobalQueue.Globrunqput(gp)
	t.s.record(nil, trace.Event{Kind: trace.Put, G: gp.Goid.Get(), Q: "global"})
}

func (t *tracedQueue) Globrunqputhead(gp *G) {
	t.GlobalQueue.Globrunqputhead(gp)
	t.s.record(nil, trace.Event{Kind: trace.Put, G: gp.Goid.Get(), Q: "global", Head: true})
}

func (t *tracedQueue) Globrunqget() *G {
	gp := t.GlobalQueue.Globrunqget()
	if gp != nil {
		t.s.record(nil, trace.Event{Kind: trace.Get, G: gp.Goid.Get(), Q: "global"})
	}
	return gp
}

type tracedGoroutines struct {
	Goroutines
	s *Sched
}

func (t *tracedGoroutines) Newproc1(mp *M, fn machine.Addr, callergp *G, callerpc machine.PC) *G {
	gp := t.Goroutines.Newproc1(mp, fn, callergp, callerpc)
	ev := trace.Event{Kind: trace.Create, G: gp.Goid.Get(), Text: t.s.funcName(fn)}
	if callergp != nil {
		ev.By, ev.Line = callergp.Goid.Get(), t.s.lineOf(callergp)
	}
	t.s.record(mp, ev)
	return gp
}

func (t *tracedGoroutines) Goexit0(mp *M, gp *G) {
	t.s.record(mp, trace.Event{Kind: trace.Exit, G: gp.Goid.Get()})
	t.Goroutines.Goexit0(mp, gp)
}

type tracedParking struct {
	Parking
	s *Sched
}

func (t *tracedParking) Gopark(mp *M, gp *G, unlockf func(gp *G, lock any) bool, lock any, reason WaitReason) {
	t.s.record(mp, trace.Event{Kind: trace.Park, G: gp.Goid.Get(), Line: t.s.lineOf(gp), Text: reason.String()})
	t.Parking.Gopark(mp, gp, unlockf, lock, reason)
}

type tracedThreads struct {
	Threads
	s *Sched
}

func (t *tracedThreads) Newm(mp *M, fn func(mp *M), pp *P, id int64) {
	t.s.recordOf(id, trace.NewM)
	t.Threads.Newm(mp, fn, pp, id)
}

func (t *tracedThreads) Mput(mp *M) {
	t.s.recordOf(mp.ID, trace.Idle)
	t.Threads.Mput(mp)
}

func (t *tracedThreads) Mget() *M {
	mp := t.Threads.Mget()
	if mp != nil {
		t.s.recordOf(mp.ID, trace.Wake)
	}
	return mp
}

type tracedStacks struct {
	Stacks
	s *Sched
}

func (t *tracedStacks) Copystack(gp *G, newsize uint64) {
	t.Stacks.Copystack(gp, newsize)
	t.s.record(gp.M.Get(), trace.Event{Kind: trace.Stack, G: gp.Goid.Get(), N: int64(newsize)})
}

// funcName returns the name of the function behind a closure. For the wrapper
// that the compiler makes of go f(x), that is f.
func (s *Sched) funcName(fn machine.Addr) string {
	if fn == 0 {
		return ""
	}
	prog := s.run.prog
	f := prog.FuncAt(machine.PC(s.Machine.Word(fn)))
	if f == nil {
		return ""
	}
	if strings.Contains(f.Name, ".gowrap") {
		for pc := f.Entry; pc < f.End; pc++ {
			if prog.Code[pc].Op() == machine.CALL {
				return prog.Funcs[prog.Code[pc].Imm()].Name
			}
		}
	}
	return f.Name
}
