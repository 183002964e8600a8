package figures_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	ch12 "gosched/chapters/ch12_sysmon"
	"gosched/chapters/check"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// TestHogsOnOneCPU proves what the page says about the two timelines of hog.go: under Go
// 1.1 one goroutine runs from beginning to end; under Go 1.5 they take turns, in slices of
// 15 ms, since the monitor has to wait for the CPU as well.
func TestHogsOnOneCPU(t *testing.T) {
	run, err := ch12.Suite.Measure(figures.Version(t, "1.1"), "hog.go", sim.Options{CPUs: 1, Seed: 1}, check.Traced)
	require.NoError(t, err)
	assert.Empty(t, run.Events(trace.Ask, trace.Preempt))

	run, err = ch12.Suite.Measure(figures.Version(t, "1.5"), "hog.go", sim.Options{CPUs: 1, Seed: 1}, check.Traced)
	require.NoError(t, err)
	var asked []trace.Event
	for _, e := range run.Events(trace.Ask, trace.Preempt) {
		if e.Kind == trace.Ask {
			asked = append(asked, e)
			continue
		}
		last := asked[len(asked)-1]
		assert.Equal(t, last.G, e.G)
		assert.Less(t, e.T-last.T, int64(10_000), "ns until G%d answers", e.G)
	}
	require.GreaterOrEqual(t, len(asked), 4)
	for i, e := range asked[1:] {
		assert.InDelta(t, 15e6, e.T-asked[i].T, 0.5e6)
	}
}

// TestBlocked proves what the page says about the timeline of blocked.go: the P is taken two
// looks of the monitor after the call.
func TestBlocked(t *testing.T) {
	run, err := ch12.Suite.Measure(figures.Version(t, "1.5"), "blocked.go", sim.Options{CPUs: 1, Seed: 1}, check.Traced)
	require.NoError(t, err)
	since := map[int64]int64{}
	for _, e := range run.Events(trace.Syscall, trace.Handoff) {
		if e.Kind == trace.Syscall {
			since[e.G] = e.T
			continue
		}
		assert.InDelta(t, 45e3, e.T-since[3], 20e3)
		return
	}
	t.Error("no P is handed off")
}
