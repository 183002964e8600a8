package main

import (
	"fmt"
	"slices"
	"time"

	ch09 "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// orders are the ways to choose whom to ask: the right one, and wrong solutions of the
// chapter by name.
var orders = []struct{ mutant, what string }{
	{"", "all, in random order"},
	{"one-pass", "all, in one pass"},
	{"always-from-0", "all, from P0 on"},
	{"two-choices", "two at random"},
	{"one-victim", "one at random"},
}

// order runs a tree of goroutines on 64 CPUs, with thieves that differ in whom they ask in
// a pass.
func order() error {
	fmt.Println("A pass asks              time   misses")
	for _, o := range orders {
		time, misses, err := runOrder(o.mutant)
		if err != nil {
			return err
		}
		fmt.Printf("%-22s %4.0f µs  %6d\n", o.what, micros(time), misses)
	}
	return nil
}

// runOrder runs the program on as many CPUs as there can be, with each seed, and returns
// the middle time and the middle number of misses.
func runOrder(mutant string) (time.Duration, int64, error) {
	v, err := solutions.Go("1.1")
	if err != nil {
		return 0, 0, err
	}
	v = v.With(wrong(mutant))
	var misses []int64
	middle, err := median(func(seed uint64) (time.Duration, error) {
		run, err := ch09.Suite.Measure(v, "fib.go", sim.Options{CPUs: most, Seed: seed}, nil)
		misses = append(misses, run.Sim.Misses)
		return run.Sim.Elapsed, err
	})
	slices.Sort(misses)
	return middle, misses[len(misses)/2], err
}

// wrong returns the parts of a wrong solution, none for "".
func wrong(mutant string) gmp.Version {
	all := solutions.Mutants("ch09")
	if i := slices.IndexFunc(all, func(m check.Mutant) bool { return m.Name == mutant }); i >= 0 {
		return all[i].Parts
	}
	return gmp.Version{}
}
