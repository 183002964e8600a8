package main

import (
	"fmt"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// alone shows how many goroutines each of four Ps runs to their end, when they were all
// made on one, without stealing and with it.
func alone() error {
	with, err := solutions.Go("1.1")
	if err != nil {
		return err
	}
	fmt.Println("Go 1.1, four CPUs     P0   P1   P2   P3       time")
	for _, c := range []struct {
		name string
		v    gmp.Version
	}{{"without stealing", without(with)}, {"with", with}} {
		run, err := traced(c.v, "spawn.go", 4, sim.BareMetal())
		if err != nil {
			return err
		}
		n := ended(run.Log)
		fmt.Printf("%-18s  %4d %4d %4d %4d  %6.0f µs\n", c.name, n[0], n[1], n[2], n[3], micros(run.Sim.Elapsed))
	}
	return nil
}

// without returns v with nobody stealing.
func without(v gmp.Version) gmp.Version { return v.With(gmp.None.Only("Stealing")) }

// ended counts the goroutines that have ended on each P.
func ended(log *trace.Log) map[int32]int {
	n := map[int32]int{}
	for _, e := range log.Events {
		if e.Kind == trace.Exit {
			n[e.P]++
		}
	}
	return n
}
