package compile

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A closure captures a variable by its address, in general. If the variable is
// never assigned to after its declaration, nothing can tell its address from its
// value, and the closure gets the value: then the variable itself is not needed.
// Go's compiler does the same, with the same limit.

// maxCaptured is the size in bytes up to which a variable is captured by value.
const maxCaptured = 128

// byValue reports whether v, a variable or what a closure has of one, is captured
// by value.
func (c *compiler) byValue(v ssa.Value) bool {
	known, ok := c.fixed[v]
	if !ok {
		switch v := v.(type) {
		case *ssa.Alloc:
			known = isFixed(v)
		case *ssa.FreeVar:
			known = c.byValue(bindingOf(v))
		}
		if c.fixed == nil {
			c.fixed = map[ssa.Value]bool{}
		}
		c.fixed[v] = known
	}
	return known
}

// bindingOf returns the variable of the enclosing function for which p stands, nil
// if there is none: the compiler made the closure.
func bindingOf(p *ssa.FreeVar) ssa.Value {
	fn := p.Parent()
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == fn {
				return mc.Bindings[slices.Index(fn.FreeVars, p)]
			}
		}
	}
	return nil
}

// isFixed reports whether a is a small variable that is set once, at its
// declaration, and only read after that, here and in closures.
func isFixed(a *ssa.Alloc) bool {
	t := derefOf(a.Type())
	if !a.Heap || sizeOf(t) > maxCaptured {
		return false
	}
	init := initOf(a)
	if init == nil {
		return false
	}
	if _, ok := rep(init.Val).(*ssa.Const); ok && !isWord(t) {
		return false // it has no slots of which a part could be named
	}
	// The declaration ends in the block where it begins, so whatever comes after
	// that block, and after the store in it, finds the variable set.
	for _, ref := range *a.Referrers() {
		if ref == init {
			continue
		}
		if ref.Block() == a.Parent().Recover || ref.Block() == a.Block() && comesBefore(ref, init) || !onlyReads(ref, a) {
			return false
		}
	}
	return true
}

// initOf returns the only store to a, if it is in the same block.
func initOf(a *ssa.Alloc) *ssa.Store {
	var init *ssa.Store
	for _, ref := range *a.Referrers() {
		store, ok := ref.(*ssa.Store)
		if !ok || store.Addr != a {
			continue
		}
		if init != nil || store.Val == a || store.Block() != a.Block() {
			return nil
		}
		init = store
	}
	return init
}

// comesBefore reports whether a comes before b in the block of both.
func comesBefore(a, b ssa.Instruction) bool {
	instrs := a.Block().Instrs
	return slices.Index(instrs, a) < slices.Index(instrs, b)
}

// onlyReads reports whether ref, which uses the variable v, only reads it, or
// captures it in a closure that only reads it.
func onlyReads(ref ssa.Instruction, v ssa.Value) bool {
	switch ref := ref.(type) {
	case *ssa.UnOp:
		return ref.Op == token.MUL
	case *ssa.DebugRef:
		return true
	case *ssa.MakeClosure:
		fn := ref.Fn.(*ssa.Function)
		for i, b := range ref.Bindings {
			if b != v {
				continue
			}
			for _, inner := range *fn.FreeVars[i].Referrers() {
				if !onlyReads(inner, fn.FreeVars[i]) {
					return false
				}
			}
		}
		return true
	}
	return false
}

// contents returns the value that v, which is captured by value, has: that of its
// declaration, or what the closure holds.
func (f *fun) contents(v ssa.Value) ssa.Value {
	if a, ok := v.(*ssa.Alloc); ok {
		return initOf(a).Val
	}
	return v
}

// binding returns what a closure gets of b, one of its bindings, and the shape of
// that.
func (f *fun) binding(b ssa.Value) (val ssa.Value, shape []bool) {
	if f.c.byValue(b) {
		return f.contents(b), f.shape1(derefOf(b.Type()), b.Pos())
	}
	return b, f.shape1(b.Type(), b.Pos())
}
