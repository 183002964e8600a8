// Churn plays churn.go with one list of timers for all, and with a heap for each P, on 1 to 32
// simulated CPUs.
//
//	go run ./book/figures/ch15/churn
package main

import (
	"fmt"
	"os"
	"strings"

	ch15 "gosched/chapters/ch15_timer"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
	ch15sol "gosched/solutions/ch15_timer"
)

func main() {
	fmt.Println("CPUs  one list  one per P")
	for cpus := 1; cpus <= 32; cpus *= 2 {
		var took []string
		perP, err := solutions.Go("1.14")
		if err != nil {
			fail(err)
		}
		oneList := perP.With(ch15sol.Given)
		oneList.TimerHeap, oneList.TimerChans = nil, nil
		for _, v := range []gmp.Version{oneList, perP} {
			run, err := ch15.Suite.Measure(v, "churn.go", sim.Options{CPUs: cpus, Seed: 1}, nil)
			if err != nil {
				fail(err)
			}
			took = append(took, strings.TrimSpace(run.Stdout)+" ns")
		}
		fmt.Printf("%4d  %8s  %9s\n", cpus, took[0], took[1])
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
