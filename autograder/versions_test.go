package main

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book"
	"gosched/chapters/sample"
	"gosched/chapters/trace"
	"gosched/timeline"
)

// TestVersions proves what the page "One program, several schedulers" says about its
// figures, for several seeds.
func TestVersions(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	a := &app{root: root}
	for seed := range sample.Of[uint64](1, 1, 3) {
		run := func(program, version string) book.RunResult {
			result, err := a.bookRun("book/programs/"+program+".go", book.RunArgs{Go: version, Procs: 4, Seed: seed + 1})
			require.NoError(t, err)
			require.Zero(t, result.Status, result.Output)
			require.NotNil(t, result.Figures)
			return result
		}
		all := map[string]map[string]timeline.Figures{}
		for _, program := range []string{"fanout", "uneven", "quicksort", "pairs", "pipeline", "bank"} {
			all[program] = map[string]timeline.Figures{}
			for _, version := range []string{"0.x", "1.0", "1.1", "1.5", "1.14"} {
				all[program][version] = *run(program, version).Figures
			}
		}
		span := func(program, version string) time.Duration { return all[program][version].Makespan }
		times := func(n float64, d time.Duration) time.Duration { return time.Duration(n * float64(d)) }

		for program := range all {
			asked := slices.ContainsFunc(run(program, "1.14").Log.Events, func(e trace.Event) bool { return e.Kind == trace.Ask })
			assert.False(t, asked, "seed %d: no G of %s runs for 10 ms", seed, program)
			assert.InDelta(t, float64(span(program, "1.5")), float64(span(program, "1.14")), 0.12*float64(span(program, "1.5")), "seed %d: %s has the same queues in Go 1.5 and 1.14", seed, program)
		}

		// Main makes three threads in Go 1.0, one in Go 1.1.
		made := func(version string) (before int) {
			for _, e := range run("pairs", version).Log.Events {
				switch {
				case e.Kind == trace.NewM:
					before++
				case e.Kind == trace.Park && e.G == 1:
					return before
				}
			}
			return before
		}
		assert.Equal(t, 3, made("1.0"), "seed %d", seed)
		assert.Equal(t, 1, made("1.1"), "seed %d", seed)

		for program, on := range all {
			assert.Equal(t, 1, on["0.x"].Ms, program)
			assert.Greater(t, on["1.0"].LockWait, 5*on["1.1"].LockWait, "seed %d: %s hardly waits for sched.lock in Go 1.1", seed, program)
			assert.Greater(t, on["0.x"].Idle, 0.6, "seed %d: in Go 0.x %s leaves three CPUs idle", seed, program)
			assert.Less(t, on["1.0"].Idle, 0.01, "seed %d: Go 1.0 gives each G of %s away at once", seed, program)
			if program == "quicksort" {
				assert.Less(t, on["1.1"].Idle, 0.01, "seed %d: in a long program it does not matter that Ms come one after the other", seed)
			} else {
				assert.Greater(t, on["1.1"].Idle, 0.1, "seed %d: in %s Ms come one after the other", seed, program)
			}
		}
		for _, program := range []string{"fanout", "uneven", "quicksort"} {
			assert.Less(t, span(program, "1.0"), times(0.7, span(program, "0.x")), "seed %d: threads help %s", seed, program)
		}
		for _, program := range []string{"pairs", "bank"} {
			assert.Less(t, span(program, "1.1"), times(0.75, span(program, "1.0")), "seed %d: %s waited for the lock in Go 1.0", seed, program)
		}
		assert.Greater(t, span("quicksort", "1.1"), times(0.94, span("quicksort", "1.0")), "seed %d: by a few percent", seed)
		assert.Greater(t, span("pairs", "1.0"), times(1.8, span("pairs", "0.x")), "seed %d: nearly twice as long with four CPUs", seed)
		for _, program := range []string{"pipeline", "bank"} {
			assert.Greater(t, span(program, "1.0"), span(program, "0.x"), "seed %d: four CPUs do harm to %s", seed, program)
		}
		assert.Less(t, span("bank", "0.x"), span("bank", "1.1"), "seed %d: the mutexes are what all want", seed)
		assert.Less(t, span("bank", "0.x"), span("bank", "1.5"), "seed %d: the mutexes are what all want", seed)
	}
}
