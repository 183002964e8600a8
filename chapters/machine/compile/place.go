package compile

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Positions number the code: the i-th instruction reads at 2i and writes at
// 2i+1. A value may take the slot of another that is read for the last time by
// the very instruction that writes it, unless that instruction writes before it
// has read everything.

// place gives slots to values. Two values that are never live at the same
// position may share slots.
func (f *fun) place() {
	f.liveness()
	for a := range f.storage {
		if f.values[a].uses == 0 {
			f.values[a].placed = true // nothing wants its address
		}
	}
	f.placeForCalls()

	throughout := append(f.buffered, f.lent...)
	if f.sf.Recover != nil {
		throughout = append(throughout, f.defers)
	}
	for _, v := range throughout {
		v.at, v.placed = slot(regLocal|f.local.take(v.shape, f.throughout())), true
	}
	var all []*value
	hints := f.hints()
	for _, v := range f.values {
		all = append(all, v)
	}
	for _, v := range f.storage {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b *value) int {
		return cmp.Or(cmp.Compare(a.start(), b.start()), cmp.Compare(a.id, b.id))
	})
	for _, v := range all {
		if v.placed || len(v.ranges) == 0 {
			continue
		}
		for _, h := range hints[v] {
			if h.placed && h.at.region() == regLocal && f.local.free(h.at.index(), v.shape, v.ranges) {
				f.local.hold(h.at.index(), len(v.shape), v.ranges)
				v.at, v.placed = h.at, true
				break
			}
		}
		if !v.placed {
			v.at, v.placed = slot(regLocal|f.local.take(v.shape, v.ranges)), true
		}
	}
	f.placeInlined()
}

// number gives positions to instructions, from 2i on, and ids to values. It returns the next i.
// The code that stands in place of a call has positions of its own, which follow that of the call.
func (f *fun) number(i int) int {
	id := 0
	number := func(v *value) { v.id, id = id, id+1 }
	for _, p := range f.sf.FreeVars {
		number(f.values[p])
	}
	for _, b := range f.blocks {
		for _, instr := range b.Instrs {
			f.pos[instr] = 2 * i
			i++
			if in := f.inlinedAt(instr); in != nil {
				i = in.number(i)
			}
			if v, ok := instr.(ssa.Value); ok && f.values[v] != nil {
				number(f.values[v])
			}
			if a, ok := instr.(*ssa.Alloc); ok && f.storage[a] != nil {
				number(f.storage[a])
			}
		}
	}
	return i
}

// last returns the last position at which the code of instr reads.
func (f *fun) last(instr ssa.Instruction) int {
	if in := f.inlinedAt(instr); in != nil {
		return in.to(in.blocks[len(in.blocks)-1])
	}
	return f.pos[instr]
}

// throughout is the range of what lives as long as the function.
func (f *fun) throughout() []span {
	return []span{{0, f.to(f.blocks[len(f.blocks)-1])}}
}

// from and to return the first and the last position of a block.
func (f *fun) from(b *ssa.BasicBlock) int { return f.pos[b.Instrs[0]] }
func (f *fun) to(b *ssa.BasicBlock) int   { return f.pos[b.Instrs[len(b.Instrs)-1]] + 1 }

// A bitset is a set of value ids.
type bitset []uint64

func (s bitset) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s bitset) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// merge adds all of t and reports whether s grew.
func (s bitset) merge(t bitset) bool {
	grew := false
	for i, w := range t {
		if w&^s[i] != 0 {
			s[i] |= w
			grew = true
		}
	}
	return grew
}

