package ch16

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
)

// limit is far more virtual time than any of the programs needs.
const limit = 2000 * sim.Millisecond

// What the programs print.
var prints = map[string][]string{
	"echo.go":     {"answers: 160"},
	"timeouts.go": {"timeouts: 30", "answer: x"},
	"closes.go":   {"ended: 20", "accept ended"},
	"idle.go":     {"idle: 200", "answers: 200"},
}

// plays is the check that plays a program on simulated CPUs.
func plays(name string, procs ...int) func(t *check.T) {
	return func(t *check.T) {
		for seed, n := range procs {
			what := fmt.Sprintf("%s on %d simulated CPUs, seed %d,", name, n, seed)
			run := t.Simulate(name, n, uint64(seed), limit, func(o *gmp.Options) { o.Trace = false })
			t.Prints(what, run, prints[name]...)
			t.Forget()
		}
	}
}

// threads plays programs on real threads.
func threads(t *check.T) {
	for i, name := range []string{"echo.go", "closes.go", "idle.go"} {
		procs := 1 + i
		t.Prints(fmt.Sprintf("%s on real threads, with GOMAXPROCS %d,", name, procs), t.Play(name, func(o *gmp.Options) {
			o.Procs, o.Trace, o.Machine.Network = procs, false, machine.OwnNetwork
		}), prints[name]...)
	}
}
