// Worth runs programs on the schedulers of Go 1.0 and 1.1, on simulated CPUs, and tells
// what stealing is worth.
//
//	go run ./book/figures/ch09/worth alone       what happens without it
//	go run ./book/figures/ch09/worth order       whom to ask, and in which order
//	go run ./book/figures/ch09/worth throughput  1.0 and 1.1 on 1 to 64 CPUs
//	go run ./book/figures/ch09/worth costs       the same on 64, on other computers
//	go run ./book/figures/ch09/worth forkjoin    a tree of goroutines on 1 to 64 CPUs
package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	ch09 "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// commands are what the program can do.
var commands = map[string]func() error{
	"alone":      alone,
	"order":      order,
	"throughput": throughput,
	"costs":      costs,
	"forkjoin":   forkJoin,
}

func main() {
	var command func() error
	if len(os.Args) == 2 {
		command = commands[os.Args[1]]
	}
	if command == nil {
		fmt.Fprintln(os.Stderr, "usage: worth alone|order|throughput|costs|forkjoin")
		os.Exit(2)
	}
	if err := command(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// most is the largest number of CPUs here.
const most = 64

// seeds are those of the runs of which the middle one counts.
var seeds = []uint64{1, 2, 3}

// median runs something once with each seed and returns the middle result.
func median(run func(seed uint64) (time.Duration, error)) (time.Duration, error) {
	var all []time.Duration
	for _, seed := range seeds {
		d, err := run(seed)
		if err != nil {
			return 0, err
		}
		all = append(all, d)
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

// elapsed is how long a program takes on v.
func elapsed(v gmp.Version, program string, cpus int, c sim.Costs) (time.Duration, error) {
	return median(func(seed uint64) (time.Duration, error) {
		run, err := ch09.Suite.Measure(v, program, sim.Options{CPUs: cpus, Seed: seed, Costs: c}, nil)
		return run.Sim.Elapsed, err
	})
}

// traced runs a program once, with its log.
func traced(v gmp.Version, program string, cpus int, c sim.Costs) (check.Run, error) {
	return ch09.Suite.Measure(v, program, sim.Options{CPUs: cpus, Seed: seeds[0], Costs: c}, check.Traced)
}

// micros is d in µs.
func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// releases returns Go 1.0 and 1.1.
func releases() (old, now gmp.Version, err error) {
	if old, err = solutions.Go("1.0"); err == nil {
		now, err = solutions.Go("1.1")
	}
	return old, now, err
}
