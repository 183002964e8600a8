package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// TestShape proves what the page of the chapter says about the figure, for several seeds.
func TestShape(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 4) {
		free, _, err := run(false, seed)
		require.NoError(t, err)
		locked, sleeps, err := run(true, seed)
		require.NoError(t, err)
		assert.Greater(t, locked, 10*free, "seed %d", seed)
		assert.GreaterOrEqual(t, sleeps, 1.9, "seed %d: each way a thread goes to sleep and another is woken", seed)
	}
}
