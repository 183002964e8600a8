package ch09

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is more virtual time than any of the programs needs, many times.
const limit = 500 * sim.Millisecond

// untraced leaves out the log of a run, which takes time and is not looked at.
func untraced(o *gmp.Options) { o.Trace = false }

// simulate runs a program, which must print one line.
func simulate(t *check.T, program string, cpus int, seed uint64, line string, opt func(*gmp.Options)) check.Run {
	t.Helper()
	run := t.Simulate(program, cpus, seed, limit, opt)
	what := fmt.Sprintf("%s on %d CPUs, seed %d,", program, cpus, seed)
	t.Prints(what, run, line)
	return run
}

// spread checks that Gs that stand in the queue of one P come to all of them.
func spread(t *check.T) {
	const line = "sum 658905"
	one := simulate(t, "spawn.go", 1, 1, line, untraced)
	for seed := range uint64(3) {
		four := simulate(t, "spawn.go", 4, seed, line, nil)
		ran := map[int32]int{}
		for _, e := range four.Log.Events {
			if e.Kind == trace.Run {
				ran[e.P]++
			}
		}
		for p := range int32(4) {
			if ran[p] < 10 {
				t.Fatalf("spawn.go on 4 CPUs, seed %d: 200 Gs are in the queue of one P; P0 runs %d times, P1 %d, P2 %d, P3 %d; want all of them to take part", seed, ran[0], ran[1], ran[2], ran[3])
			}
		}
		if got := float64(one.Sim.Elapsed) / float64(four.Sim.Elapsed); got < 2 {
			t.Fatalf("spawn.go runs %.1f times as fast on 4 CPUs, seed %d, as on one; want at least twice", got, seed)
		}
	}
}

// interleaved runs a program that forks and joins on 1 to 8 CPUs, with many seeds, each
// time with other interruptions.
func interleaved(t *check.T) {
	for seed := range uint64(40) {
		simulate(t, "sort.go", 1+int(seed%8), seed, "sorted 48", func(o *gmp.Options) {
			o.Trace = false
			o.Slice = int64(seed%7) * 17
		})
	}
}

// forkJoin checks that a tree of Gs, most of which are near its leaves, keeps many CPUs
// busy.
func forkJoin(t *check.T) {
	const (
		line = "fib(32) = 2178309"
		cpus = 64
		want = 24 // the reference has 27
	)
	one := simulate(t, "fib.go", 1, 1, line, untraced)
	many := simulate(t, "fib.go", cpus, 1, line, untraced)
	if got := float64(one.Sim.Elapsed) / float64(many.Sim.Elapsed); got < want {
		t.Errorf("fib.go runs %.0f times as fast on %d CPUs as on one; want at least %d times. With so many, a thief that overlooks a P goes to sleep although there is work, and it takes microseconds to wake it", got, cpus, want)
	}
}

// waiting is the budget of a program that computes until a thread has come: on a busy computer that
// may take long, and the deadline of the check ends it as well.
const waiting = 1_000_000_000

// threads runs two programs on real threads, again and again: one that may end before a
// thief comes, and one that cannot.
func threads(t *check.T) {
	for i := range 12 {
		procs := 1 + i%4
		opt := func(o *gmp.Options) { o.Procs, o.Trace, o.Budget = procs, false, waiting }
		what := fmt.Sprintf("on real threads, with GOMAXPROCS %d,", procs)
		if procs > 1 {
			t.Prints("held.go "+what, t.Play("held.go", opt), "ran 4")
		}
		t.Prints("sort.go "+what, t.Play("sort.go", opt), "sorted 48")
	}
}