// liveness finds the live ranges of all values.
func (f *fun) liveness() {
	words := (len(f.values) + len(f.storage) + 63) / 64
	byID := make([]*value, len(f.values)+len(f.storage))
	for _, v := range f.values {
		byID[v.id] = v
	}
	for _, v := range f.storage {
		byID[v.id] = v
	}

	// What each block reads before it writes it, what it writes, and the
	// interval from the first to the last position at which it does.
	n := len(f.blocks)
	reads, writes, live := make([]bitset, n), make([]bitset, n), make([]bitset, n)
	touched := make([]map[int]span, n)
	for i, b := range f.blocks {
		reads[i], writes[i], live[i] = make(bitset, words), make(bitset, words), make(bitset, words)
		touched[i] = map[int]span{}
		touch := func(v *value, pos int) {
			s, ok := touched[i][v.id]
			if !ok {
				s = span{pos, pos}
			}
			touched[i][v.id] = span{min(s.start, pos), max(s.end, pos)}
		}
		for _, instr := range b.Instrs {
			pos := f.pos[instr]
			f.uses(instr, func(v *value) {
				v.uses++
				touch(v, pos)
				touch(v, f.last(instr))
				if !writes[i].has(v.id) {
					reads[i].add(v.id)
				}
			})
			f.defs(instr, func(v *value) {
				at := pos + 1
				if _, ok := instr.(*ssa.Phi); ok {
					at = f.from(b) // all phis at once, before anything else
				} else if f.writesEarly(instr) {
					at = pos
				}
				touch(v, at)
				if f.inlinedAt(instr) != nil { // also if nobody reads it
					touch(v, f.last(instr))
				}
				writes[i].add(v.id)
			})
		}
	}

	// live[i] is what is live at the end of block i. What phis read is read at
	// the ends of the blocks before.
	for i, b := range f.blocks {
		for _, s := range b.Succs {
			f.phiUses(b, s, func(v *value) {
				v.uses++
				live[i].add(v.id)
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			for _, s := range f.blocks[i].Succs {
				j := f.order[s]
				in := slices.Clone(live[j])
				for w := range in {
					in[w] = in[w]&^writes[j][w] | reads[j][w]
				}
				if live[i].merge(in) {
					changed = true
				}
			}
		}
	}

	for _, p := range f.sf.FreeVars {
		f.values[p].ranges = []span{{0, 1}}
	}
	for i, b := range f.blocks {
		for id, v := range byID {
			s, ok := touched[i][id]
			if live[i].has(id) {
				if !ok {
					s.start = f.from(b)
				}
				s.end = f.to(b)
			} else if !ok {
				continue
			}
			if reads[i].has(id) || live[i].has(id) && !writes[i].has(id) {
				s.start = f.from(b)
			}
			v.ranges = appendSpan(v.ranges, s)
		}
	}

	// The recover block follows on any instruction.
	if f.sf.Recover != nil {
		for id, v := range byID {
			if reads[f.order[f.sf.Recover]].has(id) {
				v.ranges = f.throughout()
			}
		}
	}
}

// A span is a range of positions, both ends included.
type span struct{ start, end int }

// appendSpan appends s, which begins after all of spans.
func appendSpan(spans []span, s span) []span {
	if n := len(spans); n > 0 && spans[n-1].end+1 >= s.start {
		spans[n-1].end = max(spans[n-1].end, s.end)
		return spans
	}
	return append(spans, s)
}

// start and end return the first and the last position at which v is live, -1
// if it never is.
func (v *value) start() int {
	if len(v.ranges) == 0 {
		return -1
	}
	return v.ranges[0].start
}

func (v *value) end() int {
	if len(v.ranges) == 0 {
		return -1
	}
	return v.ranges[len(v.ranges)-1].end
}

// phiUses calls visit for each value that the phis of s read on the edge from b.
func (f *fun) phiUses(b, s *ssa.BasicBlock, visit func(*value)) {
	edge := slices.Index(s.Preds, b)
	for _, instr := range s.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return
		}
		base, _ := f.view(phi.Edges[edge])
		if v := f.values[base]; v != nil {
			visit(v)
		}
	}
}

// hints returns for each value those whose slots it should take if it can,
// because a phi would copy one to the other.
func (f *fun) hints() map[*value][]*value {
	hints := map[*value][]*value{}
	for _, b := range f.blocks {
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			p := f.values[phi]
			for _, e := range phi.Edges {
				base, off := f.view(e)
				if v := f.values[base]; v != nil && v != p && off == 0 {
					hints[p] = append(hints[p], v)
					hints[v] = append(hints[v], p)
				}
			}
		}
	}
	return hints
}

// writesEarly reports whether the code of instr may write its result before it
// has read all its operands.
func (f *fun) writesEarly(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.BinOp:
		return !isWord(instr.X.Type()) && !isFloat(instr.X.Type())
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.FieldAddr:
		return false
	case *ssa.IndexAddr:
		return false
	case *ssa.Convert:
		return !hasNumber(instr.X.Type()) || !hasNumber(instr.Type())
	case *ssa.Call:
		return f.atomics[instr] == nil
	}
	return true
}

// An outUse says what the code of an instruction does to the outgoing slots.
type outUse int

const (
	outNone    outUse = iota // leaves them alone
	outAtOnce                // reads all its operands before it writes one
	outAnytime               // may write one before it has read all its operands
)

func (f *fun) outUse(instr ssa.Instruction) outUse {
	switch instr := instr.(type) {
	case *ssa.Phi, *ssa.Extract, *ssa.DebugRef, *ssa.ChangeType, *ssa.ChangeInterface,
		*ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Alloc, *ssa.Store,
		*ssa.MakeInterface, *ssa.MakeClosure, *ssa.Jump, *ssa.Return, *ssa.UnOp,
		*ssa.Send, *ssa.Select:
		return outNone
	case *ssa.Range:
		if isString(instr.X.Type()) {
			return outNone
		}
	case *ssa.If:
		return outNone
	case *ssa.BinOp:
		if isWord(instr.X.Type()) || isFloat(instr.X.Type()) {
			return outNone
		}
	case *ssa.Convert:
		if hasNumber(instr.X.Type()) && hasNumber(instr.Type()) {
			return outNone
		}
	case *ssa.Call:
		if f.viewed(instr) != nil || f.atomics[instr] != nil {
			return outNone
		}
		if _, ok := instr.Call.Value.(*ssa.Builtin); !ok && !instr.Call.IsInvoke() && f.inlines[instr] == nil {
			return outAtOnce
		}
	}
	return outAnytime
}

