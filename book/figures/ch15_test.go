package figures_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	ch15 "gosched/chapters/ch15_timer"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	ch15sol "gosched/solutions/ch15_timer"
)

// churn is how many ns a pair of churn.go takes.
func churn(t *testing.T, v gmp.Version, cpus int, seed uint64) float64 {
	run, err := ch15.Suite.Measure(v, "churn.go", sim.Options{CPUs: cpus, Seed: seed}, nil)
	require.NoError(t, err)
	ns, err := strconv.Atoi(strings.TrimSpace(run.Stdout))
	require.NoError(t, err)
	return float64(ns)
}

// TestChurn proves what the page says about the plot: on one CPU the two forms take about the
// same, and on many the one list is far slower.
func TestChurn(t *testing.T) {
	perP := figures.Version(t, "1.14")
	oneList := perP.With(ch15sol.Given)
	oneList.TimerHeap, oneList.TimerChans = nil, nil
	for seed := range uint64(2) {
		assert.InDelta(t, 1, churn(t, oneList, 1, seed)/churn(t, perP, 1, seed), 0.3)
		assert.Greater(t, churn(t, oneList, 16, seed)/churn(t, perP, 16, seed), 2.5)
	}
}

// TestBusyTimer proves what the page says about the timeline of busy.go: the sleep of G2 ends on
// another M than that which computes, and in time.
func TestBusyTimer(t *testing.T) {
	run, err := ch15.Suite.Measure(figures.Version(t, "1.14"), "busy.go", sim.Options{CPUs: 2, Seed: 1}, check.Traced)
	require.NoError(t, err)
	assert.Equal(t, "in time\n", run.Stdout)
	sleeps := 0
	for _, e := range run.Events(trace.Fire, trace.Run) {
		if e.Kind == trace.Fire && e.Text == "sleep" {
			sleeps++
		}
	}
	assert.Equal(t, 1, sleeps)
}

// TestEarlier proves what the page says about the timeline of earlier.go: M1 sleeps when main sets
// the second timer, is woken, sleeps again, and fires it from its P while main computes on P0.
func TestEarlier(t *testing.T) {
	run, err := ch15.Suite.Measure(figures.Version(t, "1.14"), "earlier.go", sim.Options{CPUs: 2, Seed: 1}, check.Traced)
	require.NoError(t, err)
	assert.Equal(t, "2 ms, in time: true\n20 ms\n", run.Stdout)
	var m1 []string
	for _, e := range run.Events(trace.Idle, trace.Wake, trace.Fire) {
		if e.M == 1 && len(m1) < 5 {
			m1 = append(m1, string(e.Kind))
		}
	}
	assert.Equal(t, []string{"idle", "wake", "idle", "wake", "fire"}, m1)
}
