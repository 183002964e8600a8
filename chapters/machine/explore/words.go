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
	row    []machine.ID // what ids has returned last
}

// A table holds the ids of the words of one memory: that of the word at addr is at
// addr/wordSize, and 0 if it has none yet.
type table struct {
	memory *machine.Memory
	ids    []machine.ID
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

// ids returns the ids of the words that the n bytes at addr are in. They are m's own bytes. What
// it returns is good until it is called again.
func (w *words) ids(m *machine.Memory, addr machine.Addr, n int64) []machine.ID {
	t := w.table(m)
	first, end := int(addr/wordSize), int((addr+machine.Addr(n)+wordSize-1)/wordSize)
	t.reach(end)
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
	ids := x.words.ids(m, addr, n)
	for _, id := range ids {
		x.object(id)
	}
	if x.record != nil {
		x.record.memory(t, ids, addr, write)
	}
	for _, id := range ids {
		x.useCell(t, id, write)
	}
}

// inside reports whether the n bytes at addr are in m.
func inside(m *machine.Memory, addr machine.Addr, n int64) bool {
	return addr <= machine.Addr(m.Size()) && n <= m.Size()-int64(addr)
}

// Given forgets what was done to memory before it is given out again.
func (x *explorer) Given(m *machine.Memory, addr machine.Addr, n int64) {
	ids := x.words.table(m).ids
	first, end := int(addr/wordSize), int((addr+machine.Addr(n)+wordSize-1)/wordSize)
	for i := first; i < min(end, len(ids)); i++ {
		if ids[i] != 0 {
			x.object(ids[i]).forget()
		}
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
