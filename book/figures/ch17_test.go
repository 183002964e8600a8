package figures_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	ch17 "gosched/chapters/ch17_stw"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// TestPauses proves what the page says about the two timelines of pauses.go: the same program
// waits for the next call in Go 1.5, and for a signal in 1.14.
func TestPauses(t *testing.T) {
	for _, c := range []struct {
		release           string
		atLeast, notAbove int64 // of the longest, in ns
	}{
		{"1.5", 1_000_000, 4_000_000},
		{"1.14", 5_000, 100_000},
	} {
		run, err := ch17.Suite.Measure(figures.Version(t, c.release), "pauses.go", sim.Options{CPUs: 4, Seed: 1}, func(o *gmp.Options) {
			o.Trace = true
			o.Machine.Args = []string{"pauses.go", "calls"}
		})
		require.NoError(t, err)
		began, longest, stops := int64(0), int64(0), 0
		for _, e := range run.Events(trace.Stop, trace.Start) {
			if e.Kind == trace.Stop {
				began = e.T
				continue
			}
			stops++
			longest = max(longest, e.T-began)
		}
		assert.Equal(t, 20, stops)
		assert.Greater(t, longest, c.atLeast, c.release)
		assert.Less(t, longest, c.notAbove, c.release)
	}
}

// TestNeverStops proves that the world does not stop beside a loop without calls before 1.14, nor
// beside one with calls in 1.1, which asks nobody.
func TestNeverStops(t *testing.T) {
	for _, c := range []struct {
		release string
		args    []string
	}{
		{"1.1", []string{"pauses.go", "calls"}},
		{"1.5", []string{"pauses.go"}},
	} {
		run, err := ch17.Suite.Measure(figures.Version(t, c.release), "pauses.go", sim.Options{CPUs: 4, Seed: 1, Limit: 100 * sim.Millisecond}, func(o *gmp.Options) {
			o.Trace = true
			o.Machine.Args = c.args
		})
		var limit *sim.LimitError
		assert.True(t, errors.As(err, &limit) || errors.As(run.Err, &limit), "%s: %v, %v", c.release, err, run.Err)
	}
}
