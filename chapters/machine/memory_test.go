package machine

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemoryIsAsLargeAsAskedFor(t *testing.T) {
	for ask, want := range map[int64]int64{0: 64 << 20, 65536: 65536, 65537: 65536 + NilPage} {
		m, err := New(&Program{}, Options{MemBytes: ask})
		require.NoError(t, err)
		assert.Equal(t, want, m.Size())
	}
}

func TestValid(t *testing.T) {
	m := newMachine(t, &Program{})
	end := Addr(m.Size())
	for _, tc := range []struct {
		addr Addr
		n    int64
		ok   bool
	}{
		{NilPage, 1, true},
		{NilPage - 1, 1, false},
		{NilPage, int64(end) - NilPage, true},
		{NilPage, int64(end) - NilPage + 1, false},
		{end - 1, 1, true},
		{end, 1, false},
		{end + 8, 1, false},
		{allOnes, 1, false},
		{NilPage, -1, false},
		{0, 0, true},
		{allOnes, 0, true},
	} {
		assert.Equal(t, tc.ok, m.Valid(tc.addr, tc.n), "%#x + %d", uint64(tc.addr), tc.n)
	}
	assert.Panics(t, func() { m.Bytes(end-1, 2) })
	assert.Empty(t, m.Bytes(0, 0))
}

func TestTheSameMemoryAsWordsAndBytes(t *testing.T) {
	b := newBuilder()
	b.fn("main.main", 0, 0)
	b.p.Data = []byte("hello, world")
	m := newMachine(t, b.program())
	assert.Equal(t, "hello", m.String(NilPage, 5))
	assert.Equal(t, uint64('h')|'e'<<8|'l'<<16|'l'<<24|'o'<<32|','<<40|' '<<48|'w'<<56, m.Word(NilPage))
	m.Bytes(NilPage+1, 1)[0] = 'a'
	m.SetWord(NilPage+8, 'x')
	assert.Equal(t, "hallo, wx\x00", m.String(NilPage, 10))
}

// Two threads write neighbouring bytes, halves and words at the same time.
// Neither may touch the other's, which the race detector sees as well.
func TestNarrowStoresByTwoThreads(t *testing.T) {
	const each = 20000
	for _, tc := range []struct {
		op     Op
		width  int
		at     int
		expect uint64
	}{
		{ST8, 1, 3, each & 0xff},
		{ST16, 2, 2, each & 0xffff},
		{ST32, 4, 0, each},
	} {
		b := newBuilder()
		b.data(0, 0)
		const arg = 2 + ArgBase
		b.fn("main.main", 2, 1)
		b.imm(LDI, 0, 0)
		b.label("for")
		b.op(ADDI, 0, 0, 0, 1)
		b.op(tc.op, 0, arg, 0, 0)
		b.jump(JLTI, 0, each, "for")
		b.ret()
		m := newMachine(t, b.program())
		var wg sync.WaitGroup
		for k := range 2 {
			c, _ := start(t, m, 2048, uint64(NilPage+tc.at+k*tc.width))
			wg.Go(func() {
				_, trap := m.NewThread().RunN(c, 1<<40)
				assert.Equal(t, TrapGoexit, trap)
			})
		}
		wg.Wait()
		want := tc.expect<<(8*tc.at) | tc.expect<<(8*(tc.at+tc.width))
		assert.Equal(t, want, m.Word(NilPage), "%v", tc.op)
	}
}

