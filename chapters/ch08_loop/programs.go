package ch08

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is far more virtual time than any of the programs needs, and budget far more
// instructions: a G that starves keeps a program from its end.
const (
	limit  = 200 * sim.Millisecond
	budget = 2_000_000
)

// untraced leaves out the log of a run, which takes time and is not looked at.
func untraced(o *gmp.Options) { o.Trace, o.Budget = false, budget }

// onOneP runs a program on one P, traced. There is no G but the program's own, and the first slice
// is the first tick, so that both can be counted.
func onOneP(t *check.T, program string, args ...string) check.Run {
	t.Helper()
	return t.Simulate(program, 1, 1, limit, func(o *gmp.Options) {
		o.Budget, o.Bare = budget, true
		o.Machine.Args = append([]string{program}, args...)
	})
}

// turns checks the distance between two turns of a G that waits on the global queue
// while a P has other work.
func turns(t *check.T) {
	run := onOneP(t, "turns.go")
	var seen []int
	list := run.Stdout[strings.Index(run.Stdout, "[")+1:]
	for _, word := range strings.Fields(strings.TrimRight(list, "]\n")) {
		n := 0
		fmt.Sscan(word, &n)
		seen = append(seen, n)
	}
	what := "on one P main starts 200 goroutines and yields, again and again; each time it went on, so many of them had run: " + fmt.Sprint(seen)
	for i := 1; i+1 < len(seen); i++ { // but for the last stretch, which is what is left
		// The first one to run inherits main's slice.
		if n := seen[i] - seen[i-1]; n != 60 && (seen[i-1] != 0 || n != 61) {
			t.Fatalf("%s. Between two of main's turns there must be 60 others, so that main begins every 61st time slice", what)
		}
	}
	if len(seen) < 4 {
		t.Fatalf("%s. That is too seldom", what)
	}
}

// fair checks that a G on the global queue has its turn beside Gs that keep a P busy.
func fair(t *check.T) {
	run := onOneP(t, "serve.go", "1000", "2")
	rounds, servants, ring, global := served(t, run)
	what := fmt.Sprintf("serve.go: in %d rounds main wakes %d servants and waits for them, with a new time slice in each; another goroutine is on the global queue", rounds, servants)
	check.Want(t, what+", and one in the ring, which is to run once; how often that one ran", ring, 1)
	if slices := rounds + global; global < slices/61 || global > slices/61+1 {
		t.Errorf("%s. It ran %d times in %d slices; want every 61st", what, global, slices)
	}
}

// served reads what serve.go prints.
func served(t *check.T, run check.Run) (rounds, servants, ring, global int) {
	t.Helper()
	_, err := fmt.Sscanf(run.Stdout, "rounds: %d servants: %d\nthe one in the ring ran %d times\nthe one in the global queue ran %d times\n", &rounds, &servants, &ring, &global)
	if err != nil {
		t.Fatalf("serve.go does not come to an end: it prints %q", run.Stdout)
	}
	return rounds, servants, ring, global
}

// oneSlice checks that Gs that wake each other share one time slice: a ping-pong must
// look to sysmon like one G that never lets go. The log tells who came from Runnext.
func oneSlice(t *check.T) {
	run := onOneP(t, "serve.go", "200", "1")
	slices, inherits, next := 0, 0, false
	for _, e := range run.Events(trace.Get, trace.Run) {
		switch {
		case e.Kind == trace.Get:
			next = e.Q == "next"
		case next:
			inherits++
		default:
			slices++
		}
	}
	tick := int(run.Sched.Allp.Get()[0].Schedtick.Get())
	if tick != slices {
		t.Errorf("serve.go, 200 rounds of ping-pong on one P: %d times a G from Runnext ran, and %d times another one; P0.Schedtick is %d at the end; want %d, since a G from Runnext goes on with the slice of the one that woke it", inherits, slices, tick, slices)
	}
	if inherits < 400 {
		t.Errorf("serve.go, 200 rounds of ping-pong on one P: a G from Runnext ran %d times; want 400 or more: each wakes the other", inherits)
	}
}

// queueTrace checks who puts Gs on the global queue, and in which portions they leave it.
func queueTrace(t *check.T) {
	run := onOneP(t, "producers.go")
	t.Prints("producers.go", run, "300 have run")

	var puts []int64
	for _, e := range run.Events(trace.Put) {
		if e.Q == "global" {
			puts = append(puts, e.G)
		}
	}
	// The 258th of the Gs kicks the 257th out of Runnext, and finds the ring full.
	var want []int64
	for g := int64(2); g <= 129; g++ {
		want = append(want, g)
	}
	want = append(want, 258)
	overflow := len(want)
	for range run.Events(trace.Yield) {
		want = append(want, 1)
	}
	slices.Sort(puts[:min(len(puts), overflow)])
	if !slices.Equal(puts, want) {
		t.Fatalf("main (G1) of producers.go starts G2 to G301 on one P, and yields. The global queue gets %s; want G2 to G129 and G258, for which the ring of P0 has no room, and then G1 each time that it yields", named(puts))
	}

	for _, portion := range portions(run) {
		if portion.tick && portion.n != 1 {
			t.Errorf("P0.Schedtick is a multiple of 61 and P0 has %d Gs, and %d leave the global queue; want one", portion.local, portion.n)
		}
		if !portion.tick && portion.n != min(128, portion.global) {
			t.Errorf("P0 is empty and there are %d Gs on the global queue, of which %d leave it for P0, the only one; want min(128, %d)", portion.global, portion.n, portion.global)
		}
	}
}

