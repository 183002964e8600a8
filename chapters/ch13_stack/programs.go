package ch13

import (
	"fmt"
	"strconv"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// longest is far more virtual time than any of the programs needs.
const longest = 200 * sim.Millisecond

// What the programs print.
var (
	lessDeep   = []string{"10 36 1000055 1", "100 396 1005050 1", "400 1597 1080200 1"}
	deepLines  = []string{"10 36 1000055 1", "100 396 1005050 1", "5000 19996 13502500 1"}
	mixedLines = []string{"11 825", "139 107"}
)

// A disturbance is something that happens to stacks at every call of a program.
type disturbance struct {
	what string
	set  func(o *gmp.Options)
}

// Disturbances are what a program must not notice.
var disturbances = []disturbance{
	{"with a stack that moves at every call", func(o *gmp.Options) { o.MayMoreStack = gmp.MayMoreStackMove }},
	{"when it is stopped at every call", func(o *gmp.Options) { o.MayMoreStack = gmp.MayMoreStackPreempt }},
	{"with a stack that shrinks at every call, where it can,", func(o *gmp.Options) { o.MayMoreStack = gmp.MayMoreStackShrink }},
	{"when it is asked to stop after every 50 instructions", func(o *gmp.Options) { o.Ask = 50 }},
}

// deep checks that a recursion goes on across many stacks.
func deep(t *check.T) {
	run := t.Simulate("deep.go", 1, 1, longest, nil)
	t.Prints("deep.go", run, deepLines...)
	grown := 0
	for _, e := range run.Log.Events {
		if e.Kind == trace.Stack {
			grown++
		}
	}
	if grown < 5 || grown > 20 {
		t.Errorf("deep.go calls itself 5000 deep, and its stacks were copied %d times; if each is twice as large as the one before, that is about ten times", grown)
	}
}

// disturbed plays the programs that have addresses everywhere, with everything that may
// happen to stacks.
func disturbed(t *check.T) {
	for _, d := range disturbances {
		for seed := range uint64(3) {
			cpus := 1 + int(seed)
			opt := func(o *gmp.Options) { o.Trace = false; d.set(o) }
			what := fmt.Sprintf("%s, with GOMAXPROCS %d,", d.what, cpus)
			t.Prints("mixed.go, "+what, t.Simulate("mixed.go", cpus, seed, longest, opt), mixedLines...)
			t.Prints("deep.go 400, "+what, t.Simulate("deep.go", cpus, seed, longest, func(o *gmp.Options) {
				opt(o)
				o.Machine.Args = []string{"deep.go", "400"}
			}), lessDeep...)
			t.Forget()
		}
	}
}

// randomSeeds is how many random programs a check plays.
const randomSeeds = 8

// random plays random programs.
func random(t *check.T) {
	for seed := range uint64(randomSeeds) {
		Random(t, t.Seed(seed))
		t.Forget()
	}
}

// Random plays the random program of a seed, undisturbed and disturbed. What it prints must
// be the same.
func Random(t *check.T, seed uint64) {
	source := RandomProgram(seed)
	name := "random" + strconv.FormatUint(seed, 10) + ".go"
	play := func(set func(o *gmp.Options)) check.Run {
		return t.PlaySource(name, source, func(o *gmp.Options) {
			o.Trace, o.Seed = false, seed
			o.Machine.MemBytes = 2 << 20
			if set != nil {
				set(o)
			}
		})
	}
	plain := play(nil)
	if plain.Fatal != "" {
		t.Fatalf("the random program of seed %d ends with %s; the program:\n%s", seed, plain.Fatal, source)
	}
	for _, d := range disturbances {
		run := play(d.set)
		if run.Stdout != plain.Stdout || run.Fatal != "" {
			end := ""
			if run.Fatal != "" {
				end = ", and ends with " + run.Fatal
			}
			t.Fatalf("the random program of seed %d, %s prints %q%s; undisturbed it prints %q. The program:\n%s", seed, d.what, run.Stdout, end, plain.Stdout, source)
		}
	}
}

// stopped checks that a goroutine that calls a function all the time does not keep its thread.
func stopped(t *check.T) {
	for seed := range uint64(5) {
		run := t.Simulate("calls.go", 1, seed, longest, func(o *gmp.Options) {
			o.Ask = 500
		})
		t.Prints("calls.go, on one CPU, asked to stop after every 500 instructions,", run, "main goes on, and the hog has done all its work: false")
		stops := 0
		for _, e := range run.Log.Events {
			if e.Kind == trace.Preempt {
				stops++
			}
		}
		if stops == 0 {
			t.Errorf("calls.go has a goroutine that calls a function all the time, and was asked to stop after every 500 instructions; nothing was preempted")
		}
		t.Forget()
	}
}

// overflow checks what a recursion without an end prints.
func overflow(t *check.T) {
	run := t.Simulate("endless.go", 1, 1, longest, func(o *gmp.Options) { o.StackLimit = 100_000 })
	check.Want(t, "endless.go, with a limit of 100000 bytes for a stack, ends with", run.Fatal, "fatal error: stack overflow")
	first, _, _ := strings.Cut(run.Stderr, "\n")
	check.Want(t, "the first line of what it prints then", first, "runtime: goroutine stack exceeds 100000-byte limit")
	check.Want(t, "its exit status", run.Status, 2)
	largest := int64(0)
	for _, e := range run.Log.Events {
		if e.Kind == trace.Stack {
			largest = max(largest, e.N)
		}
	}
	check.Want(t, "its largest stack in bytes: doubling stops before the limit,", largest, 65536)
}

// threads plays the programs on real threads, stopped and moved at every call.
func threads(t *check.T) {
	for i := range 8 {
		opt := func(o *gmp.Options) {
			o.Procs, o.Trace = 1+i%4, false
			disturbances[i%len(disturbances)].set(o)
		}
		t.Prints(fmt.Sprintf("mixed.go, on real threads, with GOMAXPROCS %d,", 1+i%4), t.Play("mixed.go", opt), mixedLines...)
	}
}
