package compile

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// A call of a small function of the standard packages costs more than what the function does:
// its arguments, CALL, ENTER and RET. So its code stands in place of the call, as Go's compiler
// has it; an uncontended sync.Mutex is locked by four instructions. Listings show the call all
// the same: see machine.Inlined.
//
// What the program itself declares stays a call, with a prologue, wherever its source has one:
// what is shown of stacks and of preemption rests on that.

// inlineCall gives call a fun of its own, which emits its code into that of f, if it can.
func (f *fun) inlineCall(call *ssa.Call) {
	callee := call.Call.StaticCallee()
	if callee == nil || f.atomics[call] != nil || !f.c.isInlinable(callee) {
		return
	}
	for outer := f; outer != nil; outer = outer.caller {
		if outer.sf == callee {
			return
		}
	}
	in := newFun(f.c, callee, f.code)
	in.caller = f
	in.analyze()
	f.inlines[call] = in
}

// isInlinable reports whether the code of fn may stand in place of a call: it is small, belongs to
// a standard package, and has no loops, no variables but those that are SSA values, and nothing
// that asks which function it is in, as defer and recover do.
func (c *compiler) isInlinable(fn *ssa.Function) bool {
	switch {
	case fn.Blocks == nil, passesTo(fn) != fn: // there is nothing to call
		return false
	case isWrapper(fn): // no listing shows it
		return false
	case fn.Recover != nil, len(fn.FreeVars) > 0, fn.Signature.Results().Len() > 1:
		return false
	case !isStandard(fn) && !c.inlinesOwn:
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			if s.Dominates(b) {
				return false
			}
		}
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.DebugRef:
				continue
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					return false
				}
			case *ssa.Call:
				if _, ok := instr.Call.Value.(*ssa.Builtin); ok {
					return false
				}
			case *ssa.Phi, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.FieldAddr,
				*ssa.IndexAddr, *ssa.Store, *ssa.Extract, *ssa.Jump, *ssa.If, *ssa.Return:
			default:
				return false
			}
			if n++; n > c.maxInlined {
				return false
			}
		}
	}
	return true
}

// isStandard reports whether the program did not declare fn.
func isStandard(fn *ssa.Function) bool {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	return fn.Pkg != nil && fn.Pkg.Pkg.Name() != "main"
}

// lowerInlined emits the code of the function that call calls.
func (f *fun) lowerInlined(call *ssa.Call, in *fun) {
	during := []span{{f.pos[call], f.last(call)}}
	in.params = make([]slot, len(call.Call.Args))
	for i, a := range call.Call.Args {
		base, off := f.view(a)
		at, ok := f.slotOf(base)
		if !ok { // a constant, or the address of a package variable or of a function
			shape := f.shape1(a.Type(), a.Pos())
			at, off = slot(regLocal|f.local.take(shape, during)), 0
			f.put(at, a)
		}
		in.params[i] = at + slot(off)
	}
	in.end, in.tick = f.newLabel(), f.tick
	file, line := f.c.place(in.sf.Pos())
	f.beginScope(funcName(in.sf), file, line)
	in.lowerBlocks()
	f.endScope()
	f.bind(in.end)
	f.tick = in.tick
}

// inlinedAt returns the fun whose code stands in place of instr, nil if there is none.
func (f *fun) inlinedAt(instr ssa.Instruction) *fun {
	call, _ := instr.(*ssa.Call)
	return f.inlines[call]
}

// placeInlined gives slots to the values of the functions whose code stands in place of calls.
// Their results are where the results of the calls are.
func (f *fun) placeInlined() {
	for _, b := range f.blocks {
		for _, instr := range b.Instrs {
			in := f.inlinedAt(instr)
			if in == nil {
				continue
			}
			if v := f.values[instr.(ssa.Value)]; v != nil {
				in.results = []slot{v.at}
			}
			in.place()
		}
	}
}

// leave emits the end of a function at a return, which ends block b. Code in place of a call
// goes on after that; what comes last in it is there already.
func (f *fun) leave(b *ssa.BasicBlock) {
	switch {
	case f.caller == nil:
		f.emit(ins{op: machine.RET})
	case f.next(b) != nil || len(f.stubs) > 0:
		f.jump(f.end)
	}
}

// passesTo returns the function without a body that fn consists of, if it only
// passes its parameters on and returns what comes back; else fn itself. So
// runtime.Gosched is one instruction in the caller. A method of sync/atomic passes
// on the address of the first field of its receiver, which is that of the
// receiver itself; the atomic operation faults if it is nil.
func passesTo(fn *ssa.Function) *ssa.Function {
	if len(fn.Blocks) != 1 {
		return fn
	}
	var call *ssa.Call
	for _, instr := range fn.Blocks[0].Instrs {
		switch instr := instr.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if len(fn.Params) == 0 || instr.X != fn.Params[0] || instr.Field != 0 {
				return fn
			}
		case *ssa.Call:
			callee := instr.Call.StaticCallee()
			if call != nil || callee == nil || callee.Blocks != nil {
				return fn
			}
			passesOn := func(a ssa.Value, p *ssa.Parameter) bool {
				if field, ok := a.(*ssa.FieldAddr); ok && atomics[nameOf(callee)] != machine.NOP {
					a = field.X
				}
				return a == p
			}
			if !slices.EqualFunc(instr.Call.Args, fn.Params, passesOn) {
				return fn
			}
			call = instr
		case *ssa.Return:
			if call == nil || len(instr.Results) > 1 || len(instr.Results) == 1 && instr.Results[0] != call {
				return fn
			}
		default:
			return fn
		}
	}
	return call.Call.StaticCallee()
}