// named lists Gs by their numbers.
func named(goids []int64) string {
	var gs []*gmp.G
	for _, goid := range goids {
		gs = append(gs, &gmp.G{Goid: machine.CellOf(goid)})
	}
	return check.Names(gs)
}

// A portion is what leaves the global queue at once.
type portion struct {
	n      int
	global int  // how many there were
	local  int  // how many P0 had
	tick   bool // it was because of the tick
}

// portions replays the log of a run on one P.
func portions(run check.Run) []portion {
	var all []portion
	var now *portion
	global, local, next, tick := 0, 0, false, 0
	for _, e := range run.Events(trace.Put, trace.Get, trace.Run) {
		switch {
		case e.Kind == trace.Run:
			if !next {
				tick++
			}
			now, next = nil, false
		case e.Kind == trace.Put && e.Q == "global":
			global++
		case e.Kind == trace.Put:
			local++
		case e.Q == "global":
			if now == nil {
				all = append(all, portion{global: global, local: local, tick: tick%61 == 0})
				now = &all[len(all)-1]
			}
			now.n++
			global--
		default:
			local--
			next = e.Q == "next"
		}
	}
	return all
}

// points checks at which points one G stops and another one runs.
func points(t *check.T) {
	run := onOneP(t, "points.go")
	t.Prints("points.go", run, "sum 3 box 3")
	running, lets := int64(0), trace.Kind("")
	yields := 0
	for _, e := range run.Events(trace.Create, trace.Ready, trace.Park, trace.Yield, trace.Preempt, trace.Exit, trace.Run) {
		switch e.Kind {
		case trace.Run:
			if running != 0 {
				t.Fatalf("G%d runs, and at %d G%d runs in its place, although G%d has neither parked, nor yielded, nor ended", running, e.T, e.G, running)
			}
			running, lets = e.G, ""
		case trace.Park, trace.Yield, trace.Preempt, trace.Exit:
			if e.Kind == trace.Yield {
				yields++
			}
			running, lets = 0, e.Kind
		case trace.Create, trace.Ready:
			if e.By != running && lets == "" {
				t.Fatalf("at %d G%d makes G%d runnable, and G%d runs", e.T, e.By, e.G, running)
			}
		}
	}
	check.Want(t, "points.go calls Gosched once, and starts and wakes others many times; the number of times that a G yields", yields, 1)
}

// interleaved runs a program in which goroutines wait for each other, each time with
// other delays.
func interleaved(t *check.T) {
	for seed := range uint64(40) {
		cpus := 1 + int(seed%5)
		run := t.Simulate("mill.go", cpus, seed, limit, func(o *gmp.Options) {
			untraced(o)
			o.Slice = int64(seed%7) * 13
		})
		t.Prints(fmt.Sprintf("mill.go, on %d CPUs, seed %d,", cpus, seed), run, "flour 400 leaves 32")
	}
}

const asleep = "fatal error: all goroutines are asleep - deadlock!"

// wedged checks that a deadlock is seen when the last of several Ms gives up.
func wedged(t *check.T) {
	for seed := range uint64(20) {
		cpus := 1 + int(seed%4)
		run := t.Simulate("wedged.go", cpus, seed, limit, untraced)
		what := fmt.Sprintf("on %d CPUs, seed %d,", cpus, seed)
		check.Want(t, what+" the fatal error of wedged.go", run.Fatal, asleep)
		check.Want(t, what+" what wedged.go prints", run.Stdout, "main waits\n")
		if t.Failed() {
			return
		}
	}
}

// dozing checks a program that only timers keep alive.
func dozing(t *check.T) {
	for cpus := 1; cpus <= 3; cpus++ {
		run := t.Simulate("doze.go", cpus, 1, limit, untraced)
		t.Prints(fmt.Sprintf("doze.go on %d CPUs", cpus), run, "ticks 3")
	}
}

// threads runs programs on real threads, again and again.
func threads(t *check.T) {
	for i := range 20 {
		procs := 1 + i%4
		opt := func(o *gmp.Options) {
			untraced(o)
			o.Procs = procs
		}
		what := fmt.Sprintf("on real threads, with GOMAXPROCS %d,", procs)
		t.Prints("mill.go "+what, t.Play("mill.go", opt), "flour 400 leaves 32")
		check.Want(t, what+" the fatal error of wedged.go", t.Play("wedged.go", opt).Fatal, asleep)
	}
}
