package ch02

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// lines splits what a program printed.
func lines(stdout string) []string { return strings.Split(strings.TrimRight(stdout, "\n"), "\n") }

// wantOutput compares what a program printed, line by line. A check whose program
// prints something else ends.
func wantOutput(t *check.T, file string, run check.Run, want ...string) {
	t.Helper()
	if d := diff(want, lines(run.Stdout)); d != "" {
		end := ""
		if run.Fatal != "" {
			end = ", and ends with " + run.Fatal
		}
		t.Fatalf("%s does not print what it should%s (- want, + found):\n%s", file, end, d)
	}
}

// spawnOrder checks that new Gs run in the order of their go statements, after
// the one that started them has let go.
func spawnOrder(t *check.T) {
	run := t.Play("order.go", nil)
	wantOutput(t, "order.go", run,
		"main has started five goroutines",
		"goroutine 0", "goroutine 1", "goroutine 2", "goroutine 3", "goroutine 4",
		"main goes on")
}

// yieldRounds checks the exact order of three Gs that yield after each line.
func yieldRounds(t *check.T) {
	run := t.Play("yield.go", nil)
	wantOutput(t, "yield.go", run,
		"main 1", "a 1", "b 1",
		"main 2", "a 2", "b 2",
		"main 3", "a 3", "b 3")
}

// mainCuts checks that the program ends with main, whoever else could still run.
func mainCuts(t *check.T) {
	run := t.Play("exit.go", nil)
	wantOutput(t, "exit.go", run, "the other begins", "main returns")
	check.Want(t, "the exit status of exit.go, whose main function returns", run.Status, 0)

	run = t.Play("status.go", nil)
	wantOutput(t, "status.go", run, "one goroutine ends the program")
	check.Want(t, "the exit status of status.go, where a goroutine calls os.Exit(3)", run.Status, 3)
}

// goexitDeadlock checks a program whose main goroutine leaves without returning.
func goexitDeadlock(t *check.T) {
	run := t.Play("goexit.go", nil)
	wantOutput(t, "goexit.go", run, "main leaves by Goexit", "the other ends")
	check.Want(t, "the fatal error of goexit.go", run.Fatal, "fatal error: "+nobody)
	check.Want(t, "the exit status of goexit.go", run.Status, 2)
}

// interrupted runs random trees of goroutines, a different one for each k: left
// alone, and taken off the M after every k instructions, wherever that is. What
// they print must not depend on it.
func interrupted(t *check.T) {
	interruptedEvery(t, 0)
	for k := int64(1); k <= 50; k++ {
		interruptedEvery(t, k)
	}
}

// interruptedEvery runs one tree; k is 0 if it is to be left alone.
func interruptedEvery(t *check.T, k int64) {
	tr := newTree(rand.New(rand.NewPCG(2, t.Seed(uint64(k)))))
	how := "left alone"
	if k > 0 {
		how = fmt.Sprintf("interrupted after every %d instructions", k)
	}
	file := fmt.Sprintf("tree%d.go", k)
	defer func() {
		if t.Failed() {
			t.Logf("%s, %s:\n%s", file, how, tr.source())
		}
	}()
	run := t.PlaySource(file, tr.source(), func(o *gmp.Options) {
		o.Slice = k
		o.Trace = false // of up to a million events
		o.Budget = 5_000_000
	})
	got := lines(run.Stdout)
	if d := diff(sorted(tr.want()), sorted(got)); d != "" {
		t.Fatalf("a program of %d goroutines, %s, does not print the lines that it should, in any order (- want, + found):\n%s", tr.n, how, d)
	}
	if first, then := tr.disorder(got); first != "" {
		t.Fatalf("a program of %d goroutines, %s, prints %q before %q", tr.n, how, then, first)
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