// placeForCalls computes arguments right in the outgoing slots, leaves results
// there, and computes results right in the slots of the function's own
// results, where nothing in between is in the way. It looks at one block at a
// time.
func (f *fun) placeForCalls() {
	for _, b := range f.blocks {
		p := outPlacer{f: f, block: b}
		p.findBarriers()
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Call:
				if f.outUse(instr) == outAtOnce {
					p.results(instr)
				}
			}
		}
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Call:
				if f.outUse(instr) == outAtOnce {
					p.arguments(instr)
				}
			case *ssa.Return:
				p.returns(instr)
			}
		}
	}
}

// An outPlacer places values of one block into outgoing slots.
type outPlacer struct {
	f        *fun
	block    *ssa.BasicBlock
	barriers []ssa.Instruction // those that write outgoing slots
	taken    []interval
}

// An interval is the time for which a value holds an outgoing slot.
type interval struct{ slot, start, end int }

func (p *outPlacer) findBarriers() {
	for _, instr := range p.block.Instrs {
		if p.f.outUse(instr) != outNone {
			p.barriers = append(p.barriers, instr)
		}
	}
}

// clear reports whether v, which is written by def, can stay in n outgoing
// slots from first on until it is last read.
func (p *outPlacer) clear(v *value, def int, first int) bool {
	for _, instr := range p.barriers {
		pos := p.f.pos[instr]
		if pos <= def || pos > v.end() {
			continue
		}
		if pos < v.end() || p.f.outUse(instr) != outAtOnce {
			return false
		}
	}
	for _, t := range p.taken {
		if t.slot >= first && t.slot < first+len(v.shape) && t.start <= v.end() && v.start() <= t.end {
			return false
		}
	}
	return true
}

// put places v at the outgoing slot first.
func (p *outPlacer) put(v *value, first int) {
	v.at, v.placed = out(first), true
	for i := range v.shape {
		p.taken = append(p.taken, interval{first + i, v.start(), v.end()})
	}
}

// results leaves the results of call where it finds them.
func (p *outPlacer) results(call *ssa.Call) {
	f := p.f
	base := f.argSlots(call)
	sig := call.Call.Signature()
	offsets := make([]int, sig.Results().Len())
	for i := range offsets {
		offsets[i] = base
		base += slotsOf(sig.Results().At(i).Type())
	}
	try := func(res ssa.Value, i int) {
		v := f.values[res]
		if v == nil || v.placed || len(v.shape) == 0 || v.end() >= f.to(p.block) {
			return
		}
		if p.clear(v, f.pos[call], offsets[i]) {
			p.put(v, offsets[i])
		}
	}
	if len(offsets) == 1 {
		try(call, 0)
		return
	}
	for _, ref := range *call.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok {
			try(e, e.Index)
		}
	}
}

// arguments computes arguments of call in place.
func (p *outPlacer) arguments(call *ssa.Call) {
	f := p.f
	first := 0
	for _, a := range call.Call.Args {
		base, _ := f.view(a)
		v := f.values[base]
		if base == rep(a) && p.local(base) && v != nil && !v.placed && len(v.shape) > 0 && v.uses == 1 && v.end() == f.pos[call] {
			// Code that needs outgoing slots on its way cannot end in them.
			def := base.(ssa.Instruction)
			if f.outUse(def) != outAnytime && p.clear(v, f.pos[def], first) {
				p.put(v, first)
			}
		}
		first += slotsOf(a.Type())
	}
}

// returns computes what the function returns in place.
func (p *outPlacer) returns(ret *ssa.Return) {
	f := p.f
	for i, r := range ret.Results {
		base, _ := f.view(r)
		v := f.values[base]
		if base == rep(r) && p.local(base) && v != nil && !v.placed && len(v.shape) > 0 && v.uses == 1 && v.end() == f.pos[ret] {
			v.at, v.placed = f.results[i], true
		}
	}
}

// local reports whether v is written by an ordinary instruction of the block.
func (p *outPlacer) local(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi, *ssa.Parameter, *ssa.FreeVar, *ssa.Alloc, *ssa.Extract:
		return false
	case ssa.Instruction:
		return v.Block() == p.block
	}
	return false
}
