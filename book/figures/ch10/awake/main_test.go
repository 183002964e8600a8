package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// TestFigure proves what the page of the chapter says about the figure, for several seeds:
// no M is thrown away, all of them sleep at times, and most of the time none spins.
func TestFigure(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 4) {
		log, err := log(seed)
		require.NoError(t, err)
		h := follow(log)
		assert.GreaterOrEqual(t, len(h.lanes), cpus, "seed %d", seed)
		for id, lane := range h.lanes {
			assert.True(t, slices.Contains(lane, '█') && slices.Contains(lane, '·'), "seed %d: M%d runs and sleeps: %s", seed, id, string(lane))
		}
		assert.Greater(t, h.spun[0], h.end*9/10, "seed %d: most of the time nobody spins", seed)
	}
}
