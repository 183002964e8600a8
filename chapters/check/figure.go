package check

import (
	"testing"
	"time"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// This file is for the tests that prove what a page of the book says about its
// figures, each of which is a run of one of the suite's programs.

// The options of a figure: the seed is the one of play, and so of the book; the
// memory, in bytes, is enough for ten thousand goroutines.
const (
	figureSeed   = 1
	figureMemory = 64 << 20
)

// Figure runs a program of the suite on v as the book does, traced and watched
// over. The test ends if the scheduler fails.
func (s *Suite) Figure(t *testing.T, v gmp.Version, program string) Run {
	t.Helper()
	return s.figure(t, v, program, gmp.Options{}, nil)
}

// FigureOn is Figure on simulated CPUs; as many Gs may run at once.
func (s *Suite) FigureOn(t *testing.T, v gmp.Version, program string, cpus int) Run {
	t.Helper()
	return s.figure(t, v, program, gmp.Options{Procs: cpus}, &sim.Options{CPUs: cpus, Seed: figureSeed})
}

// Measure runs a program of the suite on v on a simulated computer, on as many Ps as it
// has CPUs, and not watched over. opt may be nil, or Traced, which changes nothing but
// that there is a log. The seed of the computer is that of the scheduler, too. The error
// is also that of a scheduler that fails.
func (s *Suite) Measure(v gmp.Version, program string, computer sim.Options, opt func(o *gmp.Options)) (Run, error) {
	file, err := readProgram(s.Programs, program)
	if err != nil {
		return Run{}, err
	}
	o := gmp.Options{Procs: computer.CPUs, Seed: computer.Seed}
	o.Machine.MemBytes = figureMemory
	if opt != nil {
		opt(&o)
	}
	run, err := runOn(v, file, o, &computer)
	if err == nil {
		err = run.Err
	}
	return run, err
}

// Traced asks for the log of a run.
func Traced(o *gmp.Options) { o.Trace = true }

// Waited is the part of all CPUs' time for which threads waited for s.Lock, in a run on
// simulated CPUs.
func (r Run) Waited() float64 {
	return float64(r.Sim.Lock(schedLock).Waited) / float64(r.Sim.Elapsed*time.Duration(len(r.Sim.CPUs)))
}

func (s *Suite) figure(t *testing.T, v gmp.Version, program string, o gmp.Options, computer *sim.Options) Run {
	t.Helper()
	file, err := readProgram(s.Programs, program)
	if err != nil {
		t.Fatal(err)
	}
	o.Trace, o.Check, o.Seed, o.Budget = true, true, figureSeed, playBudget
	o.Machine.MemBytes = figureMemory
	run, err := runOn(v, file, o, computer)
	if err == nil {
		err = run.Err
	}
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Events returns the events of the kinds, in order.
func (r Run) Events(kinds ...trace.Kind) []trace.Event {
	var found []trace.Event
	for _, e := range r.Log.Events {
		for _, k := range kinds {
			if e.Kind == k {
				found = append(found, e)
			}
		}
	}
	return found
}

// QueueAt replays the global queue up to the first event that stop accepts, and
// returns the Gs on it, head first. The test ends if there is no such event.
func (r Run) QueueAt(t *testing.T, stop func(e trace.Event) bool) []int64 {
	t.Helper()
	var q []int64
	for _, e := range r.Log.Events {
		if stop(e) {
			return q
		}
		switch e.Kind {
		case trace.Put:
			q = append(q, e.G)
		case trace.Get:
			if len(q) == 0 || q[0] != e.G {
				t.Fatalf("the log says that G%d was taken, which is not the first of %v", e.G, q)
			}
			q = q[1:]
		}
	}
	t.Fatal("the event of the figure does not happen")
	return nil
}
