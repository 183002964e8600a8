package figures_test

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// This file proves what the page of the chapter, and that on the versions, say about their runs.

// log runs a program of book/programs on one simulated CPU.
func log(t *testing.T, program, release string) []trace.Event {
	t.Helper()
	prog, err := compile.Compile([]machine.File{{Name: "a.go", Source: figures.Source(t, "book/programs/"+program)}})
	require.NoError(t, err)
	s, err := gmp.New(figures.Version(t, release), prog, gmp.Options{Machine: machine.Options{Stdout: io.Discard, Stderr: io.Discard}, Procs: 1, Seed: 1, Trace: true})
	require.NoError(t, err)
	var result gmp.Result
	_, err = sim.Run(sim.Options{CPUs: 1, Seed: 1}, func() { result = s.Main() })
	require.NoError(t, err)
	require.NoError(t, result.Err)
	return result.Log.Events
}

// TestLoop proves where the goroutine of loop.go stops, and after how many requests: on Go 1.5
// at its first call, on Go 1.14 in the loop, a few µs later.
func TestLoop(t *testing.T) {
	asked, first, last := 0, int64(0), int64(0)
	for _, e := range log(t, "loop.go", "1.5") {
		switch e.Kind {
		case trace.Ask:
			if asked++; first == 0 {
				first = e.T
			} else {
				assert.InDelta(t, 3e6, e.T-last, 0.1e6)
			}
			last = e.T
		case trace.Preempt:
			assert.Equal(t, 20, e.Line)
		}
	}
	assert.Equal(t, 11, asked)
	assert.InDelta(t, 18e6, first, 0.5e6)

	var lines []int
	for _, e := range log(t, "loop.go", "1.14") {
		switch e.Kind {
		case trace.Ask:
			last = e.T
		case trace.Preempt:
			assert.Equal(t, "a signal", e.Text)
			assert.Less(t, e.T-last, int64(3_000), "ns until it has stopped")
			lines = append(lines, e.Line)
		}
	}
	assert.Len(t, lines, 1)
	assert.Subset(t, []int{15, 16, 17}, lines, "the lines of the loop")
}

// TestWhoHangs proves when main has its turn beside a loop of 50 ms: on Go 1.1 after it, since 1.2
// before its end if there is a call in it, and since 1.14 in any case.
func TestWhoHangs(t *testing.T) {
	waits := map[string]map[string]bool{
		"loop.go":  {"1.1": true, "1.2": true, "1.5": true, "1.14": false},
		"calls.go": {"1.1": true, "1.2": false, "1.5": false, "1.14": false},
	}
	for program, on := range waits {
		for release, want := range on {
			events := log(t, program, release)
			assert.Equal(t, want, events[len(events)-1].T > 45e6, "%s on Go %s: whether main waits until the loop has ended", program, release)
		}
	}
}

// TestRealFigures proves what the figures of the installed Go say that do not measure.
func TestRealFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs with the installed Go")
	}
	for figure, holds := range map[string][]string{
		"off":   {"with signals       5 ticks, ended", "asyncpreemptoff=1  0 ticks, killed"},
		"eintr": {"The installed Go\nsyscall.Nanosleep:  interrupted system call\n", "Go 1.14 of the course\nsyscall.Nanosleep:  interrupted system call\n", "read from a pipe:   1 byte, error: <nil>"},
	} {
		out, err := exec.Command("go", "run", "./ch14/"+figure).CombinedOutput()
		require.NoError(t, err, "%s", out)
		for _, text := range holds {
			assert.Contains(t, string(out), text)
		}
		assert.NotContains(t, string(out), "not less: false")
	}
	assert.True(t, strings.HasPrefix(figures.RealGo(t, "book/figures/ch14/real/raw.go").Stdout, "interrupted system call after"))
}
