package explore_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	. "gosched/chapters/machine/explore"
)

// A slot is a word of memory in which one thread gives another a value.
type slot struct {
	m    *machine.Machine
	note machine.Note
	addr machine.Addr
}

func newSlot(m *Model) *slot {
	mach, err := machine.New(&machine.Program{}, machine.Options{MemBytes: machine.MinMemBytes})
	require.NoError(m, err)
	st, ok := mach.StackAlloc(machine.MinStack)
	require.True(m, ok)
	m.ShowAddr(func(addr machine.Addr) string {
		if addr == st.Lo+16 {
			return "G2's slot"
		}
		return ""
	})
	return &slot{m: mach, addr: st.Lo + 16}
}

func (s *slot) send(early bool) {
	if early {
		s.note.Wakeup()
	}
	s.m.SetWord(s.addr, 42)
	if !early {
		s.note.Wakeup()
	}
}

func (s *slot) receive(m *Model) {
	s.note.Sleep()
	assert.EqualValues(m, 42, s.m.Word(s.addr))
}

func slotModel(early bool) func(m *Model) {
	return func(m *Model) {
		s := newSlot(m)
		m.Thread("M0", func() { s.send(early) })
		m.Thread("M1", func() { s.receive(m) })
	}
}

// A stack is freed while somebody still writes to it, or afterwards used again.
func stackFreeModel(again bool) func(m *Model) {
	return func(m *Model) {
		s := newSlot(m)
		st := machine.Stack{Lo: s.addr - 16, Hi: s.addr - 16 + machine.MinStack}
		m.Thread("M0", func() { s.m.StackFree(st) })
		m.Thread("M1", func() {
			if again {
				if st, ok := s.m.StackAlloc(machine.MinStack); ok {
					s.m.Clear(st.Lo, machine.MinStack)
				}
				return
			}
			s.m.Copy(s.addr, s.addr+64, 24)
		})
	}
}

// A count in memory, which two threads take from as one atomic step, or in two.
func countModel(atomic bool) func(m *Model) {
	return func(m *Model) {
		s := newSlot(m)
		s.m.AddUint32(s.addr, 1)
		taken := 0
		take := func() {
			n := s.m.LoadUint32(s.addr)
			switch {
			case n == 0:
				return
			case !atomic:
				s.m.AddUint32(s.addr, ^uint32(0))
			case !s.m.CompareAndSwapUint32(s.addr, n, n-1):
				return
			}
			taken++
		}
		m.Thread("M0", take)
		m.Thread("M1", take)
		m.Check(func() { assert.Equal(m, 1, taken, "how many have taken the one") })
	}
}

// A word that nobody is given, because it is there from the beginning: whoever wrote it in the
// execution before has nothing to do with this one.
func dataModel(m *Model) {
	mach, err := machine.New(&machine.Program{Data: make([]byte, 8)}, machine.Options{MemBytes: machine.MinMemBytes})
	require.NoError(m, err)
	var mu machine.Mutex
	for _, name := range []string{"M0", "M1"} {
		m.Thread(name, func() {
			mu.Lock()
			mach.SetWord(machine.NilPage, mach.Word(machine.NilPage)+1)
			mu.Unlock()
		})
	}
	m.Check(func() { assert.EqualValues(m, 2, mach.Word(machine.NilPage)) })
}

func TestMemory(t *testing.T) {
	for _, model := range []func(m *Model){slotModel(false), stackFreeModel(true), countModel(true), dataModel} {
		r := Explore(Options{}, model)
		assert.Nil(t, r.Failure, "%v", r.Failure)
		assert.True(t, r.Exhaustive)
	}
}

// A watched is a value whose name is written in Cells and atomic variables, and by
// a lock.
type watched struct {
	mu   machine.Mutex
	name machine.Cell[string]
	n    machine.Uint32
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprint(w.name.Get(), w.n.Load())
}

// What is read for a report is no part of the model: neither a step nor a race.
func TestAside(t *testing.T) {
	looked := 0
	model := func(m *Model) {
		w := &watched{}
		var p machine.Pointer[watched]
		m.Show(func(v any) string {
			looked++
			return fmt.Sprint(w)
		})
		m.Thread("writer", func() {
			w.mu.Lock()
			w.name.Set("w")
			w.mu.Unlock()
			w.n.Add(1)
		})
		m.Thread("reader", func() {
			p.Store(w)
			m.Put(w)
			m.Logf("%v", w)
			m.Aside(func() { _ = w.String() })
		})
		m.Check(func() {
			m.Take(p.Load())
			m.Errorf("in the end it is %v", w)
		})
	}
	f := failure(t, Explore(Options{}, model), Violation)
	assert.Equal(t, "in the end it is w1", f.Message)
	assert.Positive(t, looked)
	steps := 0
	for _, s := range f.Steps {
		steps = max(steps, s.Number)
	}
	assert.Equal(t, 4, steps, "%v", f)
	again := failure(t, Explore(Options{Replay: f.Replay}, model), Violation)
	assert.Equal(t, f.String(), again.String())
}