func TestAlloc(t *testing.T) {
	m := newMachine(t, &Program{Data: make([]byte, 13)})
	th := m.NewThread()
	zero, ok := th.Alloc(0)
	require.True(t, ok)
	assert.Equal(t, Addr(NilPage+16), zero)
	again, _ := m.NewThread().Alloc(0)
	assert.Equal(t, zero, again, "objects of no bytes share an address")

	end := zero + 8
	for _, n := range []int64{1, 8, 9, 16, maxSmall, maxSmall + 1, 100_000, 24, 16 << 10, 5} {
		a, ok := th.Alloc(n)
		require.True(t, ok)
		assert.Zero(t, a%8)
		assert.GreaterOrEqual(t, a, end-end%8)
		require.True(t, m.Valid(a, n))
		for _, c := range m.Bytes(a, n) {
			require.Zero(t, c)
		}
		for i := range m.Bytes(a, n) {
			m.Bytes(a, n)[i] = 0xff
		}
	}
	for _, n := range []int64{-1, m.Size(), 1 << 62} {
		_, ok := th.Alloc(n)
		assert.False(t, ok, "%d bytes", n)
	}
}

// TestHeapBytes: what was given to the heap is what threads made of it and what
// they have left, whatever the sizes.
func TestHeapBytes(t *testing.T) {
	m := newMachine(t, &Program{})
	threads := []*Thread{m.NewThread(), m.NewThread()}
	objects := uint64(0)
	for i := range int64(500) {
		n := i * 37 % (maxSmall + 500)
		if _, ok := threads[i%2].Alloc(n); !ok {
			break
		}
		switch {
		case n > maxSmall:
			objects += uint64(n+pageBytes-1) / pageBytes * pageBytes
		case n > 0:
			objects += uint64(classBytes[classOf[(n+7)/8]])
		}
		require.Equal(t, objects, m.HeapBytes()-threads[0].Unused()-threads[1].Unused(), "after an object of %d bytes", n)
	}
	require.Greater(t, objects, uint64(10*maxSpanPages*pageBytes), "many spans")
}

func TestHeapMeetsStacks(t *testing.T) {
	m := newMachine(t, &Program{})
	th := m.NewThread()
	var last Stack
	stacks := 0
	for {
		st, ok := m.StackAlloc(64 << 10)
		if !ok {
			break
		}
		last = st
		stacks++
	}
	assert.Equal(t, 15, stacks, "1 MiB less the nil page")
	objects := 0
	for {
		a, ok := th.Alloc(1000)
		if !ok {
			break
		}
		assert.LessOrEqual(t, a+1000, last.Lo)
		objects++
	}
	assert.Greater(t, objects, 55)
	_, ok := m.StackAlloc(2048)
	assert.False(t, ok)

	// A freed stack serves again: as a smaller one, and the rest as heap.
	for a := last.Lo; a < last.Hi; a += 8 {
		m.SetWord(a, 1)
	}
	m.StackFree(last)
	small, ok := m.StackAlloc(4096)
	require.True(t, ok)
	assert.Equal(t, Stack{last.Lo, last.Lo + 4096}, small)
	got := map[Addr]bool{}
	for {
		a, ok := th.Alloc(1000)
		if !ok {
			break
		}
		assert.GreaterOrEqual(t, a, small.Hi)
		for _, c := range m.Bytes(a, 1000) {
			require.Zero(t, c, "poison in a new object")
		}
		for w := a; w < a+1000; w += 8 {
			require.False(t, got[w], "the word at %#x is in two objects", uint64(w))
			got[w] = true
		}
	}
	assert.GreaterOrEqual(t, len(got), 40*125)
}

// What is given out counts, and what is given back does not.
func TestInUse(t *testing.T) {
	m := newMachine(t, &Program{Data: make([]byte, 100)})
	start := m.InUse()
	assert.GreaterOrEqual(t, start, int64(100))
	small, ok := m.StackAlloc(2048)
	require.True(t, ok)
	large, ok := m.StackAlloc(8192)
	require.True(t, ok)
	assert.Equal(t, int64(10240), m.InUse()-start)
	m.StackFree(large)
	assert.Equal(t, int64(2048), m.InUse()-start)
	_, ok = m.StackAlloc(4096) // a half of the free one
	require.True(t, ok)
	m.StackFree(small)
	assert.Equal(t, int64(4096), m.InUse()-start)
	_, ok = m.NewThread().Alloc(100_000)
	require.True(t, ok)
	assert.Equal(t, int64(98*pageBytes+4096), m.InUse()-start)
	assert.Equal(t, int64(4096), m.StackBytes())
}

