package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
	"gosched/chapters/trace"
)

// TestShape proves what the page of the chapter says about the figure, for several seeds.
func TestShape(t *testing.T) {
	for seed := range sample.Of[uint64](1, 1, 4) {
		took, ms := map[string]time.Duration{}, map[string]int64{}
		for _, version := range []string{"0.x", "1.0", "1.1"} {
			d, n, _, err := run(version, seed)
			require.NoError(t, err)
			took[version], ms[version] = d, n
		}
		assert.Greater(t, took["0.x"], 1600*time.Microsecond, "seed %d: with one M the calls come one after the other", seed)
		assert.Equal(t, int64(1), ms["0.x"])
		for _, version := range []string{"1.0", "1.1"} {
			assert.Less(t, took[version], took["0.x"]/3, "seed %d: in Go %s they last at the same time", seed, version)
			assert.GreaterOrEqual(t, ms[version], int64(5), "seed %d: in Go %s each call has an M", seed, version)
		}
		assert.Less(t, took["1.0"], took["1.1"], "seed %d: in Go 1.0 nobody waits for the monitor", seed)
		assert.Equal(t, int64(10), ms["1.0"], "seed %d: eight Ms in calls, and two that run Go code", seed)
		assert.Less(t, ms["1.1"], int64(8), "seed %d: some Ms make a second call", seed)
	}
}

// TestCalls proves what the page says about when the calls begin, with the seed of the figure.
func TestCalls(t *testing.T) {
	for _, test := range []struct {
		version  string
		min, max time.Duration // between a call and the next one on the same P
	}{
		{"1.0", 25 * time.Microsecond, 27 * time.Microsecond},
		{"1.1", 29 * time.Microsecond, 93 * time.Microsecond},
	} {
		_, _, log, err := run(test.version, 1)
		require.NoError(t, err)
		last, firstEnd := map[int32]int64{}, int64(0)
		calls, reused := 0, 0
		by := map[int32]bool{}
		for _, e := range log.Events {
			switch e.Kind {
			case trace.Sysexit:
				firstEnd = e.T
			case trace.Syscall:
				calls++
				if by[e.M] {
					reused++
				}
				by[e.M] = true
				if began, ok := last[e.P]; ok {
					apart := time.Duration(e.T - began)
					assert.True(t, test.min <= apart && apart <= test.max, "Go %s: %v between two calls on P%d", test.version, apart, e.P)
				}
				last[e.P] = e.T
			}
			if test.version == "1.0" && e.Kind == trace.Syscall {
				assert.Zero(t, firstEnd, "all calls of Go 1.0 begin before the first ends")
			}
		}
		assert.Equal(t, 8, calls)
		assert.Equal(t, test.version == "1.1", reused > 0, "Go %s: Ms that make two calls: %d", test.version, reused)
	}
}
