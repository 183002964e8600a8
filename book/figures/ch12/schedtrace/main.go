// Schedtrace plays hog.go on the scheduler of chapter 12, and lets the monitor print a line
// each 20 ms.
//
//	go run ./book/figures/ch12/schedtrace
//	go run ./book/figures/ch12/schedtrace detailed
package main

import (
	"fmt"
	"os"

	ch12 "gosched/chapters/ch12_sysmon"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

func main() {
	run, err := ch12.Suite.Measure(solutions.Base("ch12"), "hog.go", sim.Options{CPUs: 4, Seed: 1}, func(o *gmp.Options) {
		o.Procs, o.Schedtrace, o.Scheddetail = 1, 20_000_000, len(os.Args) > 1
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(run.Stderr)
}
