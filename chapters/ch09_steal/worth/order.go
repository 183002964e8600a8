package main

import (
	"fmt"
	"slices"

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
		run, err := runOrder(o.mutant)
		if err != nil {
			return err
		}
		fmt.Printf("%-22s %4.0f µs  %6d\n", o.what, micros(run.Sim.Elapsed), run.Sim.Misses)
	}
	return nil
}

// runOrder runs the program on as many CPUs as there can be.
func runOrder(mutant string) (check.Run, error) {
	v, err := solutions.Go("1.1")
	if err != nil {
		return check.Run{}, err
	}
	return traced(v.With(wrong(mutant)), "fib.go", most, sim.BareMetal())
}

// wrong returns the parts of a wrong solution, none for "".
func wrong(mutant string) gmp.Version {
	all := solutions.Mutants("ch09")
	if i := slices.IndexFunc(all, func(m check.Mutant) bool { return m.Name == mutant }); i >= 0 {
		return all[i].Parts
	}
	return gmp.Version{}
}
