//go:build !unwatched

package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An explored execution gets what the one before had, as if it were new.
func TestSpare(t *testing.T) {
	type thing struct {
		n    Uint32
		next *thing
	}
	var spare Spare[thing]
	explored := func() (a, b *thing) {
		defer SetHook(&recorder{})()
		a, b = spare.New(), spare.New()
		assert.NotSame(t, a, b, "two things of one execution")
		assert.Equal(t, &thing{}, a)
		assert.Equal(t, &thing{}, b)
		a.n.Store(3)
		a.next, b.next = b, a
		return a, b
	}
	a, b := explored()
	c, d := explored()
	assert.Same(t, a, c, "the memory of the execution before")
	assert.Same(t, b, d, "the memory of the execution before")

	e, f := spare.New(), spare.New()
	for _, other := range []*thing{a, b, f} {
		assert.NotSame(t, other, e, "without a hook, memory is new")
	}
}
