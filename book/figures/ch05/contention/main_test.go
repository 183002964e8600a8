package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// TestShape proves what the page of the chapter says about the figure, for several
// seeds: more CPUs help at first; then they do harm, and wait.
func TestShape(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 3) {
		rate, wait := map[int]float64{}, map[int]float64{}
		for _, cpus := range []int{1, 4, 16, 64} {
			run, err := simulate(cpus, seed)
			require.NoError(t, err)
			rate[cpus], wait[cpus] = throughput(run), run.Waited()
		}
		assert.Greater(t, rate[4], 1.5*rate[1], "seed %d: four CPUs do more than one", seed)
		assert.Less(t, rate[64], rate[4], "seed %d: 64 CPUs do less than four", seed)
		assert.Less(t, rate[64], 2*rate[1], "seed %d: 64 CPUs do less than twice what one does", seed)
		assert.Less(t, wait[1], 0.01, "seed %d: on one CPU nobody waits for the lock", seed)
		assert.Greater(t, wait[16], 0.5, "seed %d: 16 CPUs wait for the lock more than half of their time", seed)
		assert.Greater(t, wait[64], wait[16], "seed %d: 64 wait for it more", seed)
	}
}
