package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// TestShape proves what the page of the chapter says about the figure, for several seeds.
func TestShape(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 4) {
		took, ms := map[string]time.Duration{}, map[string]int64{}
		for _, version := range []string{"0.x", "1.0", "1.1"} {
			d, n, err := run(version, seed)
			require.NoError(t, err)
			took[version], ms[version] = d, n
		}
		assert.Greater(t, took["0.x"], 1600*time.Microsecond, "seed %d: with one M the calls come one after the other", seed)
		assert.Equal(t, int64(1), ms["0.x"])
		for _, version := range []string{"1.0", "1.1"} {
			assert.Less(t, took[version], took["0.x"]/3, "seed %d: in Go %s they last at the same time", seed, version)
			assert.GreaterOrEqual(t, ms[version], int64(5), "seed %d: in Go %s each call has an M", seed, version)
		}
	}
}
