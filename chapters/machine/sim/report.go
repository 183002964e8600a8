package sim

import (
	"cmp"
	"slices"
	"time"
)

// A Report says what happened in a simulation.
type Report struct {
	Elapsed time.Duration // virtual time until main returned
	CPUs    []CPU
	Locks   []Lock // the one that was waited for longest first
	Threads int    // how many there have been

	Instructions    int64 // of the program
	Accesses        int64 // to shared variables
	Misses          int64 // of them, those for which a line had to come to the CPU
	ContextSwitches int64 // of CPUs, from one thread to another that waited
	Sleeps          int64 // of threads
	Wakeups         int64 // of threads, those by a timeout included

	// Turns is how often the simulator went from one thread to another: what a
	// simulation costs on the host.
	Turns int64
	// Digest is a number made of all turns and their times. Two simulations with
	// the same one went the same way.
	Digest uint64
}

// A CPU of a Report.
type CPU struct {
	Busy time.Duration // how long it had a thread, spinning included
}

// A Lock sums over the mutexes of one name.
type Lock struct {
	Name         string // "" for those without
	Acquisitions int64
	Contended    int64         // of them, those that found it locked; and those still waiting
	Waited       time.Duration // in all: spinning, sleeping, waking
}

func (s *simulation) report() Report {
	r := Report{
		Elapsed: s.now.Duration(), Threads: len(s.threads),
		Instructions: s.instructions, Accesses: s.accesses, Misses: s.misses,
		ContextSwitches: s.switches, Sleeps: s.sleeps, Wakeups: s.awoken,
		Turns: s.turns, Digest: s.digest,
	}
	for i := range s.cpus {
		c := &s.cpus[i]
		busy := c.busy
		if c.th != nil {
			busy += max(0, s.now-c.since)
		}
		r.CPUs = append(r.CPUs, CPU{Busy: min(busy, s.now).Duration()})
	}
	for _, l := range s.locks {
		r.Locks = append(r.Locks, Lock{l.name, l.acquired, l.contended, l.waited.Duration()})
	}
	slices.SortStableFunc(r.Locks, func(a, b Lock) int {
		return cmp.Or(cmp.Compare(b.Waited, a.Waited), cmp.Compare(b.Acquisitions, a.Acquisitions), cmp.Compare(a.Name, b.Name))
	})
	return r
}
