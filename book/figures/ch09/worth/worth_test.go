package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine/sim"
	"gosched/chapters/sample"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// This file proves what the page of the chapter says about the figures that this program
// makes.

// TestAlone: without stealing one P runs all, and the others nothing.
func TestAlone(t *testing.T) {
	with, err := solutions.Go("1.1")
	require.NoError(t, err)
	all, err := traced(with, "spawn.go", 4, sim.BareMetal())
	require.NoError(t, err)
	none, err := traced(without(with), "spawn.go", 4, sim.BareMetal())
	require.NoError(t, err)
	assert.Equal(t, map[int32]int{0: 200}, ended(none.Log))
	for p := range int32(4) {
		assert.Greater(t, ended(all.Log)[p], 25, "P%d", p)
	}
	assert.Greater(t, ratio(none.Sim.Elapsed, all.Sim.Elapsed), 3.0)
	busy := time.Duration(0)
	for _, c := range none.Sim.CPUs {
		busy += c.Busy
	}
	others := float64(busy)/float64(none.Sim.Elapsed) - 1
	assert.Greater(t, others/3, 0.6, "the others are awake for most of the time, they look for work")
}

// TestOrder: to ask few makes it slow; to ask all in a fixed order only makes the caches
// work more, by about a fifth on today's costs.
func TestOrder(t *testing.T) {
	right, few, err := runOrder("")
	require.NoError(t, err)
	for _, mutant := range []string{"one-pass", "always-from-0", "one-victim"} {
		require.NotEmpty(t, wrong(mutant).Stealing, mutant)
		time, many, err := runOrder(mutant)
		require.NoError(t, err)
		slower, misses := ratio(time, right), float64(many)/float64(few)
		switch mutant {
		case "one-pass":
			assert.InDelta(t, 1, slower, 0.05, mutant)
		case "always-from-0":
			assert.InDelta(t, 1, slower, 0.05, mutant)
			assert.Greater(t, misses, 1.1, mutant)
		case "one-victim":
			assert.Greater(t, slower, 1.2, mutant)
			assert.Greater(t, misses, 1.1, mutant)
		}
	}
}

// TestThroughput: on one CPU the two are alike. The queues of the Ps do what the one queue
// under the one lock cannot: more CPUs do more work.
func TestThroughput(t *testing.T) {
	was, is := map[int]float64{}, map[int]float64{}
	for _, cpus := range []int{1, 4, 16, 64} {
		old, now, err := both(cpus, sim.BareMetal())
		require.NoError(t, err)
		was[cpus], is[cpus] = rate(old), rate(now)
	}
	assert.InDelta(t, 1, is[1]/was[1], 0.1, "one CPU")
	assert.Greater(t, is[4], 3*is[1], "1.1, four CPUs")
	assert.Greater(t, is[16], 2*is[4], "1.1, 16 CPUs")
	assert.Less(t, was[64], was[4], "1.0, 64 CPUs")
	assert.Greater(t, is[64]/was[64], 2.9, "64 CPUs")
}

// TestCosts: that 1.1 is faster does not hang on the model of costs.
func TestCosts(t *testing.T) {
	for row, setting := range sim.SchedulerSettings() {
		for _, factor := range sample.Deal(row, 1, factors) {
			r, err := ratioAt(setting, factor)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, r, 2.9, "%s × %v", setting, factor)
		}
	}
}

// The constants of the bound, in T_inf.
const (
	bound      = 12 // up to 32 CPUs, for all that T_P is above T_1/P
	boundChain = 6  // up to 64, without the wake chain
)

// TestForkJoin: T_P is at most T_1/P + c T_inf up to 32 CPUs; beyond, what is above it
// is the chain in which one M wakes the next.
func TestForkJoin(t *testing.T) {
	c := sim.BareMetal()
	cheap, err := c.Scaled("ThreadCreate", 0.1)
	require.NoError(t, err)
	for _, seed := range seeds[:sample.Of(1, 1, len(seeds))] {
		one, err := plant(seed, c)
		require.NoError(t, err)
		assert.Greater(t, one.spans(one.work), 10.0*32, "there is work for 32 CPUs")
		for _, cpus := range []int{2, 8, 32, 64} {
			r, err := one.grow(cpus, seed, c)
			require.NoError(t, err)
			assert.LessOrEqual(t, r.spans(r.rest()), float64(boundChain), "%d CPUs, seed %d: without the chain", cpus, seed)
			if cpus <= 32 {
				assert.LessOrEqual(t, r.spans(r.over()), float64(bound), "%d CPUs, seed %d", cpus, seed)
				continue
			}
			assert.Greater(t, r.spans(r.over()), float64(bound), "%d CPUs, seed %d", cpus, seed)
			assert.Greater(t, r.chain, r.time/3, "%d CPUs, seed %d: the chain", cpus, seed)

			// A link is the making of a thread and its wake-up, and not much more.
			made := (c.ThreadCreate + c.WakeLatency).Duration()
			assert.InDelta(t, 1.1, ratio(r.link, made), 0.15, "a link of the chain, seed %d", seed)
			fast, err := one.grow(cpus, seed, cheap)
			require.NoError(t, err)
			assert.Less(t, fast.chain, r.chain/2, "if threads cost a tenth, seed %d", seed)
			assert.Less(t, fast.time, r.time*3/4, "if threads cost a tenth, seed %d", seed)
		}
	}
}

// TestSpan: the critical path of a run that is made by hand.
func TestSpan(t *testing.T) {
	event := func(at int64, kind trace.Kind, g, by int64) trace.Event {
		return trace.Event{T: at, Kind: kind, G: g, By: by}
	}
	log := &trace.Log{Events: []trace.Event{
		event(0, trace.Create, 1, 0),
		event(100, trace.Run, 1, 0),
		event(110, trace.Create, 2, 1), // main has come 10 far
		event(115, trace.Create, 3, 1), // 15
		event(120, trace.Park, 1, 0),   // 20: main waits for G2
		event(122, trace.Run, 2, 0),    // 10 and 2 to find it
		event(152, trace.Ready, 1, 2),  // 42: G2 meets main
		event(153, trace.Exit, 2, 0),
		event(153, trace.Run, 3, 0),  // 15
		event(173, trace.Park, 3, 0), // 35: G3 waits for main
		event(173, trace.Run, 1, 0),
		event(180, trace.Ready, 3, 1), // 49: main meets G3
		event(184, trace.End, 0, 0),   // 53
	}}
	assert.Equal(t, time.Duration(53), span(log))
	assert.Equal(t, time.Duration(84), length(log))
}
