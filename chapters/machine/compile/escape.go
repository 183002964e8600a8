package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Where Go allocates shows in one place of a program's output, the capacity of
// slices: the first backing store that append makes for a slice that does not
// leave its function is a buffer of stackBuffer bytes in the frame, and only
// the next one grows by the usual rules. Here such a buffer is allocated like
// any other, but it has the same capacity.

const stackBuffer = 32

// findBuffers notes for which appends Go has a buffer. It has one for each
// slice variable, at the first append in the source, and uses it once in each
// activation of the function.
func (f *fun) findBuffers() {
	group := map[ssa.Value]ssa.Value{} // slices that are one variable, as a union-find
	var find func(v ssa.Value) ssa.Value
	find = func(v ssa.Value) ssa.Value {
		if up, ok := group[v]; ok {
			group[v] = find(up)
			return group[v]
		}
		return v
	}
	union := func(a, b ssa.Value) {
		if _, ok := b.(*ssa.Const); ok {
			return
		}
		if a, b := find(a), find(b); a != b {
			group[a] = b
		}
	}
	var appends []*ssa.Call
	for _, b := range f.blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Phi:
				for _, e := range v.Edges {
					union(v, e)
				}
			case *ssa.Slice:
				union(v, v.X)
			case *ssa.ChangeType:
				union(v, v.X)
			case *ssa.Call:
				if isBuiltin(v, "append") {
					union(v, v.Call.Args[0])
					appends = append(appends, v)
				}
			}
		}
	}
	first := map[ssa.Value]*ssa.Call{}
	for _, call := range appends {
		size := elemSize(call.Type())
		if f.appends[call] == nil || size == 0 || size > stackBuffer || f.c.leaks(call, map[ssa.Value]bool{}) {
			continue
		}
		v := find(call)
		if first[v] == nil || call.Pos() < first[v].Pos() {
			first[v] = call
		}
	}
	for _, call := range appends {
		if first[find(call)] == call {
			f.buffers[call] = f.newValue([]bool{false})
			f.buffered = append(f.buffered, f.buffers[call])
		}
	}
}

func isBuiltin(call *ssa.Call, name string) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// leaks reports whether what v, a slice or a pointer, refers to may outlive the
// function, as far as Go's escape analysis can tell. seen are the values that
// are being looked at.
func (c *compiler) leaks(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Phi, *ssa.Slice, *ssa.ChangeType, *ssa.IndexAddr, *ssa.FieldAddr:
			if c.leaks(ref.(ssa.Value), seen) {
				return true
			}
		case *ssa.BinOp, *ssa.Convert, *ssa.DebugRef:
		case *ssa.UnOp:
			if ref.Op != token.MUL {
				return true
			}
		case *ssa.Store:
			if ref.Val == v {
				return true
			}
		case *ssa.Call:
			if c.leaksInto(ref, v, seen) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// leaksInto reports whether v leaks through the call.
func (c *compiler) leaksInto(call *ssa.Call, v ssa.Value, seen map[ssa.Value]bool) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			return call.Call.Args[0] == v && c.leaks(call, seen)
		case "len", "cap", "copy", "clear", "print", "println":
			return false
		}
		return true
	}
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Blocks == nil {
		return true
	}
	for i, a := range call.Call.Args {
		if a == v && c.leaks(callee.Params[i], seen) {
			return true
		}
	}
	return false
}

// isLent reports whether the address of a variable, v, or of a part of it, is used to load
// and store, and otherwise only given to functions that do not keep it. The variable may
// live in the frame, as it does in Go, although its address is known elsewhere: a stack that
// moves takes care of that.
func (c *compiler) isLent(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if ref.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if ref.Val == v {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !c.isLent(ref.(ssa.Value)) {
				return false
			}
		case *ssa.Call:
			if c.leaksInto(ref, v, map[ssa.Value]bool{}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
