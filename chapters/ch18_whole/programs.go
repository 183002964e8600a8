package ch18

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
)

// limit is far more virtual time than any of the programs needs.
const limit = 200 * sim.Millisecond

const wholeSum = "sum 13714"

// talks plays a program that waits for everything, each time with other delays.
func talks(t *check.T) {
	for seed := range uint64(24) {
		cpus := []int{1, 2, 4}[seed%3]
		run := t.Simulate("whole.go", cpus, seed, limit, func(o *gmp.Options) {
			o.Trace = false
			o.Slice = int64(seed%5) * 17
		})
		t.Prints(fmt.Sprintf("whole.go, on %d CPUs, seed %d,", cpus, seed), run, wholeSum)
	}
}

// system plays a program in which in the end only a goroutine of the system is left.
func system(t *check.T) {
	for _, cpus := range []int{1, 2} {
		run := t.Simulate("goexit.go", cpus, 1, limit, func(o *gmp.Options) { o.Trace = false })
		check.Want(t, fmt.Sprintf("goexit.go on %d CPUs, in which main has ended, and what calls finalizers waits; how it ends", cpus), run.Fatal, "fatal error: "+nobody)
	}
}

// threads plays the program on real threads, again and again.
func threads(t *check.T) {
	for i := range 12 {
		procs := []int{1, 2, 4}[i%3]
		run := t.Play("whole.go", func(o *gmp.Options) { o.Procs, o.Trace = procs, false })
		t.Prints(fmt.Sprintf("whole.go on real threads, with GOMAXPROCS %d,", procs), run, wholeSum)
	}
}
