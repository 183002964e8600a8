package check

import (
	"errors"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
)

// schedLock is how reports of a simulation call s.Lock.
const schedLock = "sched.lock"

// OnCPUs runs fn on simulated CPUs, as sim.Run does. That a method is not written yet,
// and that the check ends, are no errors of the simulation: they go on from here.
func OnCPUs(cpus int, fn func()) (sim.Report, error) {
	return OnComputer(sim.Options{CPUs: cpus}, fn)
}

// most is how much a simulation in a check may do that sets no limit (see sim.Options.Most). It
// takes a fraction of a second; a check that needs more sets a limit of its own.
const most = 1_000_000

// programMost is how much a simulated program of a check may do, whatever its limit: threads that
// only sleep and look again come to the end of two virtual minutes after a real one. The costliest
// program of the course does 3.5 million with the solutions.
const programMost = 12_000_000

// ForEver reports whether a simulation ended because nothing that its threads wait for, or do
// again and again, will ever bring it to an end.
func ForEver(err error) bool {
	var deadlock *sim.Deadlock
	var endless *sim.Endless
	return errors.As(err, &deadlock) || errors.As(err, &endless)
}

// OnComputer is OnCPUs for a computer that is not an ordinary one.
func OnComputer(opt sim.Options, fn func()) (sim.Report, error) {
	if opt.Limit == 0 && opt.Most == 0 {
		opt.Most = most
	}
	report, err := sim.Run(opt, fn)
	var p *sim.Panic
	if errors.As(err, &p) {
		switch v := p.Value.(type) {
		case gmp.Todo, stop:
			panic(v)
		}
	}
	return report, err
}

// Acquisitions returns how often fn takes s.Lock. It runs on a simulated CPU; that it
// does not come to its end there is a failure of the check, which ends.
func (t *T) Acquisitions(fn func()) int64 {
	t.Helper()
	return t.AcquisitionsOf(schedLock, fn)
}

// AcquisitionsOf is Acquisitions for the lock with this name, which the scheduler has
// given it.
func (t *T) AcquisitionsOf(lock string, fn func()) int64 {
	t.Helper()
	report, err := OnCPUs(1, fn)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return report.Lock(lock).Acquisitions
}
