package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// What is asserted here of the two small schedulers are ratios, of medians over
// seeds: the times themselves are the model's, and nobody's computer.

// jobWork is the number of instructions of a job: 2 µs.
const jobWork = 2000

// rate returns the median throughput over seeds, of a tree so deep.
func rate(t *testing.T, opt Options, depth int, make sized) float64 {
	t.Helper()
	var rates []float64
	for seed := range sample.Of[uint64](1, 1, 3) {
		opt.Seed = seed
		jobs, _ := throughput(t, computer(t, opt), depth, jobWork, make)
		rates = append(rates, jobs)
	}
	return median(rates)
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// One lock serves a few CPUs, and then no more, however many there are: it is the
// lock that works. Stealing goes on growing.
func TestOneLockSaturates(t *testing.T) {
	const depth = 14 // 32,767 jobs
	lock, steal := map[int]float64{}, map[int]float64{}
	for _, cpus := range []int{1, 2, 4, 8, 16, 32, 64} {
		lock[cpus] = rate(t, Options{CPUs: cpus}, depth, newGlobal)
		steal[cpus] = rate(t, Options{CPUs: cpus}, depth, newStealing)
		t.Logf("%2d CPUs: %7.0f jobs/ms with one lock, %7.0f stealing", cpus, lock[cpus], steal[cpus])
	}
	assert.InEpsilon(t, lock[1], steal[1], 0.15, "on one CPU there is nothing between them")
	assert.Greater(t, lock[2], 1.5*lock[1], "two CPUs are better than one")
	assert.Less(t, lock[64], 1.5*lock[8], "eight times the CPUs are not much use")
	assert.Less(t, lock[64], 8*lock[1])
	for cpus := 2; cpus <= 64; cpus *= 2 {
		assert.Greater(t, steal[cpus], 1.4*steal[cpus/2], "stealing on %d CPUs", cpus)
	}
	_, r := throughput(t, computer(t, Options{CPUs: 64}), depth, jobWork, newGlobal)
	assert.Equal(t, "sched.lock", r.Locks[0].Name)
	assert.Greater(t, r.Locks[0].Waited, 10*r.Elapsed, "of 64 CPUs, more than ten wait for the lock at any time")
}

// That stealing wins does not hang on a figure of the model.
func TestStealingWinsUnderEveryModel(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates for several seconds")
	}
	const depth = 12 // 8191 jobs
	models := map[string]Costs{"bare metal": BareMetal(), "guest": Guest()}
	names := []string{"bare metal", "guest"}
	for _, setting := range SchedulerSettings() {
		for _, factor := range []float64{0.5, 2} {
			c, err := BareMetal().Scaled(setting, factor)
			require.NoError(t, err)
			name := fmt.Sprintf("%s × %g", setting, factor)
			models[name] = c
			names = append(names, name)
		}
	}
	for _, name := range names {
		opt := Options{CPUs: 64, Costs: models[name]}
		lock, steal := rate(t, opt, depth, newGlobal), rate(t, opt, depth, newStealing)
		t.Logf("%-18s %6.0f jobs/ms with one lock, %6.0f stealing: %.1f times", name, lock, steal, steal/lock)
		assert.Greater(t, steal/lock, 2.9, name)
	}
}

// To look ahead, over hits in the cache and over the program's instructions, saves
// the host much, and changes the results by less than a twentieth.
func TestLookAhead(t *testing.T) {
	const depth = 11
	for _, m := range models {
		for _, cpus := range []int{2, 8, 64} {
			var ahead, exact []float64
			var turns, exactTurns int64
			for seed := range sample.Of[uint64](1, 3, 5) {
				s := computer(t, Options{CPUs: cpus, Seed: seed})
				jobs, r := throughput(t, s, depth, jobWork, m.make)
				ahead, turns = append(ahead, jobs), turns+r.Turns

				s = computer(t, Options{CPUs: cpus, Seed: seed, Quantum: 50 * Nanosecond})
				s.slack = 0
				for k := range s.kinds {
					s.kinds[k].plain = false
				}
				jobs, r = throughput(t, s, depth, jobWork, m.make)
				exact, exactTurns = append(exact, jobs), exactTurns+r.Turns
			}
			t.Logf("%-5s on %2d CPUs: %6.0f jobs/ms, exactly %6.0f; %7d turns for %7d", m.name, cpus, median(ahead), median(exact), turns, exactTurns)
			assert.InEpsilon(t, median(exact), median(ahead), 0.05, "%s on %d CPUs", m.name, cpus)
			assert.Less(t, turns, exactTurns)
		}
	}
}
