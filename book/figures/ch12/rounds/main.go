// Rounds counts the rounds of the monitor in three programs, as time goes on: in one that
// computes, in one that sleeps, and in one whose Ps are taken from system calls all the time.
//
//	go run ./book/figures/ch12/rounds
package main

import (
	"fmt"
	"os"

	ch12 "gosched/chapters/ch12_sysmon"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

var programs = []string{"hog.go", "idle.go", "naps.go"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	rounds := map[string][]int64{}
	for _, name := range programs {
		times, err := timesOf(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rounds[name] = times
	}
	fmt.Println("time, ms  computes  sleeps  system calls")
	for _, us := range []int64{50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 90_000} {
		fmt.Printf("%-8g", float64(us)/1000)
		for _, name := range programs {
			fmt.Printf("  %8d", before(rounds[name], us*1000))
		}
		fmt.Println()
	}
	return nil
}

// before is how many of some times are before one.
func before(times []int64, ns int64) (n int) {
	for _, at := range times {
		if at <= ns {
			n++
		}
	}
	return n
}

// timesOf is when the rounds were in a run of a program, in ns.
func timesOf(name string) (times []int64, err error) {
	v := solutions.Base("ch12")
	monitor := v.Monitor
	v.Monitor = func(s *gmp.Sched) gmp.Monitor { return &counts{monitor(s), s, &times} }
	_, err = ch12.Suite.Measure(v, name, sim.Options{CPUs: 4, Seed: 1}, func(o *gmp.Options) { o.Procs = 1 })
	return times, err
}

// counts notes when each round is.
type counts struct {
	gmp.Monitor
	s     *gmp.Sched
	times *[]int64
}

func (c *counts) Retake(mp *gmp.M, now int64) uint32 {
	*c.times = append(*c.times, now)
	return c.Monitor.Retake(mp, now)
}
