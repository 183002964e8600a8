package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// TestTurns proves what the page of the chapter says about who starves.
func TestTurns(t *testing.T) {
	for n, want := range map[uint32]struct {
		ring, least, most int
		ended             bool
	}{
		0:  {1, 0, 0, true},
		61: {1, 16, 17, true},
		2:  {1, 950, 1050, true},
		1:  {},
	} {
		v, err := looking(n)
		require.NoError(t, err)
		ring, global, ended, err := serve(v, 2)
		require.NoError(t, err)
		assert.Equal(t, want.ended, ended, "one look in %d slices: do the rounds end?", n)
		assert.Equal(t, want.ring, ring, "one look in %d slices: in the ring", n)
		assert.GreaterOrEqual(t, global, want.least, "one look in %d slices: in the global queue", n)
		assert.LessOrEqual(t, global, want.most, "one look in %d slices: in the global queue", n)
	}
}

// TestSlices proves what it says about a ping-pong: a slice for each G saves those in
// the global queue, and nobody in the ring.
func TestSlices(t *testing.T) {
	for name, want := range map[string][2]int{"1.1": {1, 33}, "ch08": {0, 0}, "": {0, 33}} {
		v, err := version(name)
		require.NoError(t, err)
		ring, global, ended, err := serve(v, 1)
		require.NoError(t, err)
		assert.True(t, ended)
		assert.Equal(t, want, [2]int{ring, global}, "version %q", name)
	}
}

// TestCost proves what it says about the price, for several seeds: with 61 more CPUs do
// more; with 1 they are no faster from 8 on, and wait.
func TestCost(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 3) {
		rate, wait := map[uint32]map[int]float64{1: {}, 61: {}}, map[uint32]map[int]float64{1: {}, 61: {}}
		for n := range rate {
			for _, cpus := range []int{1, 8, 32} {
				run, err := measure(n, cpus, seed)
				require.NoError(t, err)
				rate[n][cpus], wait[n][cpus] = throughput(run), run.Waited()
			}
		}
		assert.Greater(t, rate[61][32], 1.3*rate[61][8], "seed %d: every 61st, 32 CPUs do more than 8", seed)
		assert.Less(t, rate[1][32], rate[1][8], "seed %d: every slice, 32 CPUs do less than 8", seed)
		assert.Greater(t, rate[61][32], 3*rate[1][32], "seed %d: at 32 CPUs it is three times as fast", seed)
		assert.Greater(t, wait[1][32], 0.6, "seed %d: every slice, 32 CPUs wait most of their time", seed)
	}
}
