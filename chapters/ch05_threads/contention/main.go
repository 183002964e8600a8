// Contention runs a program of many small steps on the scheduler of Go 1.0, on 1 to
// 64 simulated CPUs, and tells how fast it goes and how long threads waited for the
// one lock.
//
//	go run ./chapters/ch05_threads/contention
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	ch05 "gosched/chapters/ch05_threads"
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
		report, err := simulate("fine.go", cpus, 1)
		if err != nil {
			return err
		}
		rate := throughput(report)
		fmt.Printf("%4d  %8.0f  %5.1f%% of all CPUs' time  %s\n", cpus, rate, 100*waited(report), strings.Repeat("█", int(rate/block+0.5)))
	}
	return nil
}

// throughput is how many steps were done in a ms.
func throughput(report sim.Report) float64 { return steps / report.Elapsed.Seconds() / 1000 }

// simulate runs a program of the chapter on Go 1.0.
func simulate(program string, cpus int, seed uint64) (sim.Report, error) {
	v, err := solutions.Go("1.0")
	if err != nil {
		return sim.Report{}, err
	}
	run, err := ch05.Suite.Measure(v, program, sim.Options{CPUs: cpus, Seed: seed}, false)
	return run.Sim, err
}

// waited is the part of all CPUs' time for which threads waited for sched.lock.
func waited(report sim.Report) float64 {
	return float64(report.Lock("sched.lock").Waited) / float64(report.Elapsed*time.Duration(len(report.CPUs)))
}
