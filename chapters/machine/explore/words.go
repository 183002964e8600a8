package explore

import (
	"cmp"
	"fmt"
	"slices"

	"gosched/chapters/machine"
)

// The memory of a machine is plain data, as a Cell is, by words of 8 bytes. What
// parts do to the memory of a program, such as to put a value into the slot of a G
// that waits for it, is looked at in this way. What programs do themselves is not.

// wordSize is the number of bytes of a word.
const wordSize = 8

// words knows the ids of those that were used in this execution.
type words struct {
	tables []*table     // of the machines' memories, in the order of their first use
	used   int          // tables of this execution; the others are there to be used again
	all    []named      // in the order of their ids
	row    []machine.ID // what idsOf has returned last
}

// A table holds what is known of the words of one memory: of the word at addr, at
// addr/wordSize. Its id is 0 if it has none yet: only those get one that are used by an atomic
// operation, or that a report is about.
type table struct {
	memory *machine.Memory
	ids    []machine.ID
	cells  []wordCell
}

// A wordCell is a word as a Cell.
type wordCell struct {
	cell
	execution int32 // that it is of: see explorer.word
}

type named struct {
	id   machine.ID
	addr machine.Addr
	in   *table
}

func (w *words) clear() {
	for _, n := range w.all {
		n.in.ids[n.addr/wordSize] = 0
	}
	for _, t := range w.tables[:w.used] {
		t.memory = nil
	}
	w.all, w.used = w.all[:0], 0
}

// addr returns where the word with an id is; ok is false if that is the id of something else.
func (w *words) addr(id machine.ID) (addr machine.Addr, ok bool) {
	i, ok := slices.BinarySearchFunc(w.all, id, func(n named, id machine.ID) int { return cmp.Compare(n.id, id) })
	if !ok {
		return 0, false
	}
	return w.all[i].addr, true
}

// table returns the table of m.
func (w *words) table(m *machine.Memory) *table {
	for _, t := range w.tables[:w.used] {
		if t.memory == m {
			return t
		}
	}
	if w.used == len(w.tables) {
		w.tables = append(w.tables, &table{})
	}
	t := w.tables[w.used]
	w.used++
	t.memory = m
	return t
}

// rangeOf returns which words the n bytes at addr are in.
func rangeOf(addr machine.Addr, n int64) (first, end int) {
	return int(addr / wordSize), int((addr + machine.Addr(n) + wordSize - 1) / wordSize)
}

// idsOf returns the ids of words of t. What it returns is good until it is called again.
func (w *words) idsOf(t *table, first, end int) []machine.ID {
	w.row = w.row[:0]
	for i := first; i < end; i++ {
		w.row = append(w.row, w.id(t, i))
	}
	return w.row
}

// reach makes room for so many words.
func (t *table) reach(n int) {
	if n > len(t.ids) {
		t.ids = append(t.ids, make([]machine.ID, n-len(t.ids))...)
		t.cells = append(t.cells, make([]wordCell, n-len(t.cells))...)
	}
}

// id returns the id of a word of t.
func (w *words) id(t *table, i int) machine.ID {
	if t.ids[i] == 0 {
		t.ids[i] = machine.NewID()
		w.all = append(w.all, named{t.ids[i], machine.Addr(i) * wordSize, t})
	}
	return t.ids[i]
}

// Word is of machine.MemoryHook, as are Memory and Given.
func (x *explorer) Word(m *machine.Memory, addr machine.Addr) machine.ID {
	t, i := x.words.table(m), int(addr/wordSize)
	t.reach(i + 1)
	return x.words.id(t, i)
}

// Memory looks at each word. Where the bytes are not all m's, what follows panics.
func (x *explorer) Memory(m *machine.Memory, addr machine.Addr, n int64, write bool) {
	t := x.cur
	if t == nil || x.phase == ending || !inside(m, addr, n) || !x.uses(t, write) {
		return
	}
	words := x.words.table(m)
	first, end := rangeOf(addr, n)
	words.reach(end)
	if x.record != nil {
		x.record.memory(t, x.words.idsOf(words, first, end), addr, write)
	}
	for i := first; i < end; i++ {
		if other, otherWrote, ok := x.word(&words.cells[i]).use(t, write); !ok {
			x.race(t, x.words.id(words, i), write, other, otherWrote)
		}
	}
}

// word returns c, which begins anew at its first use in an execution.
func (x *explorer) word(c *wordCell) *cell {
	if c.execution != x.resets {
		c.execution = x.resets
		c.forget()
	}
	return &c.cell
}

// inside reports whether the n bytes at addr are in m.
func inside(m *machine.Memory, addr machine.Addr, n int64) bool {
	return addr <= machine.Addr(m.Size()) && n <= m.Size()-int64(addr)
}

// Given forgets what was done to memory before it is given out again.
func (x *explorer) Given(m *machine.Memory, addr machine.Addr, n int64) {
	cells := x.words.table(m).cells
	first, end := rangeOf(addr, n)
	for i := first; i < min(end, len(cells)); i++ {
		cells[i].forget()
	}
}

// ShowAddr sets how addresses in a machine's memory are written in a report, such
// as "G2's slot". The function returns "" for what it does not know.
func (m *Model) ShowAddr(show func(addr machine.Addr) string) { m.showAddr = show }

// addrName is how an address stands in a report, "" if the model does not say.
func (m *Model) addrName(addr machine.Addr) (name string) {
	if m.showAddr != nil {
		m.Aside(func() { name = m.showAddr(addr) })
	}
	return name
}

// addrInRow names an address in the lanes, and addrInSentence before them.
func (m *Model) addrInRow(addr machine.Addr) string {
	return shorten(cmp.Or(m.addrName(addr), fmt.Sprintf("%#x", uint64(addr))), maxValue)
}

func (m *Model) addrInSentence(addr machine.Addr) string {
	return cmp.Or(m.addrName(addr), fmt.Sprintf("the word at %#x of the machine's memory", uint64(addr)))
}
