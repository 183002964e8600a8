package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

// lateModel goes wrong if "late" comes between two steps of "pair" that come
// after others. Rounds make it larger.
func lateModel(rounds int) func(m *Model) {
	return func(m *Model) {
		var noise, x machine.Uint32
		work := func() {
			for range rounds {
				noise.Add(1)
			}
		}
		m.Thread("noise", work)
		m.Thread("pair", func() {
			work()
			v := x.Load()
			x.Store(v + 1)
		})
		m.Thread("late", func() {
			work()
			x.Add(1)
		})
		m.Check(func() { assert.Equal(m, uint32(2), x.Load()) })
	}
}

func TestRandomSchedulesFindBugs(t *testing.T) {
	for seed := range uint64(20) {
		x := newExplorer(Options{Seed: seed}, lateModel(6))
		require.Nil(t, x.once(), "the first schedule is right, and tells how long it is")
		v := x.randomly(100_000)
		require.NotNil(t, v, "seed %d", seed)
		assert.Equal(t, Violation, v.kind)
		assert.Equal(t, random, x.strategy)

		f := x.explain(v, -1)
		assert.Equal(t, Violation, f.Kind)
		assert.Equal(t, 1, f.Preemptions, "the failure is made simple: %v", f)
		x.pool.close()
	}
}

// A search that does not come to its end goes on with random schedules up to its
// budget.
func TestRandomSchedulesComeLast(t *testing.T) {
	const steps = 30_000
	x := newExplorer(Options{Steps: steps}, func(m *Model) {
		var noise machine.Uint32
		for range 4 {
			m.Thread("", func() {
				for range 6 {
					noise.Add(1)
				}
			})
		}
	})
	defer x.pool.close()
	r := Result{Bound: -1}
	require.Nil(t, x.phases(&r))
	assert.False(t, r.Exhaustive)
	assert.Equal(t, random, x.strategy)
	assert.GreaterOrEqual(t, x.total, steps)
	assert.Less(t, x.total, steps+1000)
}
