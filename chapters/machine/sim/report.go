package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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

// Lock returns what there is to say of the lock with this name; its counts are 0 if it
// was never used.
func (r Report) Lock(name string) Lock {
	for _, l := range r.Locks {
		if l.Name == name {
			return l
		}
	}
	return Lock{Name: name}
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

// String returns the report for people, in a few lines.
func (r Report) String() string {
	var b strings.Builder
	most, all := time.Duration(0), time.Duration(0)
	for _, c := range r.CPUs {
		most, all = max(most, c.Busy), all+c.Busy
	}
	percent := func(d time.Duration) float64 { return 100 * float64(d) / float64(max(1, r.Elapsed)) }
	fmt.Fprintf(&b, "%v of virtual time, %s, %s: %.0f%% busy on average, %.0f%% the busiest\n", r.Elapsed,
		count(len(r.CPUs), "CPU"), count(r.Threads, "thread"), percent(all)/float64(max(1, len(r.CPUs))), percent(most))
	fmt.Fprintf(&b, "%s, %s, %s, %s, %s\n", count(r.Instructions, "instruction"),
		count(r.Accesses, "access"), count(r.Misses, "miss"), count(r.Sleeps, "sleep"), count(r.ContextSwitches, "context switch"))
	for _, l := range r.Locks {
		if l.Contended > 0 {
			name := l.Name
			if name == "" {
				name = "without a name"
			}
			fmt.Fprintf(&b, "lock %s: waited for %v in all, by %d of %d acquisitions\n", name, l.Waited, l.Contended, l.Acquisitions)
		}
	}
	return b.String()
}

// count returns "1 thread", "2 threads", "3 misses".
func count[N int | int64](n N, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "s") || strings.HasSuffix(what, "h"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
