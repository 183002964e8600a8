//course:omit
package ch11_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	suite "gosched/chapters/ch11_syscall"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
	"gosched/timeline"
)

// TestStory proves what the log of a run says of system calls, and how the timeline tells it.
func TestStory(t *testing.T) {
	for _, release := range []string{"1.0", "1.1", "1.5"} {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		run, err := suite.Suite.Measure(v, "reads.go", sim.Options{CPUs: 2, Seed: 1}, check.Traced)
		require.NoError(t, err)
		n := map[trace.Kind]int{}
		names := map[string]int{}
		for _, e := range run.Log.Events {
			n[e.Kind]++
			if e.Kind == trace.Syscall {
				names[e.Text]++
			}
		}
		assert.Equal(t, 17, n[trace.Syscall], "Go %s", release)
		assert.Equal(t, 17, n[trace.Sysexit], "Go %s: all are back", release)
		assert.Equal(t, map[string]int{"pipe2": 1, "read": 8, "write": 8}, names, "Go %s", release)

		var told []string
		for _, step := range timeline.Fold(run.Log, 0).Steps {
			told = append(told, step.Text)
		}
		text := strings.Join(told, "\n")
		assert.Contains(t, text, "enters a system call (read)", "Go %s", release)
		assert.Contains(t, text, "returns from its system call", "Go %s", release)
		if release != "1.0" {
			assert.Positive(t, n[trace.Handoff])
			assert.Regexp(t, regexp.MustCompile(`(?i)the monitor retakes P\d from M\d, which stays in its system call without a P`), text)
		}
	}
}

// TestWatched proves that a run notices an M that runs the locked G of another.
func TestWatched(t *testing.T) {
	for _, m := range solutions.Mutants("ch11") {
		if m.Name == "loop-runs-locked" {
			out := suite.Suite.Run(suite.Suite.Check("locked"), solutions.Base("ch11").With(m.Parts))
			assert.Equal(t, check.Fail, out.Status)
			assert.Contains(t, out.Message, "the rule: a locked G runs on its own M only")
		}
	}
}

// TestWithoutCalls proves that a program without system calls has no monitor.
func TestWithoutCalls(t *testing.T) {
	started := false
	v := solutions.Base("ch11")
	right := v.Monitor
	v.Monitor = func(s *gmp.Sched) gmp.Monitor {
		return noted{right(s), &started}
	}
	for program, want := range map[string]bool{"locked.go": false, "short.go": true} {
		started = false
		_, err := suite.Suite.Measure(v, program, sim.Options{CPUs: 2, Seed: 1}, nil)
		require.NoError(t, err)
		assert.Equal(t, want, started, program)
	}
}

type noted struct {
	gmp.Monitor
	started *bool
}

func (p noted) Sysmon(mp *gmp.M) {
	*p.started = true
	p.Monitor.Sysmon(mp)
}

// LateMonitor says what the monitor of this version says.
func (p noted) LateMonitor() {}
