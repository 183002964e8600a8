package figures_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	ch02 "gosched/chapters/ch02_onethread"
	"gosched/chapters/trace"
)

// This file proves what the page of the chapter says about its figures: each is
// a run of one of the programs.

// gs lists the Gs of events, in order.
func gs(events []trace.Event) []int64 {
	list := make([]int64, len(events))
	for i, e := range events {
		list[i] = e.G
	}
	return list
}

// The first figure: while the hog computes, all others are on the queue.
func TestHogKeepsTheThread(t *testing.T) {
	const hog = 3
	f := play(t, ch02.Suite, "hog.go")
	assert.Equal(t, "a 1\nhog: the sum is 4999950000\nb 1", strings.Join(strings.Split(f.Stdout, "\n")[:3], "\n"))
	assert.Empty(t, f.Events(trace.Preempt), "nobody is interrupted")

	runs := f.Events(trace.Run)
	at := slices.IndexFunc(runs, func(e trace.Event) bool { return e.G == hog })
	require.Equal(t, []int64{1, 2, hog}, gs(runs[:at+1]))
	assert.NotContains(t, gs(runs[at+1:]), int64(hog), "the hog runs once, to its end")
	hogTime := runs[at+1].T - runs[at].T
	assert.Greater(t, hogTime, 20*(f.Instructions-hogTime), "the hog takes nearly all of the time")
	assert.Equal(t, []int64{4, 1, 2}, f.QueueAt(t, func(e trace.Event) bool { return e.Kind == trace.Exit && e.G == hog }))
}

// The figure of rounds: three Gs in turn.
func TestYieldGoesRound(t *testing.T) {
	f := play(t, ch02.Suite, "yield.go")
	runs := gs(f.Events(trace.Run))
	assert.Equal(t, []int64{1, 2, 3, 1, 2, 3, 1, 2, 3}, runs[:9])
	assert.Len(t, f.Events(trace.Yield), 9)
	assert.Empty(t, f.Events(trace.Preempt))
}

// The figure of the tree: level by level, and the lowest level is on the queue
// at once.
func TestTreeIsWalkedByLevels(t *testing.T) {
	f := play(t, ch02.Suite, "tree.go")
	var want strings.Builder
	for n := 1; n <= 15; n++ {
		fmt.Fprintf(&want, "node %d\n", n)
	}
	assert.Equal(t, want.String()+"all 15 nodes are done\n", f.Stdout)
	widest, now := 0, 0
	for _, e := range f.Log.Events {
		switch e.Kind {
		case trace.Put:
			now++
		case trace.Get:
			now--
		}
		widest = max(widest, now)
	}
	assert.Equal(t, 8+1, widest, "the eight leaves and main are on the queue together")
}

// The figure of the exit: the other G is on the queue when the program ends.
func TestExitLeavesTheOtherQueued(t *testing.T) {
	f := play(t, ch02.Suite, "exit.go")
	assert.Equal(t, "the other begins\nmain returns\n", f.Stdout)
	assert.Equal(t, 0, f.Status)
	assert.Equal(t, []int64{2}, f.QueueAt(t, func(e trace.Event) bool { return e.Kind == trace.End }))
	assert.Empty(t, f.Events(trace.Exit), "main's return is not an exit of a goroutine")
}

// These programs print the same lines with real Go, where threads may change
// their order.
func TestOneThreadRealGo(t *testing.T) {
	for _, c := range []struct {
		program string
		status  int
	}{
		{program: "tree.go"},
		{program: "goexit.go", status: 2},
	} {
		t.Run(c.program, func(t *testing.T) {
			real, ours := figures.RealGo(t, "chapters/ch02_onethread/programs/"+c.program), play(t, ch02.Suite, c.program)
			assert.ElementsMatch(t, lines(real.Stdout), lines(ours.Stdout))
			assert.Equal(t, c.status, real.Status, "of real Go")
			assert.Equal(t, c.status, ours.Status, "of ours")
			if c.status != 0 {
				assert.Equal(t, lines(real.Stderr)[0], ours.Fatal, "the first line of the report")
			}
		})
	}
}

func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }
