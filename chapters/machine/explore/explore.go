// Package explore runs small concurrent programs in all their interleavings.
//
// The code under test is ordinary code that uses package machine: its atomic
// variables, Mutex, Note, Cell, Procyield and so on. A Model builds the state
// that is shared, names the threads and says what must hold:
//
//	explore.Run(t, func(m *explore.Model) {
//		var q queue
//		m.Thread("owner", func() { q.put(1) })
//		m.Thread("thief", func() { q.steal() })
//		m.Check(func() { assert.Zero(m, q.len()) })
//	})
//
// Its threads are coroutines, and which one runs is chosen anew before each
// operation on something shared. An exploration tries schedules in three ways,
// one after another: first those with at most 0, 1 and 2 preemptions, since most
// bugs need no more, and what they find is the simplest to read; then one of each
// class of equivalent ones, until there is none left; and if that takes too
// long, random ones. Only if the second came to its end is the result called
// exhaustive.
//
// It finds, each under its own name: a check that is violated, a deadlock, a
// lost wake-up, a livelock, a data race on a Cell, a panic, and a model that does
// not do the same in the same schedule.
//
// # What is explored
//
// Interleavings are sequentially consistent, as Go's atomic operations are. A
// step is one operation on an atomic variable, a Mutex or a Note, and what
// follows up to the next one. Uses of Cells are not steps: where two threads are
// not kept apart, that is reported as a race. Other variables are invisible; if
// threads share one, nothing said here holds.
//
// Procyield and Osyield say that the thread waits for another one. Rounds of a
// loop that yields are not explored for ever; yield.go has the rule. Usleep
// yields, too, and adds to the time; Nanotime reads it; both are steps, and the
// time is a shared variable, so each order of looks and sleeps is tried. A
// NoteSleep with a timeout may end either way as long as no thread has
// called Wakeup: that it times out is one of the things that are tried, however long it
// is. When no thread can run and some wait in loops, time goes on. Programs on the
// machine's CPU are not explored, so a Signal is a step for its sender, and for a
// receiver that clears it or is about to sleep in a system call, but not for a program.
// What is done in the kernel of a machine is one step up to the next sleep or wake-up.
// What Go code does to a program's memory is looked at as if each word were a Cell, and
// its atomic operations there are steps.
//
// # Limits
//
// The same model with the same Options gives the same Result. There is one
// exploration or simulation at a time in a process. Code that loops without
// using anything shared hangs it. FailNow of a *testing.T must not be called in
// a thread; that of the Model may.
package explore

import (
	"math/rand/v2"
	"runtime/debug"
)

// Options of an exploration. The zero value is good for most models.
type Options struct {
	// Steps is after how many steps of all executions the exploration ends,
	// 3,000,000 if 0: about a second.
	Steps int
	// Depth is how many steps one execution may take, 5,000 if 0. More are a
	// livelock.
	Depth int
	// Spins is how many rounds in a row of a loop that yields are explored
	// although nothing has changed, 1 if 0. A loop that counts its rounds is
	// explored completely if it gives up after at most one more.
	Spins int
	// Seed is for the random schedules.
	Seed uint64
	// Replay is the schedule of a Failure, to be run once, instead of a search.
	Replay string
}

// The defaults of Options.
const (
	defaultSteps = 3_000_000
	defaultDepth = 5_000
	defaultSpins = 1
)

func (o Options) withDefaults() Options {
	if o.Steps <= 0 {
		o.Steps = defaultSteps
	}
	if o.Depth <= 0 {
		o.Depth = defaultDepth
	}
	if o.Spins <= 0 {
		o.Spins = defaultSpins
	}
	return o
}

// maxBound is how many preemptions the first phase goes up to, and quickPart the
// part of all steps that each bound may take.
const (
	maxBound  = 2
	quickPart = 100
)

// gcPercent is by how many percent the heap grows during an exploration before Go collects it.
// Each execution throws away all that it has made, so there is hardly anything to mark; with Go's
// default of 100 there is a collection every few milliseconds, which costs as much as the rest.
const gcPercent = 1000

// Explore explores a model. The function is called for each execution and makes
// the model anew each time. Another exploration or a simulation must not be
// under way: that is a Fatal.
func Explore(opt Options, model func(m *Model)) Result {
	x := newExplorer(opt, model)
	defer x.pool.close()
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	if opt.Replay != "" {
		return x.replay(opt.Replay)
	}
	r := Result{Bound: -1}
	v := x.phases(&r)
	r.Executions, r.Steps, r.Cut = x.executions, x.total, x.cut
	if v != nil {
		r.Failure = x.explain(v, r.Bound)
	}
	return r
}

func newExplorer(opt Options, model func(m *Model)) *explorer {
	return &explorer{opt: opt.withDefaults(), model: model, sync: true, numbers: map[any]int{}, m: &Model{}}
}

// twice runs one schedule two times, which must be the same.
func (x *explorer) twice() *verdict {
	x.strategy, x.bound = bounded, 0
	if v := x.once(); v != nil {
		return v
	}
	n := x.depth
	if v := x.once(); v != nil {
		return v
	}
	if x.depth != n || len(x.trail) != n {
		x.nondeterministic(nil)
	}
	return x.verdict
}

// phases searches in the three ways. It ends with the first thing that is wrong.
func (x *explorer) phases(r *Result) *verdict {
	if v := x.twice(); v != nil {
		return v
	}
	for x.bound = 0; x.bound <= maxBound; x.bound++ {
		v, complete := x.walk(bounded, x.opt.Steps/quickPart)
		if v != nil {
			return v
		}
		if !complete {
			break
		}
		r.Bound = x.bound
	}
	v, complete := x.walk(reduced, x.opt.Steps/4*3)
	if v != nil {
		return v
	}
	if complete && x.cut == "" {
		r.Exhaustive = true
		return nil
	}
	return x.randomly(x.opt.Steps - x.total)
}

// walk runs the executions of a strategy until something is wrong, nothing is
// left, or they have taken so many steps.
func (x *explorer) walk(s strategy, steps int) (v *verdict, complete bool) {
	complete = x.visit(s, steps, func(w *verdict) bool {
		v = w
		return w == nil
	})
	return v, complete
}

// visit calls what for each execution of a strategy, with what is wrong with
// it, until it returns false.
func (x *explorer) visit(s strategy, steps int, what func(v *verdict) bool) (complete bool) {
	x.strategy = s
	x.trail, x.known = x.trail[:0], 0
	for end := x.total + steps; ; {
		if !what(x.once()) {
			return false
		}
		if !x.advance() {
			return true
		}
		if x.total >= end {
			return false
		}
	}
}

// once is one execution, made a second time if the first one showed that more
// must be watched.
func (x *explorer) once() *verdict {
	v := x.execute()
	if x.aborted {
		v = x.execute()
	}
	x.sync = x.cells
	x.executions++
	x.total += x.length
	x.pct.longest = max(x.pct.longest, x.length)
	return v
}

// randomly runs random schedules.
func (x *explorer) randomly(steps int) *verdict {
	x.strategy = random
	x.pct.rand = rand.New(rand.NewPCG(x.opt.Seed, 0))
	for end := x.total + steps; x.total < end; {
		x.trail, x.known = x.trail[:0], 0
		x.pct.begin()
		if v := x.once(); v != nil {
			return v
		}
		x.total++ // so that it ends even if there are no steps
	}
	return nil
}

// directed runs one given schedule.
func (x *explorer) directed(s schedule, loose bool) *verdict {
	x.strategy, x.loose = directed, loose
	x.trail, x.known = x.trail[:0], 0
	x.schedule = s
	return x.once()
}
