package gmp

import (
	"strings"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file writes the trace: decorators around the parts, which record what
// was done and then do it, or the other way round where the record needs the
// result.

// traced wraps parts so that what they do is recorded in s.run.rec.
func traced(s *Sched, p Parts) Parts {
	p.Loop = &tracedLoop{p.Loop, s}
	p.Submission = &tracedSubmission{p.Submission, s}
	p.GlobalQueue = &tracedQueue{p.GlobalQueue, s}
	p.Goroutines = &tracedGoroutines{p.Goroutines, s}
	p.Stacks = &tracedStacks{p.Stacks, s}
	p.Parking = &tracedParking{p.Parking, s}
	return p
}

// record adds ev to the trace, if there is one. mp may be nil if it is unknown.
func (s *Sched) record(mp *M, ev trace.Event) {
	if s.run.rec == nil {
		return
	}
	ev.T = s.run.now
	ev.P = trace.None
	ev.M = trace.None
	if mp != nil {
		ev.M = int32(mp.ID)
		if mp.P != nil {
			ev.P = mp.P.ID
		}
	}
	s.run.rec.Events = append(s.run.rec.Events, ev)
}

// finishTrace writes the header, which needs the end of the run.
func (s *Sched) finishTrace() {
	h := &s.run.rec.Header
	h.Schema = trace.Schema
	h.Go = s.Version().Name
	h.Procs = int(s.Gomaxprocs)
	h.Ms = int(s.Mnext)
	if h.Unit = "instructions"; s.run.now != s.run.executed {
		h.Unit = "ns" // the program slept
	}
	h.Seed = s.run.opt.Seed
	if len(s.run.prog.Files) > 0 {
		h.File, h.Source = s.run.prog.Files[0].Name, s.run.prog.Files[0].Source
	}
}

type tracedLoop struct {
	Loop
	s *Sched
}

func (t *tracedLoop) Execute(mp *M, gp *G, inheritTime bool) {
	t.Loop.Execute(mp, gp, inheritTime)
	t.s.record(mp, trace.Event{Kind: trace.Run, G: gp.Goid, Line: t.s.lineOf(gp)})
}

type tracedSubmission struct {
	Submission
	s *Sched
}

func (t *tracedSubmission) GoschedImpl(mp *M, gp *G, preempted bool) {
	kind, why := trace.Yield, ""
	if preempted {
		kind, why = trace.Preempt, "its slice is used up"
	}
	t.s.record(mp, trace.Event{Kind: kind, G: gp.Goid, Line: t.s.lineOf(gp), Text: why})
	t.Submission.GoschedImpl(mp, gp, preempted)
}

func (t *tracedSubmission) Ready(mp *M, gp *G, next bool) {
	by := int64(0)
	if mp.Curg != nil {
		by = mp.Curg.Goid
	}
	t.s.record(mp, trace.Event{Kind: trace.Ready, G: gp.Goid, By: by})
	t.Submission.Ready(mp, gp, next)
}

type tracedQueue struct {
	GlobalQueue
	s *Sched
}

func (t *tracedQueue) Globrunqput(gp *G) {
	t.GlobalQueue.Globrunqput(gp)
	t.s.record(nil, trace.Event{Kind: trace.Put, G: gp.Goid, Q: "global"})
}

func (t *tracedQueue) Globrunqputhead(gp *G) {
	t.GlobalQueue.Globrunqputhead(gp)
	t.s.record(nil, trace.Event{Kind: trace.Put, G: gp.Goid, Q: "global", Head: true})
}

func (t *tracedQueue) Globrunqget() *G {
	gp := t.GlobalQueue.Globrunqget()
	if gp != nil {
		t.s.record(nil, trace.Event{Kind: trace.Get, G: gp.Goid, Q: "global"})
	}
	return gp
}

type tracedGoroutines struct {
	Goroutines
	s *Sched
}

func (t *tracedGoroutines) Newproc1(mp *M, fn machine.Addr, callergp *G, callerpc machine.PC) *G {
	gp := t.Goroutines.Newproc1(mp, fn, callergp, callerpc)
	ev := trace.Event{Kind: trace.Create, G: gp.Goid, Text: t.s.funcName(fn)}
	if callergp != nil {
		ev.By, ev.Line = callergp.Goid, t.s.lineOf(callergp)
	}
	t.s.record(mp, ev)
	return gp
}

func (t *tracedGoroutines) Goexit0(mp *M, gp *G) {
	t.s.record(mp, trace.Event{Kind: trace.Exit, G: gp.Goid})
	t.Goroutines.Goexit0(mp, gp)
}

type tracedParking struct {
	Parking
	s *Sched
}

func (t *tracedParking) Gopark(mp *M, gp *G, unlockf func(gp *G, lock any) bool, lock any, reason WaitReason) {
	t.s.record(mp, trace.Event{Kind: trace.Park, G: gp.Goid, Line: t.s.lineOf(gp), Text: reason.String()})
	t.Parking.Gopark(mp, gp, unlockf, lock, reason)
}

type tracedStacks struct {
	Stacks
	s *Sched
}

func (t *tracedStacks) Copystack(gp *G, newsize uint64) {
	t.Stacks.Copystack(gp, newsize)
	t.s.record(gp.M, trace.Event{Kind: trace.Stack, G: gp.Goid, N: int64(newsize)})
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
