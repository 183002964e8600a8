//course:omit
package ch09

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each pass asks each P once, whatever the random number, and every P can be first.
func TestOrder(t *testing.T) {
	for n := uint32(1); n <= 70; n++ {
		firsts := map[uint32]bool{}
		for random := range n * (n + 2) {
			o := newOrder(n, random)
			seen := map[uint32]bool{}
			for i := range n {
				at := o.next()
				if i == 0 {
					firsts[at] = true
				}
				seen[at] = true
			}
			assert.Len(t, seen, int(n), "%d Ps, random number %d", n, random)
		}
		assert.Len(t, firsts, int(n))
	}
}
