package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine/sim"
	"gosched/chapters/sample"
)

// TestSudogs proves what the page of the chapter says about the figure, for several
// seeds: a cache for each M keeps what nobody can use, a cache for each P does not.
func TestSudogs(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 3) {
		s, _, err := simulate("1.0", "stranded.go", 16, seed)
		require.NoError(t, err)
		old := count(s)
		assert.Zero(t, old.usable)
		assert.Greater(t, len(old.onMs), 2, "seed %d: Ms that keep some", seed)
		assert.Greater(t, old.made(), 1800, "seed %d: made in Go 1.0", seed)
		s, _, err = simulate("1.1", "stranded.go", 16, seed)
		require.NoError(t, err)
		now := count(s)
		assert.Empty(t, now.onMs)
		assert.LessOrEqual(t, now.made(), 1000, "seed %d: made in Go 1.1", seed)
	}
}

// TestLocks proves that a P seldom needs the lock of dead Gs, which an M of Go 1.0 needs
// for each goroutine that begins or ends.
func TestLocks(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 3) {
		for _, cpus := range []int{1, 4, 16} {
			taken := map[string]sim.Report{}
			for _, release := range []string{"1.0", "1.1"} {
				_, report, err := simulate(release, "spawn.go", cpus, seed)
				require.NoError(t, err)
				taken[release] = report
			}
			assert.Greater(t, per1000(taken["1.0"], "sched.gFree.lock"), 1900.0, "Go 1.0, %d CPUs, seed %d", cpus, seed)
			assert.Less(t, per1000(taken["1.1"], "sched.gFree.lock"), 200.0, "Go 1.1, %d CPUs, seed %d", cpus, seed)
			assert.Less(t, per1000(taken["1.1"], "sched.sudoglock"), 200.0, "Go 1.1, %d CPUs, seed %d", cpus, seed)
		}
	}
}
