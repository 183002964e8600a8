// Ring plays ring.go on one P, without the monitor and with it.
//
//	go run ./book/figures/ch12/ring
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
	for _, release := range []string{"ch11", "1.5"} {
		v, err := solutions.Go(release)
		if err == nil {
			err = play(v)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// play plays it, and says what it prints.
func play(v gmp.Version) error {
	run, err := ch12.Suite.Measure(v, "ring.go", sim.Options{CPUs: 4, Seed: 1}, func(o *gmp.Options) { o.Procs = 1 })
	if err != nil {
		return err
	}
	fmt.Printf("Go %s: %s", v.Name, run.Stdout)
	return nil
}
