package machine

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// A map is an object of six words. Its entries lie in one array in the order in
// which they came; the table finds them by the hash of their key. An array that
// is full is replaced by a new one without the deleted entries. The old one
// stays as it is, so an iteration that began on it can go on: it asks the map
// whether a key is still there.
//
// An entry is its hash, 0 if it is deleted, the key and the value. The table
// holds 4-byte numbers of entries, counted from 1, and 0 where it is free.
const (
	mapCount   = 8 * iota // entries that are not deleted: len
	mapEntries            // address of the array
	mapUsed               // entries in the array, the deleted ones too
	mapRoom               // entries that the array has room for
	mapTable              // address of the table, of 2*room numbers
	mapRandom             // state of the random numbers for iterations
	mapBytes
)

// MapLayout returns the size of a map, and for each word whether it holds an address.
func MapLayout() (size int64, pointers []bool) {
	pointers = make([]bool, mapBytes/8)
	pointers[mapEntries/8], pointers[mapTable/8] = true, true
	return mapBytes, pointers
}

// minMapRoom is the room of the first array of a map, a power of two.
const minMapRoom = 8

// A hmap is a map at work.
type hmap struct {
	b    block
	t    *Type
	addr Addr
	bad  *Type // a type without equality that was met in a key
}

// hmap returns the map whose type id and address are in slots 0 and 1.
func (b block) hmap() *hmap {
	return &hmap{b: b, t: b.t.m.typeByID(b.word(0)), addr: Addr(b.word(1))}
}

func (h *hmap) word(field Addr) uint64 {
	return wordAt(h.b.t.m.checked(uint64(h.addr+field), 8))
}

func (h *hmap) set(field Addr, v uint64) {
	binary.LittleEndian.PutUint64(h.b.t.m.checked(uint64(h.addr+field), 8), v)
}

// setAddress is set for a field that holds an address.
func (h *hmap) setAddress(field Addr, v uint64) {
	if h.b.t.m.marking {
		h.b.t.m.barrier(h.addr+field, v)
	}
	h.set(field, v)
}

func pad8(n int64) int64 { return (n + 7) &^ 7 }

// Sizes and offsets of an entry.
func (t *Type) entryValue() int64 { return 8 + pad8(t.Key.Size) }
func (t *Type) entryBytes() int64 { return t.entryValue() + pad8(t.Elem.Size) }

// entry returns the i-th entry of an array.
func (h *hmap) entry(array uint64, i uint64) []byte {
	size := h.t.entryBytes()
	return h.b.t.m.checked(array+i*uint64(size), size)
}

func (h *hmap) key(entry []byte) []byte { return entry[8 : 8+h.t.Key.Size] }

// argument returns the key in the slots from 2 on.
func (h *hmap) argument() []byte { return h.b.t.m.checked(uint64(h.b.args+16), h.t.Key.Size) }

// result is the slot after it.
func (h *hmap) result() int { return 2 + int(pad8(h.t.Key.Size)/8) }

// find returns the index of the entry with the given key and hash.
func (h *hmap) find(key []byte, hash uint64) (i uint64, ok bool) {
	if h.addr == 0 || h.word(mapRoom) == 0 {
		return 0, false
	}
	array, room, table := h.word(mapEntries), h.word(mapRoom), h.word(mapTable)
	numbers := h.b.t.m.checked(table, int64(8*room))
	mask := 2*room - 1
	for at := hash & mask; ; at = (at + 1) & mask {
		n := binary.LittleEndian.Uint32(numbers[4*at:])
		if n == 0 {
			return 0, false
		}
		entry := h.entry(array, uint64(n-1))
		if wordAt(entry) != hash {
			continue
		}
		if equal, _ := h.b.t.m.equal(h.t.Key, h.key(entry), key); equal {
			return uint64(n - 1), true
		}
	}
}

// insert adds an entry to the table.
func (h *hmap) insert(i, hash uint64) {
	room := h.word(mapRoom)
	numbers := h.b.t.m.checked(h.word(mapTable), int64(8*room))
	mask := 2*room - 1
	at := hash & mask
	for binary.LittleEndian.Uint32(numbers[4*at:]) != 0 {
		at = (at + 1) & mask
	}
	binary.LittleEndian.PutUint32(numbers[4*at:], uint32(i+1))
}

