package figures_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	ch09 "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// TestFewShowsSteals proves what the page says about the timeline of few.go: the first
// three thieves take half of what there is, rounded up, and the third takes from the
// second.
func TestFewShowsSteals(t *testing.T) {
	run, err := ch09.Suite.Measure(figures.Version(t, "1.1"), "few.go", sim.Options{CPUs: 4, Seed: 1}, check.Traced)
	require.NoError(t, err)
	type theft struct {
		by, from int32
		took, of int
	}
	var thefts []theft
	for _, e := range run.Events(trace.Steal) {
		thefts = append(thefts, theft{e.P, e.From, len(e.Gs), int(e.N)})
	}
	require.GreaterOrEqual(t, len(thefts), 4)
	assert.Equal(t, []theft{{1, 0, 6, 12}, {2, 0, 3, 5}, {3, 2, 1, 2}}, thefts[:3])
	assert.Len(t, run.Events(trace.NewM), 3)
}

// TestSpawnFitsInOneRing proves that the goroutines of spawn.go do not overflow: who gets
// one has stolen it.
func TestSpawnFitsInOneRing(t *testing.T) {
	run, err := ch09.Suite.Measure(figures.Version(t, "1.1"), "spawn.go", sim.Options{CPUs: 4, Seed: 1}, check.Traced)
	require.NoError(t, err)
	for _, e := range run.Events(trace.Put) {
		assert.NotEqual(t, "global", e.Q, "G%d, at %d", e.G, e.T)
	}
}
