package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/cputime"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// The explorer is measured by what it did, which is the same each time, and the CPU time
// that it took.
func TestMeasureExplorer(t *testing.T) {
	if !cputime.Known {
		t.Skip("the CPU time of a process cannot be had on this system")
	}
	v := solutions.Base("ch07")
	r, _, err := exploreTheft(v)
	require.NoError(t, err)
	again, _, err := exploreTheft(v)
	require.NoError(t, err)
	assert.Equal(t, r, again)
	t.Logf("an exploration has %d executions and %d steps", r.Executions/repeats, r.Steps/repeats)

	speed, err := MeasureExplorer(1, v)
	require.NoError(t, err)
	assert.Positive(t, speed.ExecutionsPerSec)
	assert.Positive(t, speed.StepsPerSec)

	v.RunQueue = func(s *gmp.Sched) gmp.RunQueue { return forgetful{solutions.Base("ch07").RunQueue(s)} }
	_, _, err = exploreTheft(v)
	assert.ErrorContains(t, err, "is lost", "what does nothing is not fast")
}

// forgetful is a run queue that loses the Gs that are put there.
type forgetful struct{ gmp.RunQueue }

func (forgetful) Runqput(*gmp.P, *gmp.G, bool) {}

func BenchmarkExplorer(b *testing.B) {
	v := solutions.Base("ch07")
	for b.Loop() {
		if _, _, err := exploreTheft(v); err != nil {
			b.Fatal(err)
		}
	}
}