// grow gives the map a new array with room for at least n entries.
func (h *hmap) grow(n uint64) Trap {
	room := uint64(minMapRoom)
	for room < n {
		room *= 2
	}
	size := h.t.entryBytes()
	if room > math.MaxUint32 || int64(room) > maxMakeBytes/size {
		h.b.c.Fault = maxMakeBytes
		return TrapOutOfMemory
	}
	entries, _, trap := h.b.alloc(int64(room)*size, kind(h.t.Entry))
	if trap != TrapNone {
		return trap
	}
	table, _, trap := h.b.alloc(8*int64(room), 0)
	if trap != TrapNone {
		return trap
	}
	old, used := h.word(mapEntries), h.word(mapUsed)
	h.setAddress(mapEntries, uint64(entries)) // so what is in the old ones is kept
	h.setAddress(mapTable, uint64(table))
	h.set(mapRoom, room)
	live := uint64(0)
	for i := range used {
		entry := h.entry(old, i)
		if hash := wordAt(entry); hash != 0 {
			copy(h.entry(uint64(entries), live), entry)
			h.insert(live, hash)
			live++
		}
	}
	h.set(mapUsed, live)
	return TrapNone
}

// random returns the next random number of the map.
func (h *hmap) random() uint64 {
	s := h.word(mapRandom) + 0x9e3779b97f4a7c15
	h.set(mapRandom, s)
	return mix(s)
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash returns the hash of a key, never 0, and notes a part without equality.
func (h *hmap) hash(key []byte) uint64 {
	return h.add(0, h.t.Key, key) | 1
}

// add adds a value to a hash.
func (h *hmap) add(hash uint64, t *Type, x []byte) uint64 {
	m := h.b.t.m
	bytes := func(x []byte) uint64 {
		for ; len(x) >= 8; x = x[8:] {
			hash = mix(hash ^ wordAt(x))
		}
		for _, c := range x {
			hash = mix(hash ^ uint64(c) ^ 0x100)
		}
		return hash
	}
	float := func(f float64) uint64 {
		switch {
		case f == 0:
			f = 0 // the two zeros are equal
		case f != f:
			return mix(hash ^ h.random()) // never found again
		}
		return mix(hash ^ math.Float64bits(f))
	}
	switch t.Kind {
	case KindString:
		return bytes(m.bytesAt(x, 1))
	case KindFloat32:
		return float(float64(float32At(x)))
	case KindFloat64:
		return float(float64At(x))
	case KindInterface:
		id := wordAt(x)
		if id == 0 {
			return mix(hash)
		}
		dyn := m.typeByID(id)
		if bad := dyn.uncomparable(); bad != nil {
			h.bad = bad
			return hash
		}
		return h.add(mix(hash^id), dyn, m.dynamic(dyn, x))
	case KindArray:
		for i := range t.Len {
			hash = h.add(hash, t.Elem, x[i*t.Elem.Size:(i+1)*t.Elem.Size])
		}
		return hash
	case KindStruct:
		for _, f := range t.Fields {
			if f.Name != "_" {
				hash = h.add(hash, f.Type, x[f.Offset:f.Offset+f.Type.Size])
			}
		}
		return hash
	}
	return bytes(x[:t.Size])
}

// lookup is find for the key in the slots; it panics if it cannot be hashed. As in
// Go, the words depend on whether an empty map is only looked at.
func (h *hmap) lookup(looks bool) (i, hash uint64, ok bool, trap Trap) {
	key := h.argument()
	empty := h.addr == 0 || h.word(mapCount) == 0
	if h.addr != 0 {
		hash = h.hash(key)
	} else {
		h.checkKey(h.t.Key, key)
	}
	switch {
	case h.bad != nil && empty && looks:
		return 0, 0, false, h.b.panicText(PanicPlain, "hash of unhashable type: "+h.bad.Name)
	case h.bad != nil:
		return 0, 0, false, h.b.panicText(PanicError, "hash of unhashable type "+h.bad.Name)
	}
	i, ok = h.find(key, hash)
	return i, hash, ok, TrapNone
}

// checkKey notes a part without equality in the key of a nil map, which has no
// random numbers.
func (h *hmap) checkKey(t *Type, x []byte) {
	switch t.Kind {
	case KindInterface:
		if id := wordAt(x); id != 0 {
			dyn := h.b.t.m.typeByID(id)
			if h.bad = dyn.uncomparable(); h.bad == nil {
				h.checkKey(dyn, h.b.t.m.dynamic(dyn, x))
			}
		}
	case KindArray:
		for i := int64(0); i < t.Len && h.bad == nil; i++ {
			h.checkKey(t.Elem, x[i*t.Elem.Size:(i+1)*t.Elem.Size])
		}
	case KindStruct:
		for i := 0; i < len(t.Fields) && h.bad == nil; i++ {
			f := t.Fields[i]
			h.checkKey(f.Type, x[f.Offset:f.Offset+f.Type.Size])
		}
	}
}

// valueAt returns the address of the value of entry i.
func (h *hmap) valueAt(array, i uint64) uint64 {
	return array + i*uint64(h.t.entryBytes()) + uint64(h.t.entryValue())
}

func hostMakeMap(b block) Trap {
	addr, _, trap := b.alloc(mapBytes, kind(b.t.m.Program.MapLayout))
	if trap != TrapNone {
		return trap
	}
	hint := int64(b.word(1))
	b.set(1, uint64(addr))
	h := b.hmap()
	h.set(mapRandom, uint64(addr))
	if hint > minMapRoom && hint < 1<<20 {
		if trap := h.grow(uint64(hint)); trap != TrapNone {
			b.set(1, uint64(hint))
			return trap
		}
	}
	return TrapNone
}

func hostMapAccess(b block) Trap {
	h := b.hmap()
	i, _, ok, trap := h.lookup(true)
	if trap != TrapNone {
		return trap
	}
	at := uint64(0)
	if ok {
		at = h.valueAt(h.word(mapEntries), i)
	}
	b.set(h.result(), at)
	return TrapNone
}

func hostMapAssign(b block) Trap {
	h := b.hmap()
	if h.addr == 0 {
		return b.panicText(PanicPlain, "assignment to entry in nil map")
	}
	i, hash, ok, trap := h.lookup(false)
	if trap != TrapNone {
		return trap
	}
	if !ok {
		if i = h.word(mapUsed); i == h.word(mapRoom) {
			if trap := h.grow(2 * h.word(mapCount)); trap != TrapNone {
				return trap
			}
			i = h.word(mapUsed)
		}
		binary.LittleEndian.PutUint64(h.entry(h.word(mapEntries), i), hash)
		h.insert(i, hash)
		h.set(mapUsed, i+1)
		h.set(mapCount, h.word(mapCount)+1)
	}
	entries := h.word(mapEntries)
	key := h.key(h.entry(entries, i))
	if b.t.m.marking {
		at := Addr(entries + i*uint64(h.t.entryBytes()) + 8)
		b.t.m.bulkBarrier(at, b.args+16, int64(len(key)))
	}
	copy(key, h.argument()) // equal keys may differ, as +0 and -0
	b.set(h.result(), h.valueAt(entries, i))
	return TrapNone
}

func hostMapDelete(b block) Trap {
	h := b.hmap()
	i, _, ok, trap := h.lookup(true)
	if ok {
		binary.LittleEndian.PutUint64(h.entry(h.word(mapEntries), i), 0)
		h.set(mapCount, h.word(mapCount)-1)
	}
	return trap
}

func hostMapClear(b block) Trap {
	if h := b.hmap(); h.addr != 0 {
		for _, field := range []Addr{mapEntries, mapTable} {
			h.setAddress(field, 0)
		}
		for _, field := range []Addr{mapCount, mapUsed, mapRoom} {
			h.set(field, 0)
		}
	}
	return TrapNone
}

// An iteration visits the n entries of an array, each time a stride further,
// where n and the stride have no divisor in common.
func hostMapIterate(b block) Trap {
	h := b.hmap()
	array, n, at, stride := uint64(0), uint64(0), uint64(0), uint64(0)
	if h.addr != 0 && h.word(mapUsed) > 0 {
		array, n = h.word(mapEntries), h.word(mapUsed)
		at, stride = h.random()%n, 1+h.random()%n
		for gcd(n, stride) != 1 {
			stride++
		}
	}
	for i, v := range []uint64{array, n, at, stride, n} {
		b.set(2+i, v)
	}
	return TrapNone
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func hostMapNext(b block) Trap {
	h := b.hmap()
	array, n, at, stride, left := b.word(2), b.word(3), b.word(4), b.word(5), b.word(6)
	key, value := uint64(0), uint64(0)
	for ; left > 0 && key == 0; left-- {
		if array == h.word(mapEntries) {
			if wordAt(h.entry(array, at)) != 0 {
				key, value = array+at*uint64(h.t.entryBytes())+8, h.valueAt(array, at)
			}
		} else {
			key, value = h.moved(array, at)
		}
		at = (at + stride) % n
	}
	b.set(4, at)
	b.set(6, left)
	b.set(7, key)
	b.set(8, value)
	return TrapNone
}

// moved returns where key and value of entry i of an old array are now, 0 if it
// is deleted.
func (h *hmap) moved(array, i uint64) (key, value uint64) {
	entry := h.entry(array, i)
	hash := wordAt(entry)
	if hash == 0 || h.word(mapCount) == 0 {
		return 0, 0
	}
	now, ok := h.find(h.key(entry), hash)
	if !ok {
		return 0, 0
	}
	array = h.word(mapEntries)
	return array + now*uint64(h.t.entryBytes()) + 8, h.valueAt(array, now)
}

// mapping formats a map, sorted by key.
func (p *printer) mapping(op operand, s spec, depth int) {
	t := op.t
	addr := wordAt(op.x)
	open, sep, end := "map[", " ", "]"
	if s.sharpV {
		if addr == 0 {
			p.buf = append(p.buf, t.Name+"(nil)"...)
			return
		}
		open, sep, end = t.Name+"{", ", ", "}"
	}
	p.buf = append(p.buf, open...)
	for i, entry := range p.sorted(t, addr, op.hidden) {
		if i > 0 {
			p.buf = append(p.buf, sep...)
		}
		p.value(entry.part(t.Key, 8), s, depth+1)
		p.buf = append(p.buf, ':')
		p.value(entry.part(t.Elem, t.entryValue()), s, depth+1)
	}
	p.buf = append(p.buf, end...)
}

// sorted returns the entries of the map at addr in the order of their keys.
func (p *printer) sorted(t *Type, addr uint64, hidden bool) (entries []operand) {
	if addr == 0 {
		return nil
	}
	head := p.m.checked(addr, mapBytes)
	array, used, size := wordAt(head[mapEntries:]), wordAt(head[mapUsed:]), t.entryBytes()
	for i := range used {
		at := array + i*uint64(size)
		if mem := p.m.checked(at, size); wordAt(mem) != 0 {
			entries = append(entries, operand{t, mem, Addr(at), hidden})
		}
	}
	slices.SortStableFunc(entries, func(a, b operand) int {
		return p.m.compareKeys(t.Key, a.x[8:8+t.Key.Size], b.x[8:8+t.Key.Size])
	})
	return entries
}

// compareKeys orders values as fmt orders the keys of a map.
func (m *Machine) compareKeys(t *Type, x, y []byte) int {
	order := func(less, more bool) int {
		return int(bit(more)) - int(bit(less))
	}
	switch t.Kind {
	case KindInt, KindInt8, KindInt16, KindInt32, KindInt64:
		a, b := signedAt(x[:t.Size]), signedAt(y[:t.Size])
		return order(a < b, a > b)
	case KindFloat32:
		return compareFloats(float64(float32At(x)), float64(float32At(y)))
	case KindFloat64:
		return compareFloats(float64At(x), float64At(y))
	case KindString:
		return strings.Compare(string(m.bytesAt(x, 1)), string(m.bytesAt(y, 1)))
	case KindArray:
		for i := range t.Len {
			at, end := i*t.Elem.Size, (i+1)*t.Elem.Size
			if c := m.compareKeys(t.Elem, x[at:end], y[at:end]); c != 0 {
				return c
			}
		}
		return 0
	case KindStruct:
		for _, f := range t.Fields {
			at, end := f.Offset, f.Offset+f.Type.Size
			if c := m.compareKeys(f.Type, x[at:end], y[at:end]); c != 0 {
				return c
			}
		}
		return 0
	case KindInterface:
		a, b := wordAt(x), wordAt(y)
		if a != b || a == 0 {
			return order(a < b, a > b) // nil first; fmt orders types by their addresses
		}
		dyn := m.typeByID(a)
		return m.compareKeys(dyn, m.dynamic(dyn, x), m.dynamic(dyn, y))
	}
	a, b := unsignedAt(x[:t.Size]), unsignedAt(y[:t.Size])
	return order(a < b, a > b)
}

// compareFloats orders NaN below all others.
func compareFloats(a, b float64) int {
	switch {
	case a < b || a != a && b == b:
		return -1
	case a > b || a == a && b != b:
		return 1
	}
	return 0
}
