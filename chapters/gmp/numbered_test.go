package gmp

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine"
)

// TestNumbered has more things than the first table holds, frees some, and gives their numbers
// to others.
func TestNumbered(t *testing.T) {
	var table numbered[int]
	things := map[uint64]int{}
	for i := range 100 {
		v := i
		things[table.add(&v, machine.Addr(i))] = i
	}
	assert.Len(t, things, 100, "each thing has a number of its own")
	assert.NotContains(t, things, uint64(0), "0 is no number")
	for number, v := range things {
		assert.Equal(t, v, *table.at(number))
	}

	table.sweep(func(addr machine.Addr) bool { return addr%2 == 0 })
	left := 0
	table.all(func(v *int, addr machine.Addr) {
		left++
		assert.EqualValues(t, *v, addr)
		assert.Zero(t, *v%2, "what was swept is no longer there")
	})
	assert.Equal(t, 50, left)

	for i := range 50 {
		v := 1000 + i
		number := table.add(&v, machine.Addr(v))
		assert.Equal(t, 1, things[number]%2, "a number is given again only if its thing was swept")
		delete(things, number)
		assert.Equal(t, v, *table.at(number))
	}
}
