// Cost runs a program with two kinds of Ms, on 4 to 64 simulated CPUs: those of chapters 8
// and 9, of which one is woken for each G that is made ready, and which sleep as soon as
// they find nothing; and those of this chapter. It tells how long the program takes, how
// often a thread went to sleep, and how many CPUs had one to run.
//
//	go run ./book/figures/ch10/cost
package main

import (
	"fmt"
	"os"
	"time"

	ch10 "gosched/chapters/ch10_spin"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	fmt.Println("none: no M spins; some: some spin")
	fmt.Println("program    CPUs  takes: none  takes: some  sleeps: none  sleeps: some  busy: none  busy: some")
	for _, program := range []string{"pairs.go", "burst.go"} {
		for cpus := 4; cpus <= 64; cpus *= 2 {
			none, err := simulate(program, sleepers(), cpus, 1)
			if err != nil {
				return err
			}
			some, err := simulate(program, spinners(), cpus, 1)
			if err != nil {
				return err
			}
			fmt.Printf("%-9s  %4d  %8d µs  %8d µs  %12d  %12d  %10.1f  %10.1f\n", program, cpus,
				none.Elapsed/time.Microsecond, some.Elapsed/time.Microsecond, none.Sleeps, some.Sleeps, busy(none), busy(some))
		}
	}
	return nil
}

// sleepers are the parts of Ms that do not spin.
func sleepers() gmp.Version {
	finder, _ := solutions.Form("ch08")
	wakeups, _ := solutions.Form("ch10/given")
	return finder.Only("Finder").With(wakeups)
}

// spinners are those of this chapter.
func spinners() gmp.Version {
	parts, _ := solutions.Form("ch10")
	return parts
}

// simulate runs a program of the chapter on Go 1.1 with these parts.
func simulate(program string, parts gmp.Version, cpus int, seed uint64) (sim.Report, error) {
	run, err := ch10.Suite.Measure(solutions.Base("ch10").With(parts), program, sim.Options{CPUs: cpus, Seed: seed}, nil)
	return run.Sim, err
}

// busy is how many CPUs had a thread, on average.
func busy(r sim.Report) float64 {
	sum := time.Duration(0)
	for _, c := range r.CPUs {
		sum += c.Busy
	}
	return float64(sum) / float64(r.Elapsed)
}
