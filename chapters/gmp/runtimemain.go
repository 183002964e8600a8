package gmp

import (
	"slices"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is what main.main finds when it begins. In Go the main goroutine runs runtime.main,
// which first starts goroutines of the runtime's own and waits for some of them; then come the
// init functions of the packages, some of which start more. On one P it is the scheduler alone
// that says how far each has come by then, and the order in which a program's own goroutines run
// depends on it: Schedtick says when a P looks at the global queue, and a goroutine that has
// not run yet has a place in the queue.
//
// runtime.main itself is not played: its LockOSThread would give each program three Ms. What it
// leaves behind is, for each version as follows from its source. The helpers that still wait for their
// first run are Gs, which take their places in the queue, run when it is their turn, and
// park for ever. They are not in Allgs, and have negative Goids, so that the program's own are numbered
// from 1; neither traces nor tracebacks show them.

// A beginning is the state in which runtime.main of one version calls main.main, on one P.
type beginning struct {
	minor   int      // Go 1.minor, up to the next beginning
	ticks   uint32   // Schedtick; 0 for what it is when the main goroutine begins
	helpers []string // have been made and have not run, in the order in which they were made
	fing    bool     // so has the one that calls finalizers, if the program imports package os
}

// How it comes about:
//
//   - 1.1, 1.2: runtime.main makes the scavenger, which goes to the tail of the queue, and never
//     waits: nothing runs before main.main. Each Execute ticks; the only one was that of main.
//   - 1.5: an init function makes the helper of forced collections, and gcenable makes the sweeper,
//     for which it waits. The sweeper is in Runnext, so it inherits the slice of main, which has
//     inherited that of nobody: no tick. It makes main ready, and parks. Main is locked to
//     its thread: the M that takes it from Runnext hands it its P, and stoplockedm is
//     followed by an Execute that inherits nothing: 1. The helper has not had its turn.
//   - 1.14: gcenable waits for the scavenger as well, which is in Runnext now; so main goes on at 1
//     and waits again. The helper ticks, and so does the sweeper, both from the ring; then
//     main: 4.
//   - 1.26: the same, and then one more that may later change GOMAXPROCS (since 1.25), for which
//     nobody waits.
//
// Since 1.5 SetFinalizer makes the goroutine that calls finalizers, when it is called first
// (before, the first collection that found one did). The init function of package os calls it,
// for the standard files. Package net of 1.26 has a cleanup, by package unique.
var beginnings = []beginning{
	{minor: 1, helpers: []string{"runtime.MHeap_Scavenger"}},
	{minor: 5, ticks: 1, helpers: []string{"runtime.forcegchelper"}, fing: true},
	{minor: 14, ticks: 4, fing: true},
	{minor: 26, ticks: 4, helpers: []string{"runtime.updateMaxProcsGoroutine"}, fing: true},
}

// importOS are those of the packages of this course that, in Go, import package os, and os itself.
var importOS = []string{"flag", "fmt", "net", "os", "runtime/debug"}

// runtimeMain does what runtime.main has done when it calls main.main. The main goroutine has
// just been chosen, and runs on mp, as yet the only M. Where there are several Ps, it does not follow
// from the source where main goes on, and who has run: there a program begins on a fresh P.
func (s *Sched) runtimeMain(mp *M) {
	pp := mp.P.Peek()
	if s.run.opt.Bare || s.StartingProcs() > 1 || s.run.version.RunQueue == nil || pp == nil || mp.Curg.Peek() == nil {
		return
	}
	b := s.beginning()
	if b.ticks > 0 {
		pp.Schedtick.Set(b.ticks)
	}
	for i := range b.helpers {
		s.Runqput(pp, s.helper(i), true)
	}
}

// beginning is the last of the beginnings that s is not too old for, with all helpers of its
// program.
func (s *Sched) beginning() (b beginning) {
	for _, next := range beginnings {
		if s.since(next.minor) {
			b = next
		}
	}
	imports := s.run.prog.Imports
	b.helpers = slices.Clone(b.helpers)
	if b.fing && slices.ContainsFunc(imports, func(p string) bool { return slices.Contains(importOS, p) }) {
		b.helpers = append(b.helpers, "runtime.runfinq")
	}
	if s.since(26) && slices.Contains(imports, "net") {
		b.helpers = append(b.helpers, "runtime.runCleanups")
	}
	return b
}

// helper makes a runnable G of the runtime's own, the i-th, which parks when it runs.
func (s *Sched) helper(i int) *G {
	gp := s.Malg(0)
	gp.native = true
	gp.Sched.PC = machine.PC(len(s.run.prog.Code))
	gp.Goid.Set(int64(trace.None - 1 - i))
	gp.Cont.Set(func(s *Sched, mp *M, gp *G) { s.Gopark(mp, gp, nil, nil, WaitReasonZero) })
	gp.Atomicstatus.Store(Grunnable)
	return gp
}

// hidden reports whether a G with this Goid is such a helper.
func hidden(goid int64) bool { return goid < trace.None }
