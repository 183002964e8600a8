package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/check"
	"gosched/chapters/sample"
)

// TestShape proves what the page of the chapter says about the figure, for several seeds.
func TestShape(t *testing.T) {
	list, err := ways()
	require.NoError(t, err)
	for seed := range sample.Of[uint64](1, 1, 4) {
		var runs []check.Run
		for _, w := range list {
			run, err := simulate(w.parts, seed)
			require.NoError(t, err)
			runs = append(runs, run)
		}
		locked, handed, left := runs[0].Sim, runs[1].Sim, runs[2].Sim
		assert.Greater(t, locked.Elapsed, 5*left.Elapsed, "seed %d", seed)
		assert.Greater(t, handed.Elapsed, 5*left.Elapsed, "seed %d", seed)
		assert.Less(t, left.Lock("sched.lock").Acquisitions, int64(100), "seed %d", seed)
		assert.Greater(t, locked.Lock("sched.lock").Acquisitions, int64(2400), "seed %d", seed)
	}
}
