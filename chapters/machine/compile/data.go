package compile

import (
	"encoding/binary"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// maxData is the size in bytes up to which package variables are accepted.
const maxData = 1 << 30

// A dataSegment is the memory image that the program starts with: constants,
// closures of plain functions, package variables.
type dataSegment struct {
	image   []byte
	strings map[string]machine.Addr
	globals map[*ssa.Global]machine.Addr
	boxes   map[box]machine.Addr
	consts  map[uint64]int
	pool    []uint64
}

// A box is a constant in memory, for interfaces to point to.
type box struct {
	bits int64
	text string
	size int64
}

// reserve returns the address of n new bytes, aligned to 8.
func (c *compiler) reserve(n int64) machine.Addr {
	d := &c.data
	at := (int64(len(d.image)) + 7) &^ 7
	if at+n > maxData {
		c.refuse(0, "package variables too large: more than %d bytes", maxData)
	}
	d.image = append(d.image, make([]byte, at+n-int64(len(d.image)))...)
	return machine.NilPage + machine.Addr(at)
}

func (c *compiler) setWord(at machine.Addr, v uint64) {
	binary.LittleEndian.PutUint64(c.data.image[at-machine.NilPage:], v)
}

// stringAddr returns the address of the bytes of s.
func (c *compiler) stringAddr(s string) machine.Addr {
	if s == "" {
		return 0
	}
	at, ok := c.data.strings[s]
	if !ok {
		at = machine.NilPage + machine.Addr(len(c.data.image))
		c.data.image = append(c.data.image, s...)
		c.data.strings[s] = at
	}
	return at
}

// globalAddr returns the address of a package variable.
func (c *compiler) globalAddr(g *ssa.Global) int64 {
	at, ok := c.data.globals[g]
	if !ok {
		at = c.reserve(max(sizeOf(derefOf(g.Type())), 1))
		c.data.globals[g] = at
	}
	return int64(at)
}

// pointers returns the bitmap of the words that hold addresses of objects: those of the
// package variables. Whatever else there is has none.
func (d *dataSegment) pointers() (bits []uint64) {
	for g, at := range d.globals {
		t := derefOf(g.Type())
		if !hasPointers(t) {
			continue
		}
		for i, ptr := range shapeOf(t) {
			if word := int(at-machine.NilPage)/8 + i; ptr {
				for len(bits) <= word>>6 {
					bits = append(bits, 0)
				}
				bits[word>>6] |= 1 << (word & 63)
			}
		}
	}
	return bits
}

// closureOf returns the address of the closure of a function that captures
// nothing. The linker writes its entry.
func (c *compiler) closureOf(fn *ssa.Function) machine.Addr {
	return c.closureAt(c.index(fn))
}

// closureAt is closureOf by a function's index.
func (c *compiler) closureAt(fn int) machine.Addr {
	at, ok := c.closures[fn]
	if !ok {
		at = c.reserve(8)
		c.closures[fn] = at
	}
	return at
}

// constAddr returns the address of constant k, for an interface.
func (c *compiler) constAddr(k *ssa.Const, t types.Type) machine.Addr {
	size := sizeOf(t)
	b := box{size: size}
	switch {
	case k.Value == nil:
	case isString(t):
		b.text = constString(k)
	default:
		b.bits = c.constBits(k)
	}
	at, ok := c.data.boxes[b]
	if ok {
		return at
	}
	text := machine.Addr(0)
	if b.text != "" {
		text = c.stringAddr(b.text)
	}
	at = c.reserve(max(size, 8))
	switch {
	case b.text != "":
		c.setWord(at, uint64(text))
		c.setWord(at+8, uint64(len(b.text)))
	case k.Value != nil && !isString(t):
		c.setWord(at, uint64(b.bits))
	}
	c.data.boxes[b] = at
	return at
}

// constant returns the index of v among the 64-bit constants.
func (c *compiler) constant(v uint64) int {
	d := &c.data
	i, ok := d.consts[v]
	if !ok {
		i = len(d.pool)
		d.pool = append(d.pool, v)
		d.consts[v] = i
	}
	return i
}

func constString(k *ssa.Const) string { return constant.StringVal(k.Value) }
