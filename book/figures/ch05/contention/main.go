// Contention runs a program of many small steps on the scheduler of Go 1.0, on 1 to
// 64 simulated CPUs, and tells how fast it goes and how long threads waited for the
// one lock.
//
//	go run ./book/figures/ch05/contention
package main

import (
	"fmt"
	"os"
	"strings"

	ch05 "gosched/chapters/ch05_threads"
	"gosched/chapters/check"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// steps is how many steps fine.go takes: 256 goroutines, 100 each.
const steps = 256 * 100

// A block of a bar stands for so many steps per ms.
const block = 50

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	fmt.Println("CPUs  steps/ms  waiting for sched.lock")
	for cpus := 1; cpus <= 64; cpus *= 2 {
		run, err := simulate(cpus, 1)
		if err != nil {
			return err
		}
		rate := throughput(run)
		fmt.Printf("%4d  %8.0f  %5.1f%% of all CPUs' time  %s\n", cpus, rate, 100*run.Waited(), strings.Repeat("█", int(rate/block+0.5)))
	}
	return nil
}

// throughput is how many steps were done in a ms.
func throughput(run check.Run) float64 { return steps / run.Sim.Elapsed.Seconds() / 1000 }

// simulate runs fine.go on Go 1.0.
func simulate(cpus int, seed uint64) (check.Run, error) {
	v, err := solutions.Go("1.0")
	if err != nil {
		return check.Run{}, err
	}
	return ch05.Suite.Measure(v, "fine.go", sim.Options{CPUs: cpus, Seed: seed}, nil)
}
