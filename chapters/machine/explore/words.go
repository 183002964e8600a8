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

// A word is one word of one machine's memory.
type word struct {
	memory *machine.Memory
	addr   machine.Addr
}

// words knows the ids of those that were used in this execution.
type words struct {
	ids map[word]machine.ID
	all []named // in the order of their ids
}

type named struct {
	id   machine.ID
	addr machine.Addr
}

func (w *words) clear() {
	clear(w.ids)
	w.all = w.all[:0]
}

// addr returns where the word with an id is; ok is false if that is the id of something else.
func (w *words) addr(id machine.ID) (addr machine.Addr, ok bool) {
	i, ok := slices.BinarySearchFunc(w.all, id, func(n named, id machine.ID) int { return cmp.Compare(n.id, id) })
	if !ok {
		return 0, false
	}
	return w.all[i].addr, true
}

// id returns the id of the word that addr is in.
func (w *words) id(m *machine.Memory, addr machine.Addr) machine.ID {
	key := word{m, addr &^ (wordSize - 1)}
	id, ok := w.ids[key]
	if !ok {
		if w.ids == nil {
			w.ids = map[word]machine.ID{}
		}
		id = machine.NewID()
		w.ids[key] = id
		w.all = append(w.all, named{id, key.addr})
	}
	return id
}

// Word is of machine.MemoryHook, as are Memory and Given.
func (x *explorer) Word(m *machine.Memory, addr machine.Addr) machine.ID {
	return x.words.id(m, addr)
}

func (x *explorer) Memory(m *machine.Memory, addr machine.Addr, n int64, write bool) {
	t := x.cur
	if t == nil || x.phase == ending || !x.uses(t, write) {
		return
	}
	var ids []machine.ID
	for at := addr &^ (wordSize - 1); at < addr+machine.Addr(n); at += wordSize {
		id := x.words.id(m, at)
		x.object(id)
		ids = append(ids, id)
	}
	if x.record != nil {
		x.record.memory(t, ids, addr, write)
	}
	for _, id := range ids {
		x.useCell(t, id, write)
	}
}

// Given forgets what was done to memory before it is given out again.
func (x *explorer) Given(m *machine.Memory, addr machine.Addr, n int64) {
	for at := addr; at < addr+machine.Addr(n); at += wordSize {
		if id, ok := x.words.ids[word{m, at}]; ok {
			x.object(id).cell = cell{}
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
