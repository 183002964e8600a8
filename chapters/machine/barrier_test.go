package machine

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What an instruction overwrites and what it stores, if it is an address, are both kept when
// a collection marks, wherever that is.
func TestWriteBarrier(t *testing.T) {
	for name, i := range map[string]Instr{
		"STP":                   Enc(STP, 0, 1, 2, 8),
		"AST":                   Enc(AST, uint8(WidthPointer), 1, 2, 8),
		"ASWAP":                 Enc(ASWAP, uint8(WidthPointer), 0, 3, 2),
		"ACAS":                  Enc(ACAS, uint8(WidthPointer), 0, 3, 4),
		"STB":                   Enc(STB, 16, 1, 6, 0),
		"STB, and no slot more": Enc(STB, 8, 1, 6, 0),
		"ST64":                  Enc(ST64, 0, 1, 2, 8),
		"AST, a number":         Enc(AST, uint8(Width64), 1, 2, 8),
		"COPY":                  Enc(COPY, 0, 1, 8, 9),
		"CLR":                   Enc(CLR, 0, 1, 9, 0),
	} {
		for _, place := range []string{"object", "variable", "stack"} {
			t.Run(name+"/"+place, func(t *testing.T) {
				b := newBuilder()
				b.data(0, 0)
				b.p.Pointers = []uint64{2}
				b.fn("main.main", 32, 0)
				b.emit(i)
				b.trap(TrapGosched, 0)
				m := newMachine(t, b.program())
				c, st := start(t, m, MinStack)
				th := m.NewThread()
				th.RunN(c, 1)
				object := func() Addr {
					addr, ok := th.malloc(16, kind(layoutPair))
					require.True(t, ok)
					return addr
				}
				last, now := object(), object()
				at := map[string]Addr{"object": object(), "variable": NilPage, "stack": st.Lo}[place]
				m.SetWord(at+8, uint64(last))
				from := object()
				m.SetWord(from+8, uint64(now))
				in := slots{1: uint64(at), 2: uint64(now), 3: uint64(at) + 8,
					4: uint64(last), 5: uint64(now), 7: uint64(now), 8: uint64(from), 9: 16}
				for k, v := range in {
					m.SetWord(c.SP+8*Addr(k), v)
				}
				m.GCStart()
				_, trap := th.RunN(c, 1)
				require.Equal(t, TrapBudget, trap)
				stored, bulk := false, false
				switch i.Op() {
				case STP, ASWAP, ACAS:
					stored = true
				case AST:
					stored = Width(i.X()) == WidthPointer
				default:
					bulk = i.X() == 16 || i.Op() == COPY || i.Op() == CLR
					stored = bulk && place != "stack" // there it does not ask
				}
				assert.Equal(t, stored, m.GCMarked(last), "the old one")
				assert.Equal(t, stored && i.Op() != CLR, m.GCMarked(now), "the new one")
				if stored || bulk {
					want := uint64(now)
					if i.Op() == CLR {
						want = 0
					}
					assert.Equal(t, want, m.Word(at+8))
				}
			})
		}
	}
}

// A value of a type is kept wherever the runtime moves it.
func TestBulkBarrierPreWrite(t *testing.T) {
	m := newMachine(t, &Program{Layouts: testLayouts})
	th := m.NewThread()
	var all [3]Addr
	for i := range all {
		all[i], _ = th.malloc(16, kind(layoutPair))
	}
	st, ok := m.StackAlloc(MinStack)
	require.True(t, ok)
	typ := &Type{Size: 16, Layout: layoutPair}
	m.SetWord(st.Lo+8, uint64(all[0]))
	m.SetWord(st.Lo+24, uint64(all[1]))
	m.BulkBarrierPreWrite(typ, st.Lo, st.Lo+16)
	m.GCStart()
	assert.False(t, m.GCMarked(all[0]) || m.GCMarked(all[1]), "none before GCStart")
	m.BulkBarrierPreWrite(&Type{Size: 16}, st.Lo, st.Lo+16)
	assert.False(t, m.GCMarked(all[0]) || m.GCMarked(all[1]), "a type without addresses")
	m.BulkBarrierPreWrite(typ, st.Lo+16, 0)
	assert.True(t, m.GCMarked(all[1]) && !m.GCMarked(all[0]), "what is cleared")
	m.BulkBarrierPreWrite(typ, st.Lo, st.Lo+16)
	assert.True(t, m.GCMarked(all[0]), "what is overwritten")
	m.GCMark(1 << 20)
	m.GCSweep()
	m.GCStart()
	m.BulkBarrierPreWrite(typ, st.Lo, st.Lo+16)
	assert.True(t, m.GCMarked(all[0]) && m.GCMarked(all[1]), "what is stored")
}

// Several markers find all of a graph, once, while a thread makes objects and changes it.
func TestMarkersTogether(t *testing.T) {
	const objects = 20_000
	m, err := New(&Program{Layouts: testLayouts}, Options{MemBytes: 16 << 20, PoisonFreed: true})
	require.NoError(t, err)
	th := m.NewThread()
	object := func(next Addr) Addr {
		addr, ok := th.malloc(16, kind(layoutPair))
		require.True(t, ok)
		m.SetWord(addr+8, uint64(next))
		return addr
	}
	heads := make([]Addr, 8)
	for n := range objects {
		heads[n%8] = object(heads[n%8])
		object(0) // garbage
	}
	m.GCStart()
	for _, head := range heads {
		m.GCShade(head)
	}
	var markers sync.WaitGroup
	var scanned [3]int64
	for i := range scanned {
		markers.Go(func() {
			for done := false; !done; {
				n, d := m.GCMark(1000)
				scanned[i], done = scanned[i]+n, d
			}
		})
	}
	made := 0
	for ; made < 1000; made++ {
		object(0)
	}
	markers.Wait()
	assert.False(t, m.GCWorkAvailable())
	assert.EqualValues(t, 16*objects, scanned[0]+scanned[1]+scanned[2], "bytes, each once")
	assert.Empty(t, m.GCFinalizers())
	m.GCSweep()
	assert.EqualValues(t, 16*(objects+made), m.HeapBytes()-th.Unused())
	for n, head := range heads {
		for at := head; at != 0; at = Addr(m.Word(at + 8)) {
			require.NotEqual(t, uint64(HeapPoison), uint64(at), fmt.Sprint("list ", n))
		}
	}
}

// A finalizer and a cleanup that are set while a collection marks are kept, with what they lead to.
func TestSpecialsWhileMarking(t *testing.T) {
	m := newMachine(t, &Program{Layouts: testLayouts})
	th := m.NewThread()
	var all [5]Addr
	for i := range all {
		all[i], _ = th.malloc(16, kind(layoutPair))
	}
	obj, inner, finalizer, cleanup, garbage := all[0], all[1], all[2], all[3], all[4]
	m.SetWord(obj+8, uint64(inner))
	m.GCStart()
	m.SetFinalizer(obj, finalizer)
	m.AddCleanup(obj, cleanup)
	m.GCMark(1 << 20)
	for _, addr := range []Addr{inner, finalizer, cleanup} {
		assert.True(t, m.GCMarked(addr))
	}
	assert.False(t, m.GCMarked(obj) || m.GCMarked(garbage))
}
