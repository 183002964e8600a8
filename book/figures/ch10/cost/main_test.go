package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/sample"
)

// TestShape proves what the page of the chapter says about the figure, for several seeds.
func TestShape(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 4) {
		on := func(program string, parts gmp.Version, cpus int) sim.Report {
			r, err := simulate(program, parts, cpus, seed)
			require.NoError(t, err)
			return r
		}
		four, many := on("pairs.go", sleepers(), 4), on("pairs.go", sleepers(), 64)
		slower := float64(many.Elapsed) / float64(four.Elapsed)
		assert.InDelta(t, 4, slower, 1, "seed %d: if no M spins, 64 CPUs take about four times as long as four", seed)
		assert.InDelta(t, 400, many.Sleeps, 100, "seed %d: and about four hundred times a thread goes to sleep", seed)
		spun := on("pairs.go", spinners(), 64)
		assert.Less(t, spun.Elapsed, many.Elapsed/3, "seed %d: with spinning it is less than a third", seed)
		assert.Less(t, spun.Sleeps, many.Sleeps/10, "seed %d: since few threads are woken", seed)
		assert.Less(t, 4*busy(spun), busy(many), "seed %d: and less than a quarter of the CPUs is kept busy", seed)

		direct, chain := on("burst.go", sleepers(), 8), on("burst.go", spinners(), 8)
		assert.Less(t, direct.Elapsed, chain.Elapsed, "seed %d: a burst is served sooner if each G wakes somebody", seed)
		assert.Less(t, chain.Elapsed, direct.Elapsed*5/4, "seed %d: but not by much", seed)
	}
}
