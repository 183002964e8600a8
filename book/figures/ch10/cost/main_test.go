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
		assert.Greater(t, many.Elapsed, 2*four.Elapsed, "seed %d: if nobody spins, 64 CPUs are slower than four", seed)
		spun := on("pairs.go", spinners(), 64)
		assert.Less(t, spun.Elapsed, many.Elapsed/2, "seed %d: with spinning they are not", seed)
		assert.Less(t, spun.Sleeps, many.Sleeps/10, "seed %d: since few threads are woken", seed)
		assert.Less(t, 3*busy(spun), busy(many), "seed %d: and fewer CPUs are kept busy", seed)

		direct, chain := on("burst.go", sleepers(), 8), on("burst.go", spinners(), 8)
		assert.Less(t, direct.Elapsed, chain.Elapsed, "seed %d: a burst is served sooner if each G wakes somebody", seed)
		assert.Less(t, chain.Elapsed, direct.Elapsed*5/4, "seed %d: but not by much", seed)
	}
}
