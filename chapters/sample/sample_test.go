package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDeal(t *testing.T) {
	columns := []string{"a", "b", "c", "d", "e"}
	t.Setenv(Env, "")
	n := Of(1, 2, len(columns))
	often := map[string]int{}
	for row := range len(columns) {
		dealt := Deal(row, 2, columns)
		assert.Len(t, dealt, n)
		assert.IsIncreasing(t, dealt, "in the order of the table, and none twice")
		assert.Equal(t, dealt, Deal(row, 2, columns), "always the same")
		for _, c := range dealt {
			often[c]++
		}
	}
	for _, c := range columns {
		assert.Equal(t, n, often[c], c)
	}
	assert.Equal(t, columns[:1], Deal(7, 3, columns[:1]), "there is no more")
	assert.Empty(t, Deal(7, 3, columns[:0]))

	t.Setenv(Env, "1")
	assert.Equal(t, columns, Deal(0, 2, columns))
	assert.Equal(t, 100, Of(1, 10, 100))
}
