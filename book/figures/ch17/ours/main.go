// Ours measures on four simulated CPUs how long it takes until the world has stopped, beside three
// goroutines that call a function about every 3 ms.
//
//	go run ./book/figures/ch17/ours
package main

import (
	"fmt"
	"log"
	"slices"

	ch17 "gosched/chapters/ch17_stw"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
)

func main() {
	fmt.Println("Go    half of them  nine in ten  longest")
	for _, release := range []string{"1.5", "1.14"} {
		v, err := solutions.Go(release)
		if err != nil {
			log.Fatal(err)
		}
		var took []int64
		for seed := range uint64(5) {
			run, err := ch17.Suite.Measure(v, "pauses.go", sim.Options{CPUs: 4, Seed: seed}, func(o *gmp.Options) {
				o.Trace = true
				o.Machine.Args = []string{"pauses.go", "calls"}
			})
			if err != nil {
				log.Fatal(err)
			}
			began := int64(0)
			for _, e := range run.Events(trace.Stop, trace.Start) {
				if e.Kind == trace.Stop {
					began = e.T
				} else {
					took = append(took, e.T-began)
				}
			}
		}
		slices.Sort(took)
		at := func(percent int) float64 { return float64(took[(len(took)-1)*percent/100]) / 1000 }
		fmt.Printf("%-4s  %.1f µs  %.1f µs  %.1f µs\n", release, at(50), at(90), at(100))
	}
}
