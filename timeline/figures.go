package timeline

import (
	"time"

	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// Figures say how well a run on simulated CPUs went, to be compared with those of another
// version.
type Figures struct {
	Makespan time.Duration // from the first event to the end of the program
	LockWait time.Duration // that threads waited for sched.lock, in all
	Ms       int           // threads that run Gs
	Idle     float64       // the part of the CPUs' time in which one was idle while a G waited in a queue: Log.IdleBesideWork
}

// FiguresOf returns the figures of a run, from its log, whose unit is ns, and the report of
// the simulation.
func FiguresOf(log *trace.Log, report *sim.Report) Figures {
	f := Figures{Makespan: time.Duration(log.Span()), Ms: log.Header.Ms}
	for _, lock := range report.Locks {
		if lock.Name == "sched.lock" {
			f.LockWait = lock.Waited
		}
	}
	if cpus := len(report.CPUs); f.Makespan > 0 && cpus > 0 {
		f.Idle = float64(log.IdleBesideWork(cpus)) / float64(f.Makespan) / float64(cpus)
	}
	return f
}
