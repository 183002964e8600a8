package compile

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// edge emits the copies of the phis of s on the edge from b.
func (f *fun) edge(b, s *ssa.BasicBlock) {
	f.tick++
	moves, consts := f.edgeMoves(b, s)
	f.moveAll(moves)
	for _, k := range consts {
		f.put(k.dst, k.val)
	}
}

// edgeMoves returns the copies of the phis of s on the edge from b, those
// between slots and the others.
func (f *fun) edgeMoves(b, s *ssa.BasicBlock) (moves []transfer, consts []pending) {
	i := slices.Index(s.Preds, b)
	for _, instr := range s.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if v := f.values[phi]; v.uses == 0 {
			continue
		}
		f.fetch(f.dst(phi), phi.Edges[i], &moves, &consts)
	}
	return moves, consts
}

// hasMoves reports whether the edge from b to s needs copies.
func (f *fun) hasMoves(b, s *ssa.BasicBlock) bool {
	moves, consts := f.edgeMoves(b, s)
	return len(moves)+len(consts) > 0
}

// next returns the block that follows b in the code, or nil.
func (f *fun) next(b *ssa.BasicBlock) *ssa.BasicBlock {
	if i := f.order[b] + 1; i < len(f.blocks) {
		return f.blocks[i]
	}
	return nil
}

// lowerJump ends block b with a jump to s. At the end of a loop it repeats the
// test of the loop's head, which saves a jump in each round.
func (f *fun) lowerJump(b, s *ssa.BasicBlock) {
	f.edge(b, s)
	if test := f.loopTest(s); test != nil && f.order[s] <= f.order[b] {
		f.tick++
		f.setLine(test.Cond.Pos())
		f.lowerIf(test, f.next(b))
		return
	}
	if s != f.next(b) {
		f.jump(f.starts[f.order[s]])
	}
}

// loopTest returns the branch of a block that has nothing but phis and a
// compare-and-branch.
func (f *fun) loopTest(b *ssa.BasicBlock) *ssa.If {
	for _, instr := range b.Instrs {
		switch instr := instr.(type) {
		case *ssa.Phi:
		case *ssa.BinOp:
			if !f.folded[instr] {
				return nil
			}
		case *ssa.If:
			return instr
		default:
			if v, ok := instr.(ssa.Value); !ok || f.viewed(v) == nil {
				return nil
			}
		}
	}
	return nil
}

// lowerIf emits a branch, given the block that follows in the code.
func (f *fun) lowerIf(instr *ssa.If, next *ssa.BasicBlock) {
	b := instr.Block()
	yes, no := b.Succs[0], b.Succs[1]
	if yes == next && !f.hasMoves(b, no) {
		f.condJump(instr.Cond, false, f.starts[f.order[no]])
		f.edge(b, yes)
		return
	}
	target := f.starts[f.order[yes]]
	if f.hasMoves(b, yes) {
		target = f.newLabel()
		line := f.now
		f.stubs = append(f.stubs, func() {
			f.now = line
			f.bind(target)
			f.edge(b, yes)
			f.jump(f.starts[f.order[yes]])
		})
	}
	f.condJump(instr.Cond, true, target)
	f.edge(b, no)
	if no != next {
		f.jump(f.starts[f.order[no]])
	}
}

// condJump jumps to l if cond is when.
func (f *fun) condJump(cond ssa.Value, when bool, l label) {
	if cmp, ok := cond.(*ssa.BinOp); ok && f.folded[cmp] {
		f.compareJump(cmp, when, l)
		return
	}
	op := machine.JNZ
	if !when {
		op = machine.JZ
	}
	f.branch(op, f.use(cond), 0, l)
}

var inverse = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

var swapped = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS,
	token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// compareJump jumps to l if the comparison cmp of scalars comes out as when.
func (f *fun) compareJump(cmp *ssa.BinOp, when bool, l label) {
	op, x, y := cmp.Op, cmp.X, cmp.Y
	if !when {
		op = inverse[op]
	}
	if _, ok := rep(x).(*ssa.Const); ok {
		op, x, y = swapped[op], y, x
	}
	unsigned := !isInteger(x.Type()) || isUnsigned(x.Type())
	equality := op == token.EQL || op == token.NEQ
	// An unsigned number of less than 64 bits can be compared as a signed one.
	if k, ok := f.small(y); ok && (equality || !unsigned || sizeOf(x.Type()) < 8) {
		immediate := map[token.Token]machine.Op{
			token.EQL: machine.JEQI, token.NEQ: machine.JNEI,
			token.LSS: machine.JLTI, token.LEQ: machine.JLEI,
			token.GTR: machine.JGTI, token.GEQ: machine.JGEI,
		}
		f.branch(immediate[op], f.use(x), int32(k), l)
		return
	}
	if op == token.GTR || op == token.GEQ {
		op, x, y = swapped[op], y, x
	}
	jump := map[token.Token]machine.Op{
		token.EQL: machine.JEQ, token.NEQ: machine.JNE,
		token.LSS: machine.JLT, token.LEQ: machine.JLE,
	}[op]
	if unsigned && jump == machine.JLT {
		jump = machine.JLTU
	} else if unsigned && jump == machine.JLE {
		jump = machine.JLEU
	}
	a := f.use(x)
	f.branch(jump, a, int32(f.use(y)), l)
}
