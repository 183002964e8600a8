// Package models compares ways to run many tasks on few CPUs by adding up time: one thread of
// the operating system for each task (1:1), one thread for all of them (N:1), and as many
// threads as there are CPUs (M:N). It is arithmetic, not a scheduler: the same input gives the
// same result, and nothing runs.
package models

import (
	"cmp"
	"slices"
	"time"

	"gosched/chapters/trace"
)

// A Task is what someone wants done: steps, one after the other.
type Task []Step

// A Step is a stretch of a task.
type Step struct {
	Kind Kind
	For  time.Duration // positive
}

// A Kind is what a task does for a while.
type Kind string

const (
	Compute Kind = "compute" // needs a CPU
	Wait    Kind = "wait"    // for something that the program itself watches: a timer, a channel, a socket
	Block   Kind = "block"   // in a call to the operating system, which keeps the thread: reading a file
)

// A Model is a way to run tasks. A worker is what can compute one task at a time.
type Model struct {
	Name    string
	Workers int
	// Switch is what it costs a worker to go over to another task.
	Switch time.Duration
	// HoldsThread: a worker is a single thread, so a task that blocks keeps it.
	// Otherwise a task that blocks has a thread of its own to block in.
	HoldsThread bool
}

// What a switch costs: in the kernel, and between tasks of one thread.
const (
	KernelSwitch = 1500 * time.Nanosecond
	UserSwitch   = 100 * time.Nanosecond
)

// OneToOne gives each task a thread. The kernel runs them on its CPUs.
func OneToOne(cpus int) Model {
	return Model{Name: "1:1", Workers: cpus, Switch: KernelSwitch}
}

// ManyToOne runs all tasks on one thread, which uses one CPU at a time.
func ManyToOne() Model {
	return Model{Name: "N:1", Workers: 1, Switch: UserSwitch, HoldsThread: true}
}

// ManyToMany runs all tasks on as many threads as there are CPUs, and has another
// thread at hand for each task that blocks.
func ManyToMany(cpus int) Model {
	return Model{Name: "M:N", Workers: cpus, Switch: UserSwitch}
}

// A Run is what became of the tasks.
type Run struct {
	Makespan time.Duration // from the beginning to the end of the last task
	// Log has a lane for each worker, an M, and a G for each task, from 1. The
	// unit is ns.
	Log *trace.Log
}

// Run runs the tasks, which are all there at the beginning. A task that is ready
// waits in line until a worker takes it; it then keeps the worker until it waits
// or ends.
func (m Model) Run(tasks []Task) Run {
	r := &runner{model: m, workers: make([]worker, m.Workers), log: &trace.Log{
		Header: trace.Header{Schema: trace.Schema, Go: m.Name, Ms: m.Workers, Unit: "ns"},
	}}
	for i, steps := range tasks {
		r.line = append(r.line, &task{g: int64(i + 1), steps: steps})
		r.event(-1, trace.Event{Kind: trace.Create, G: int64(i + 1)})
	}
	for {
		r.wake()
		for i := range r.workers {
			r.work(i)
		}
		if !r.advance() {
			r.event(-1, trace.Event{Kind: trace.End, G: trace.None})
			return Run{Makespan: r.now, Log: r.log}
		}
	}
}

// A runner is a run under way.
type runner struct {
	model    Model
	now      time.Duration
	line     []*task // ready for a worker, the first to come first
	sleepers []*task // waiting on their own
	workers  []worker
	log      *trace.Log
}

type task struct {
	g     int64
	steps []Step        // those still to do
	until time.Duration // when a sleeper wakes
}

// A worker has a task that computes, or blocks and keeps it, until a time; or
// none.
type worker struct {
	task  *task
	until time.Duration
	last  *task // that it ran: going on with it costs no switch
}

// wake puts the sleepers whose time has come at the end of the line.
func (r *runner) wake() {
	slices.SortStableFunc(r.sleepers, func(a, b *task) int {
		return cmp.Or(cmp.Compare(a.until, b.until), cmp.Compare(a.g, b.g))
	})
	for len(r.sleepers) > 0 && r.sleepers[0].until <= r.now {
		t := r.sleepers[0]
		r.sleepers = r.sleepers[1:]
		if len(t.steps) > 0 {
			r.line = append(r.line, t)
			r.event(-1, trace.Event{Kind: trace.Ready, G: t.g})
		} else {
			r.event(-1, trace.Event{Kind: trace.Exit, G: t.g})
		}
	}
}

// work lets worker i do what it can do now without time passing, until it is
// busy or finds no one in line.
func (r *runner) work(i int) {
	w := &r.workers[i]
	for w.until <= r.now {
		if w.task == nil {
			if len(r.line) == 0 {
				return
			}
			w.task, r.line = r.line[0], r.line[1:]
			if w.task != w.last {
				w.until = r.now + r.model.Switch
			}
			w.last = w.task
			r.event(i, trace.Event{T: int64(max(w.until, r.now)), Kind: trace.Run, G: w.task.g})
			continue
		}
		r.step(i, w)
	}
}

// step begins the next step of worker w's task.
func (r *runner) step(i int, w *worker) {
	t := w.task
	if len(t.steps) == 0 {
		r.event(i, trace.Event{Kind: trace.Exit, G: t.g})
		w.task = nil
		return
	}
	s := t.steps[0]
	t.steps = t.steps[1:]
	switch {
	case s.Kind == Compute:
		w.until = r.now + s.For
	case s.Kind == Block && r.model.HoldsThread:
		w.until = r.now + s.For
		r.event(i, trace.Event{Kind: trace.Syscall, G: t.g, Text: string(s.Kind)})
		r.event(i, trace.Event{T: int64(w.until), Kind: trace.Sysexit, G: t.g})
	default:
		t.until = r.now + s.For
		r.sleepers = append(r.sleepers, t)
		r.event(i, trace.Event{Kind: trace.Park, G: t.g, Text: string(s.Kind)})
		w.task = nil
	}
}

// advance moves the clock to the next thing that happens; false if nothing will.
func (r *runner) advance() bool {
	next := time.Duration(-1)
	earlier := func(t time.Duration) {
		if t > r.now && (next < 0 || t < next) {
			next = t
		}
	}
	for i := range r.workers {
		earlier(r.workers[i].until)
	}
	for _, t := range r.sleepers {
		earlier(t.until)
	}
	if next < 0 {
		slices.SortStableFunc(r.log.Events, func(a, b trace.Event) int { return cmp.Compare(a.T, b.T) })
		return false
	}
	r.now = next
	return true
}

// event records ev on worker i, none if it is -1; now, if ev has no later time.
func (r *runner) event(i int, ev trace.Event) {
	ev.T = max(ev.T, int64(r.now))
	ev.M, ev.P = int32(i), trace.None
	r.log.Events = append(r.log.Events, ev)
}
