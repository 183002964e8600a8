package ch05

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is far more virtual time than any of the programs needs.
const limit = 200 * sim.Millisecond

// untraced leaves out the log of a run, which takes time and is not looked at.
func untraced(o *gmp.Options) { o.Trace = false }

// interleaved runs a program in which goroutines wait for each other, each time with
// other delays: on 1 to 5 CPUs, with many seeds. An M that goes to sleep beside a G,
// or a G that two Ms have, shows here.
func interleaved(t *check.T) {
	for seed := range uint64(60) {
		cpus := 1 + int(seed%5)
		what := fmt.Sprintf("fan.go, on %d CPUs, seed %d,", cpus, seed)
		run := t.Simulate("fan.go", cpus, seed, limit, func(o *gmp.Options) {
			o.Trace = false
			o.Slice = int64(seed%7) * 13
		})
		t.Prints(what, run, "total 820")
	}
}

// parallel checks that more Ms are faster, and that there are no more than needed.
func parallel(t *check.T) {
	one := t.Simulate("pool.go", 1, 1, limit, untraced)
	t.Prints("pool.go on one CPU", one, "sum 299995")
	three := t.Simulate("pool.go", 3, 1, limit, untraced)
	t.Prints("pool.go on three CPUs", three, "sum 299995")
	check.Want(t, "with GOMAXPROCS 1 the number of Ms that pool.go makes", one.Sched.Mnext.Get(), 1)
	check.Want(t, "with GOMAXPROCS 3 the number of Ms that pool.go makes", three.Sched.Mnext.Get(), 3)
	if 2*three.Sim.Elapsed > one.Sim.Elapsed {
		t.Errorf("pool.go takes %v on one CPU, and %v on three; with three workers at work at the same time it should take less than half", one.Sim.Elapsed, three.Sim.Elapsed)
	}
}

// fewThreads checks that Gs that wait need no Ms.
func fewThreads(t *check.T) {
	for _, cpus := range []int{1, 4} {
		run := t.Simulate("crowd.go", cpus, 1, limit, untraced)
		t.Prints(fmt.Sprintf("crowd.go on %d CPUs", cpus), run, "sum 499500")
		if n := run.Sched.Mnext.Get(); n > int64(cpus) {
			t.Errorf("crowd.go, where a thousand goroutines wait, makes %d Ms with GOMAXPROCS %d; a G that waits needs none", n, cpus)
		}
	}
}

// gomaxprocs checks a program that changes GOMAXPROCS, and how many Gs ran at once.
func gomaxprocs(t *check.T) {
	run := t.Simulate("procs.go", 4, 1, limit, func(o *gmp.Options) { o.Procs = 2 })
	t.Prints("procs.go, which starts with GOMAXPROCS 2,", run, "at first 2", "it was 2", "it was 4", "at the end 1")

	// The stretches of the run lie between the lines that main writes.
	limits, at, running, most := []int{2, 4, 1}, -1, map[int32]bool{}, 0
	for _, e := range run.Log.Events {
		switch e.Kind {
		case trace.Run:
			running[e.M] = true
			most = max(most, len(running))
		case trace.Park, trace.Yield, trace.Exit:
			delete(running, e.M)
		case trace.Write:
			if at >= 0 && at < len(limits) {
				check.Want(t, fmt.Sprintf("with GOMAXPROCS %d, and six Gs that compute, the number that ran at the same time", limits[at]), most, limits[at])
			}
			at, most = at+1, 0
		}
	}
}

// stuck checks that a deadlock is seen when the last of several Ms goes idle.
func stuck(t *check.T) {
	for seed := range uint64(20) {
		cpus := 1 + int(seed%4)
		run := t.Simulate("stuck.go", cpus, seed, limit, untraced)
		what := fmt.Sprintf("on %d CPUs, seed %d,", cpus, seed)
		check.Want(t, what+" the fatal error of stuck.go", run.Fatal, "fatal error: "+asleep)
		check.Want(t, what+" what stuck.go prints", run.Stdout, "main waits\n")
		check.Want(t, what+" its exit status", run.Status, 2)
		if t.Failed() {
			return
		}
	}
}

// sleeping checks that a program whose goroutines all sleep is not dead.
func sleeping(t *check.T) {
	for _, cpus := range []int{1, 2} {
		run := t.Simulate("sleep.go", cpus, 1, limit, untraced)
		t.Prints(fmt.Sprintf("sleep.go on %d CPUs", cpus), run, "awake: 2", "awake: 1", "awake: 0")
	}
}

// threads runs programs on real threads, again and again.
func threads(t *check.T) {
	for i := range 40 {
		procs := 1 + i%4
		opt := func(o *gmp.Options) { o.Procs, o.Trace = procs, false }
		t.Prints(fmt.Sprintf("fan.go on real threads, with GOMAXPROCS %d,", procs), t.Play("fan.go", opt), "total 820")
		run := t.Play("stuck.go", opt)
		check.Want(t, "on real threads the fatal error of stuck.go", run.Fatal, "fatal error: "+asleep)
	}
}