func TestStackFreePoisons(t *testing.T) {
	m := newMachine(t, &Program{})
	below, _ := m.StackAlloc(2048)
	st, ok := m.StackAlloc(4096)
	require.True(t, ok)
	assert.Equal(t, Addr(4096), st.Hi-st.Lo)
	m.SetWord(st.Hi, 5)
	m.SetWord(st.Lo-8, 6)
	m.StackFree(st)
	for a := st.Lo; a < st.Hi; a += 8 {
		require.Equal(t, uint64(StackPoison), m.Word(a))
	}
	assert.Equal(t, []uint64{5, 6}, []uint64{m.Word(st.Hi), m.Word(st.Lo - 8)})
	assert.False(t, m.Valid(Addr(m.Word(st.Lo)), 1), "poison is no address")

	again, ok := m.StackAlloc(4096)
	assert.True(t, ok)
	assert.Equal(t, st, again)
	other, _ := m.StackAlloc(4096)
	assert.NotEqual(t, st, other)

	for _, bad := range []Stack{{}, {st.Lo, st.Lo + 100}, {st.Lo, st.Lo + 1024}, {st.Hi, st.Lo}, {1 << 40, 1<<40 + 2048}} {
		assert.PanicsWithValue(t, Fatal{"stackfree: not a stack"}, func() { m.StackFree(bad) })
	}
	m.StackFree(below)
	for _, n := range []int64{0, -2048, 1024, 2047, 3000, 1 << 20, 1 << 50, -1 << 63} {
		_, ok := m.StackAlloc(n)
		assert.False(t, ok, "%d bytes", n)
	}
}

// Spans of the heap go to one thread each.
func TestHeapInParallel(t *testing.T) {
	m, err := New(&Program{}, Options{MemBytes: 8 << 20})
	require.NoError(t, err)
	var wg sync.WaitGroup
	const threads, each = 4, 1500
	for range threads {
		wg.Go(func() {
			for range each {
				a, _ := m.arena.large(8, 0)
				m.SetWord(a, m.Word(a)+1)
			}
		})
	}
	wg.Wait()
	for k := range threads * each {
		require.Equal(t, uint64(1), m.Word(m.zeroBase&^(pageBytes-1)+pageBytes*Addr(k+1)))
	}
}

// Several threads take objects and stacks at the same time; each fills what it
// got with its own mark and finds it whole at the end.
func TestAllocInParallel(t *testing.T) {
	m, err := New(&Program{}, Options{MemBytes: 16 << 20})
	require.NoError(t, err)
	var wg sync.WaitGroup
	const threads, rounds = 4, 300
	for k := range threads {
		wg.Go(func() {
			th := m.NewThread()
			type piece struct{ lo, hi Addr }
			var mine []piece
			mark := uint64(k + 1)
			keep := func(p piece) {
				for a := p.lo; a < p.hi; a += 8 {
					m.SetWord(a, mark)
				}
				mine = append(mine, p)
			}
			for i := range rounds {
				n := int64(8 * (1 + i*7%500))
				a, ok := th.Alloc(n)
				if !assert.True(t, ok) {
					return
				}
				for b := a; b < a+Addr(n); b += 8 {
					if !assert.Zero(t, m.Word(b)) {
						return
					}
				}
				keep(piece{a, a + Addr(n)})
				st, ok := m.StackAlloc(2048 << (i % 3))
				if !assert.True(t, ok) {
					return
				}
				if i%2 == 0 {
					m.StackFree(st)
				} else {
					keep(piece{st.Lo, st.Hi})
				}
			}
			for _, p := range mine {
				for a := p.lo; a < p.hi; a += 8 {
					if !assert.Equal(t, mark, m.Word(a)) {
						return
					}
				}
			}
		})
	}
	wg.Wait()
}
