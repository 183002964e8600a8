package solutions_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	ch02 "gosched/chapters/ch02_onethread"
	ch11 "gosched/chapters/ch11_syscall"
	ch12 "gosched/chapters/ch12_sysmon"
	ch13 "gosched/chapters/ch13_stack"
	ch14 "gosched/chapters/ch14_signal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// A check that fails on a program has the log of its run, with the program, so that it can be
// drawn; one that passes has none.
func TestLogOfFailedProgram(t *testing.T) {
	suite := ch02.Suite
	base := solutions.Base("ch02")
	failed := 0
	for _, m := range solutions.Mutants("ch02") {
		c := suite.Check(m.Check)
		if c.Kind != check.Program || c.Name == "interrupted" { // of whose many runs no logs are kept
			continue
		}
		failed++
		out := suite.Run(c, base.With(m.Parts))
		require.Equal(t, check.Fail, out.Status, m.Name)
		if assert.NotNil(t, out.Log, m.Name) {
			assert.NotEmpty(t, out.Log.Events, m.Name)
			assert.Contains(t, out.Log.Header.Source, "package main", m.Name)
		}
		assert.Nil(t, suite.Run(c, base).Log, c.Name)
	}
	assert.NotZero(t, failed)
}

// traced plays a program of a chapter on simulated CPUs and returns its log.
func traced(t *testing.T, suite *check.Suite, release, program string, cpus int, more func(*gmp.Options)) []trace.Event {
	t.Helper()
	v, err := solutions.Go(release)
	require.NoError(t, err)
	run, err := suite.Measure(v, program, sim.Options{CPUs: cpus, Seed: 1}, func(o *gmp.Options) {
		check.Traced(o)
		if more != nil {
			more(o)
		}
	})
	require.NoError(t, err)
	return run.Log.Events
}

// The log says what has stopped a G, and in which line. Before each stop by a signal stands that
// signal, and before each stop the request.
func TestLogOfPreemptions(t *testing.T) {
	for _, c := range []struct {
		release, program string
		suite            *check.Suite
		by               string
		line             int
	}{
		{"1.5", "hog.go", ch12.Suite, trace.ByCall, 15},
		{"1.14", "ticks.go", ch14.Suite, trace.BySignal, 12},
	} {
		var before trace.Event
		asked, stops := map[int64]bool{}, 0
		for _, e := range traced(t, c.suite, c.release, c.program, 1, nil) {
			switch e.Kind {
			case trace.Ask:
				assert.EqualValues(t, trace.None, e.M, "the monitor asks")
				asked[e.G] = true
			case trace.Preempt:
				stops++
				assert.True(t, asked[e.G], c.program)
				assert.Equal(t, c.by, e.Text, c.program)
				assert.Equal(t, c.line, e.Line, c.program)
				if c.by == trace.BySignal {
					assert.Equal(t, trace.Event{T: before.T, Kind: trace.Signal, M: e.M, P: e.P, G: e.G, Line: e.Line}, before, "no reason not to stop")
				}
				asked[e.G] = false
			}
			before = e
		}
		assert.Greater(t, stops, 3, c.program)
	}
}

// A signal that cannot stop its G has the reason in the log, and no stop behind it.
func TestLogOfSignalsThatDoNotStop(t *testing.T) {
	reasons := map[string]bool{}
	var last trace.Event
	for _, e := range traced(t, ch14.Suite, "1.14", "places.go", 1, func(o *gmp.Options) { o.Signal = 7 }) {
		if last.Kind == trace.Signal && last.Text != "" {
			reasons[last.Text] = true
			assert.False(t, e.Kind == trace.Preempt && e.G == last.G && e.T == last.T, "%+v", e)
		}
		last = e
	}
	assert.Contains(t, reasons, "the instruction is no safe point")
}

// The end of a slice of Options.Ask is in the log as one request, until it is answered.
func TestLogOfSlices(t *testing.T) {
	ask := func(o *gmp.Options) { o.Ask = 5000 }
	n := map[trace.Kind]int{}
	for _, e := range traced(t, ch13.Suite, "1.2", "tight.go", 1, ask) {
		n[e.Kind]++
	}
	assert.Equal(t, 1, n[trace.Ask], "it is never answered")
	assert.Zero(t, n[trace.Preempt])
	var kinds []trace.Kind
	for _, e := range traced(t, ch13.Suite, "1.2", "calls.go", 1, ask) {
		if e.Kind == trace.Ask || e.Kind == trace.Preempt {
			kinds = append(kinds, e.Kind)
		}
	}
	assert.Equal(t, []trace.Kind{trace.Ask, trace.Preempt}, kinds)
}

// An M that is back from a call and takes a P does so once.
func TestLogOfReturns(t *testing.T) {
	for _, release := range []string{"1.1", "1.14"} {
		var last trace.Event
		retaken := 0
		for _, e := range traced(t, ch11.Suite, release, "reads.go", 2, nil) {
			if e.Kind == trace.Handoff && e.Text == trace.Retaken {
				retaken++
			}
			assert.False(t, e.Kind == trace.Acquire && last.Kind == trace.Acquire && e.M == last.M && e.P == last.P, "Go %s: M%d takes P%d twice", release, e.M, e.P)
			last = e
		}
		assert.Positive(t, retaken, "Go %s", release)
	}
}
