package mutation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	part, err := Of("testdata/part", "queue", "NewQueue")
	require.NoError(t, err)
	var names []string
	for _, m := range part.Mutations {
		names = append(names, m.Name())
	}
	assert.Equal(t, []string{
		"Get: q.head.Load() and q.tail.Load(): loads swapped",
		"Get: q.tail.Load() and q.slots[h].Load(): loads swapped",
		"Get: q.slots[h].Load(): after q.head.CompareAndSwap(h, h+1)",
		"Get: q.head.CompareAndSwap(h, h+1): split into a load and a store",
		"Get: q.head.CompareAndSwap(h, h+1): a store, whatever is there",
		"Put: q.slot(t).Store(v) and q.tail.Store(t + 1): stores swapped",
		"Put: q.next.Swap(v): split into a load and a store",
	}, names, "q.tail.Load() of Put is not swapped with what needs it")
	assert.Contains(t, part.Mutations[2].Source, "if q.head.CompareAndSwap(h, h+1) {\nv := q.slots[h].Load()")
	assert.Contains(t, part.Mutations[3].Source, "if splitCompareAndSwap(&q.head, h, h+1) {")
	assert.Equal(t, []string{`"gosched/chapters/machine"`}, part.Imports)
	assert.Equal(t, "const limit = 3\n\nfunc helper(x int) int { return x + limit }\n\n", part.Helpers)
	assert.Len(t, part.Operations, 8)
	assert.Equal(t, Operation{"Get", "q.head.Load()"}, part.Operations[0])
}

func TestOfNothing(t *testing.T) {
	_, err := Of("testdata/part", "stack")
	assert.EqualError(t, err, "no method of stack in testdata/part uses an atomic operation")
}

func TestSummary(t *testing.T) {
	assert.Equal(t, "violated check:\n  G1 is lost", summary("chapters/ch07_runq/models.go:1: violated check:\n  G1 is lost\n\n   owner\n"))
	assert.Equal(t, "plain", summary("plain"))
}
