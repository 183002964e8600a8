package ch02_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	ch02 "gosched/chapters/ch02_onethread"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// This file proves what the page of the chapter says about its figures: each is
// a run of one of the programs.

// A figure is a finished run.
type figure struct {
	result gmp.Result
	stdout string
	stderr string
}

// play runs a program on the reference scheduler of Go 0.x.
func play(t *testing.T, name string) figure {
	t.Helper()
	source, err := fs.ReadFile(ch02.Suite.Programs, name)
	require.NoError(t, err)
	prog, err := compile.Compile([]machine.File{{Name: name, Source: string(source)}})
	require.NoError(t, err)
	v, err := solutions.Go("0.x")
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	s, err := gmp.New(v, prog, gmp.Options{
		Trace: true, Check: true,
		Machine: machine.Options{MemBytes: 4 << 20, Stdout: &stdout, Stderr: &stderr},
	})
	require.NoError(t, err)
	f := figure{result: s.Main()}
	f.stdout, f.stderr = stdout.String(), stderr.String()
	require.NoError(t, f.result.Err)
	return f
}

// kind returns the events of one kind.
func (f figure) kind(k trace.Kind) []trace.Event {
	var found []trace.Event
	for _, e := range f.result.Log.Events {
		if e.Kind == k {
			found = append(found, e)
		}
	}
	return found
}

// gs lists the Gs of events, in order.
func gs(events []trace.Event) []int64 {
	list := make([]int64, len(events))
	for i, e := range events {
		list[i] = e.G
	}
	return list
}

// queueAt replays the global queue up to the first event that stop accepts.
func (f figure) queueAt(t *testing.T, stop func(e trace.Event) bool) []int64 {
	t.Helper()
	var q []int64
	for _, e := range f.result.Log.Events {
		if stop(e) {
			return q
		}
		switch e.Kind {
		case trace.Put:
			q = append(q, e.G)
		case trace.Get:
			require.Equal(t, e.G, q[0], "the log says that a G was taken that is not first")
			q = q[1:]
		}
	}
	t.Fatal("the event of the figure does not happen")
	return nil
}

// The first figure: while the hog computes, all others are on the queue.
func TestHogKeepsTheThread(t *testing.T) {
	const hog = 3
	f := play(t, "hog.go")
	assert.Equal(t, "a 1\nhog: the sum is 4999950000\nb 1", strings.Join(strings.Split(f.stdout, "\n")[:3], "\n"))
	assert.Empty(t, f.kind(trace.Preempt), "nobody is interrupted")

	runs := f.kind(trace.Run)
	at := slices.IndexFunc(runs, func(e trace.Event) bool { return e.G == hog })
	require.Equal(t, []int64{1, 2, hog}, gs(runs[:at+1]))
	assert.NotContains(t, gs(runs[at+1:]), int64(hog), "the hog runs once, to its end")
	hogTime := runs[at+1].T - runs[at].T
	assert.Greater(t, hogTime, 20*(f.result.Instructions-hogTime), "the hog takes nearly all of the time")
	assert.Equal(t, []int64{4, 1, 2}, f.queueAt(t, func(e trace.Event) bool { return e.Kind == trace.Exit && e.G == hog }))
}

// The figure of rounds: three Gs in turn.
func TestYieldGoesRound(t *testing.T) {
	f := play(t, "yield.go")
	runs := gs(f.kind(trace.Run))
	assert.Equal(t, []int64{1, 2, 3, 1, 2, 3, 1, 2, 3}, runs[:9])
	assert.Len(t, f.kind(trace.Yield), 9)
	assert.Empty(t, f.kind(trace.Preempt))
}

// The figure of the tree: level by level, and the lowest level is on the queue
// at once.
func TestTreeIsWalkedByLevels(t *testing.T) {
	f := play(t, "tree.go")
	var want strings.Builder
	for n := 1; n <= 15; n++ {
		fmt.Fprintf(&want, "node %d\n", n)
	}
	assert.Equal(t, want.String()+"all 15 nodes are done\n", f.stdout)
	widest, now := 0, 0
	for _, e := range f.result.Log.Events {
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
	f := play(t, "exit.go")
	assert.Equal(t, "the other begins\nmain returns\n", f.stdout)
	assert.Equal(t, 0, f.result.Status)
	assert.Equal(t, []int64{2}, f.queueAt(t, func(e trace.Event) bool { return e.Kind == trace.End }))
	assert.Empty(t, f.kind(trace.Exit), "main's return is not an exit of a goroutine")
}

// These programs print the same lines with real Go, where threads may change
// their order.
func TestRealGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs with the installed Go")
	}
	for _, c := range []struct {
		program string
		status  int
	}{
		{program: "tree.go"},
		{program: "goexit.go", status: 2},
	} {
		t.Run(c.program, func(t *testing.T) {
			binary := t.TempDir() + "/program.exe"
			out, err := exec.Command("go", "build", "-o", binary, "programs/"+c.program).CombinedOutput()
			require.NoError(t, err, "%s", out)
			cmd := exec.Command(binary)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			_ = cmd.Run() // the status is compared below

			f := play(t, c.program)
			real, ours := lines(stdout.String()), lines(f.stdout)
			slices.Sort(real)
			slices.Sort(ours)
			assert.Empty(t, cmp.Diff(real, ours))
			assert.Equal(t, c.status, cmd.ProcessState.ExitCode(), "of real Go")
			assert.Equal(t, c.status, f.result.Status, "of ours")
			if c.status != 0 {
				assert.Equal(t, lines(stderr.String())[0], f.result.Fatal, "the first line of the report")
			}
		})
	}
}

func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }
