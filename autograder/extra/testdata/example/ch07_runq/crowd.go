package ch07

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
)

func init() {
	// Students see the name of the first, and all of the second.
	Suite.Extra(check.NameOnly, check.Check{
		Name: "crowd", Kind: check.Program, Points: 3,
		Methods:  []string{"Runqput", "Runqputslow", "Runqget", "Runqgrab", "Runqsteal"},
		Property: "A thousand goroutines, spawned at once, all run, on one CPU and on four.",
		Run:      crowd,
	})
	Suite.Extra(check.Full, Suite.Again("random", 2, 20260301, 20260302))
}

// crowd plays programs/crowd.go, which overflows the ring of a P again and again.
func crowd(t *check.T) {
	for _, cpus := range []int{1, 4} {
		run := t.Simulate("crowd.go", cpus, 1, 500*sim.Millisecond, func(o *gmp.Options) { o.Trace = false })
		t.Prints("crowd.go", run, "sum 499500")
	}
}
