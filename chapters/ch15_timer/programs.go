package ch15

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
)

// limit is far more virtual time than any of the programs needs.
const limit = 2000 * sim.Millisecond

// What the programs print.
var prints = map[string][]string{
	"stale.go":  {"stopped: true", "nothing is in the channel", "after the reset, not too early: true"},
	"ticks.go":  {"ticks: 10", "timeouts: 5", "answers: 5", "forgotten: 0"},
	"storm.go":  {"ran: 500", "stopped: 500"},
	"resize.go": {"all 40 are awake"},
	"busy.go":   {"in time"},
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
	for i, name := range []string{"stale.go", "storm.go", "resize.go"} {
		procs := 1 + i
		t.Prints(fmt.Sprintf("%s on real threads, with GOMAXPROCS %d,", name, procs), t.Play(name, func(o *gmp.Options) { o.Procs, o.Trace = procs, false }), prints[name]...)
	}
}
