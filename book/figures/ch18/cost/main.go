// Cost runs a program on 4 to 64 simulated CPUs twice: with a thief that asks every P, as in
// chapter 9, and with one that looks at the masks first, as in this chapter. It tells how long the
// program takes, and how long one StealWork that finds nothing takes: the median.
//
//	go run ./book/figures/ch18/cost
package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	ch10 "gosched/chapters/ch10_spin"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
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
	fmt.Println("all: every P is asked; masked: the masks are read first")
	fmt.Println("CPUs  takes: all  takes: masked  a look: all  a look: masked")
	for cpus := 4; cpus <= 64; cpus *= 2 {
		old, _ := solutions.Form("ch09")
		all, allLook, err := simulate(old, cpus)
		if err != nil {
			return err
		}
		masked, maskedLook, err := simulate(gmp.Version{}, cpus)
		if err != nil {
			return err
		}
		fmt.Printf("%4d  %7.1f µs  %10.1f µs  %8.2f µs  %11.2f µs\n", cpus, us(all), us(masked), us(allLook), us(maskedLook))
	}
	return nil
}

func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

const seeds = 16

// simulate runs pairs.go on Go 1.26 with these parts. It returns how long it took, and the median of
// how long the StealWorks took that found nothing.
func simulate(parts gmp.Version, cpus int) (takes, look time.Duration, err error) {
	v := solutions.Base("ch18").With(parts)
	steal, looks := v.Stealing, []time.Duration{0}
	v.Stealing = func(s *gmp.Sched) gmp.Stealing { return timed{steal(s), &looks} }
	for seed := range uint64(seeds) {
		run, err := ch10.Suite.Measure(v, "pairs.go", sim.Options{CPUs: cpus, Seed: seed}, nil)
		if err != nil {
			return 0, 0, err
		}
		takes += run.Sim.Elapsed / seeds
	}
	slices.Sort(looks)
	return takes, looks[len(looks)/2], nil
}

// timed is a Stealing whose fruitless calls are timed.
type timed struct {
	gmp.Stealing
	looks *[]time.Duration
}

func (t timed) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	began := machine.Nanotime()
	gp, inheritTime, rnow, pollUntil, newWork = t.Stealing.StealWork(mp, now)
	if gp == nil {
		*t.looks = append(*t.looks, time.Duration(machine.Nanotime()-began))
	}
	return gp, inheritTime, rnow, pollUntil, newWork
}
