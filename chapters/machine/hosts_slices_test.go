package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kept keeps slices from living on the stack, where their capacity differs.
var kept any

// growth appends n elements one by one and reports the capacities, as the
// installed Go has them.
func growth[T any](n int) (caps []int) {
	var s []T
	var x T
	for range n {
		s = append(s, x)
		kept = s
		caps = append(caps, cap(s))
	}
	return caps
}

// TestGrowLikeGo: the capacities that append leaves are those of the Go that
// this test is compiled with.
func TestGrowLikeGo(t *testing.T) {
	type big struct {
		a [5]int
		p *int
	}
	tests := []struct {
		name     string
		size     int64
		pointers bool
		caps     []int
	}{
		{"int", 8, false, growth[int](5000)},
		{"byte", 1, false, growth[byte](5000)},
		{"int32", 4, false, growth[int32](5000)},
		{"pointer", 8, true, growth[*int](5000)},
		{"string", 16, true, growth[string](5000)},
		{"48 bytes with a pointer", 48, true, growth[big](5000)},
		{"24 bytes", 24, false, growth[[3]int](5000)},
		{"7 bytes", 7, false, growth[[7]byte](5000)},
		{"1000 bytes", 1000, false, growth[[1000]byte](300)},
	}
	for _, test := range tests {
		room := int64(0)
		for i, want := range test.caps {
			if n := int64(i + 1); n > room {
				room = roundUpSize(nextSliceCap(n, room)*test.size, test.pointers) / test.size
			}
			require.Equal(t, int64(want), room, "%s: capacity for %d elements", test.name, i+1)
		}
	}
}

// TestGrowAtOnceLikeGo appends many elements at once.
func TestGrowAtOnceLikeGo(t *testing.T) {
	for n := range 3000 {
		s := append([]int16(nil), make([]int16, n)...)
		kept = s
		require.EqualValues(t, cap(s), roundUpSize(nextSliceCap(int64(n), 0)*2, false)/2, "%d elements", n)
		p := append(make([]*int, 10), make([]*int, n)...)
		kept = p
		if n > 0 {
			require.EqualValues(t, cap(p), roundUpSize(nextSliceCap(int64(n)+10, 10)*8, true)/8, "10+%d elements", n)
		}
	}
	for n := range 200 {
		b := []byte(string(make([]byte, n)))
		kept = b
		assert.EqualValues(t, cap(b), roundUpSize(int64(n), false), "[]byte of a string of %d bytes", n)
	}
}

// hostCall runs a host function on a block of words.
func hostCall(t *testing.T, l *loader, h Host, words ...uint64) (*Context, Trap, func(i int) uint64) {
	addr, _ := l.alloc(20 * 8)
	for i, w := range words {
		l.m.SetWord(addr+Addr(8*i), w)
	}
	var c Context
	trap := hosts[h](l.th, &c, addr)
	return &c, trap, func(i int) uint64 { return l.m.Word(addr + Addr(8*i)) }
}

// TestBadAddresses: whatever addresses a program hands over, a host function
// faults and does not panic.
func TestBadAddresses(t *testing.T) {
	l := newLoader(t)
	bad := []uint64{0, 8, NilPage - 1, 1 << 40, 1<<64 - 8, uint64(l.m.Size()) - 1}
	for h := range Host(len(hosts)) {
		for _, a := range bad {
			words := make([]uint64, 12)
			for i := range words {
				words[i] = a
				if i%2 == 1 {
					words[i] = 1 << 30
				}
			}
			_, trap, _ := hostCall(t, l, h, words...)
			assert.Contains(t, []Trap{TrapNone, TrapFault, TrapPanic, TrapGopanic, TrapOutOfMemory, TrapBadInstr}, trap, "host function %d", h)
		}
	}
	c, trap, _ := hostCall(t, l, HostConcat, 5, 10, 5, 10)
	assert.Equal(t, TrapFault, trap)
	assert.EqualValues(t, 5, c.Fault)
	c.Trap = trap
	assert.Equal(t, "runtime error: invalid memory address or nil pointer dereference", (&Machine{}).RuntimeError(c))
}

// TestOutOfMemory: what finds no room says so, and how much it wanted.
func TestOutOfMemoryInHosts(t *testing.T) {
	l := newLoader(t)
	size := uint64(l.m.Size())
	at := uint64(NilPage)
	tests := []struct {
		host  Host
		words []uint64
		want  int64
	}{
		{HostMakeSlice, []uint64{size, size, layout1}, int64(size)},
		{HostMakeSlice, []uint64{0, size / 8, layout8}, int64(size)},
		{HostGrowSlice, []uint64{0, 0, 0, size, layout8, 0}, int64(size) * 8},
		{HostConcat, []uint64{at, size - 2*at, at, size - 2*at}, int64(2 * (size - 2*at))},
		{HostStringToRunes, []uint64{at, size - 2*at}, int64(4 * (size - 2*at))},
	}
	for _, test := range tests {
		c, trap, _ := hostCall(t, l, test.host, test.words...)
		assert.Equal(t, TrapOutOfMemory, trap, "host function %d", test.host)
		assert.InDelta(t, test.want, int64(c.Fault), NilPage, "host function %d", test.host)
	}
	_, trap, _ := hostCall(t, l, HostGrowSlice, 0, 0, 0, 1<<62, layout8, 0)
	assert.Equal(t, TrapOutOfMemory, trap, "a length that overflows")
}

func TestMakeSlicePanics(t *testing.T) {
	l := newLoader(t)
	minus := ^uint64(0)
	for _, test := range []struct {
		length, room, layout uint64
		want                 PanicCode
	}{
		{minus, 5, layout8, PanicMakeSliceLen},
		{1 << 62, 1 << 62, layout8, PanicMakeSliceLen},
		{5, 2, layout8, PanicMakeSliceCap},
		{5, minus, layout8, PanicMakeSliceCap},
		{5, 1 << 60, layout8, PanicMakeSliceCap},
	} {
		c, trap, _ := hostCall(t, l, HostMakeSlice, test.length, test.room, test.layout)
		assert.Equal(t, TrapPanic, trap)
		assert.Equal(t, test.want, c.Panic)
	}
	_, trap, _ := hostCall(t, l, HostMakeSlice, 1<<40, 1<<41, layout0)
	assert.Equal(t, TrapNone, trap, "elements of no bytes fit in any number")
}
