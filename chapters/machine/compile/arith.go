package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

func (f *fun) lowerUnOp(v *ssa.UnOp) {
	if v.Op == token.ARROW {
		f.lowerRecv(v)
		return
	}
	dst, t := f.dst(v), v.Type()
	switch v.Op {
	case token.MUL:
		f.lowerLoad(dst, v.X, t)
	case token.NOT:
		f.op(machine.NOT, 0, dst, f.use(v.X), 0)
	case token.SUB:
		if isFloat(t) {
			f.op(machine.FNEG, floatX(t), dst, f.use(v.X), 0)
			return
		}
		f.op(machine.NEG, 0, dst, f.use(v.X), 0)
		f.narrow(dst, t)
	case token.XOR:
		f.op(machine.COM, 0, dst, f.use(v.X), 0)
		if isUnsigned(t) {
			f.narrow(dst, t)
		}
	}
}

// floatX is the x field of operations on floats.
func floatX(t types.Type) int {
	if sizeOf(t) == 4 {
		return 1
	}
	return 0
}

// narrow brings the result of an operation on 64 bits back into type t.
func (f *fun) narrow(at slot, t types.Type) {
	if x, ok := extOf(t); ok {
		f.op(machine.EXT, int(x), at, at, 0)
	}
}

// extOf returns how integers of type t are extended; false if they fill their
// slot.
func extOf(t types.Type) (machine.Ext, bool) {
	unsigned := isUnsigned(t)
	switch sizeOf(t) {
	case 1:
		if unsigned {
			return machine.ExtU8, true
		}
		return machine.ExtI8, true
	case 2:
		if unsigned {
			return machine.ExtU16, true
		}
		return machine.ExtI16, true
	case 4:
		if unsigned {
			return machine.ExtU32, true
		}
		return machine.ExtI32, true
	}
	return 0, false
}

func (f *fun) lowerBinOp(v *ssa.BinOp) {
	t := v.X.Type()
	switch {
	case isComparison(v.Op):
		f.lowerCompare(v)
	case isString(t):
		f.lowerConcat(v)
	case isFloat(t):
		op := map[token.Token]machine.Op{
			token.ADD: machine.FADD, token.SUB: machine.FSUB,
			token.MUL: machine.FMUL, token.QUO: machine.FDIV,
		}[v.Op]
		x := f.use(v.X)
		f.op(op, floatX(t), f.dst(v), x, f.use(v.Y))
	case isInteger(t):
		f.lowerIntOp(v)
	default:
		f.c.refuse(v.Pos(), "arithmetic on %s is not supported", t)
	}
}

func (f *fun) lowerIntOp(v *ssa.BinOp) {
	dst, t := f.dst(v), v.X.Type()
	unsigned := isUnsigned(t)
	pick := func(signed, uns machine.Op) machine.Op {
		if unsigned {
			return uns
		}
		return signed
	}
	op, wraps := machine.NOP, false
	switch v.Op {
	case token.ADD, token.SUB:
		if f.addImmediate(v) {
			f.narrow(dst, t)
			return
		}
		op, wraps = machine.ADD, true
		if v.Op == token.SUB {
			op = machine.SUB
		}
	case token.MUL:
		op, wraps = machine.MUL, true
	case token.QUO:
		op, wraps = pick(machine.DIV, machine.DIVU), !unsigned
	case token.REM:
		op = pick(machine.REM, machine.REMU)
	case token.AND:
		op = machine.AND
	case token.OR:
		op = machine.OR
	case token.XOR:
		op = machine.XOR
	case token.AND_NOT:
		op = machine.ANDN
	case token.SHL:
		op, wraps = machine.SHL, true
	case token.SHR:
		op = pick(machine.SAR, machine.SHR)
	}
	x, y := f.use(v.X), f.use(v.Y)
	if v.Op == token.SHL || v.Op == token.SHR {
		if n, ok := constInt(v.Y); !isUnsigned(v.Y.Type()) && (!ok || n < 0) {
			f.op(machine.SHCK, 0, y, 0, 0)
		}
	}
	f.op(op, 0, dst, x, y)
	if wraps {
		f.narrow(dst, t)
	}
}

// addImmediate emits x + k or x - k as one instruction if it can.
func (f *fun) addImmediate(v *ssa.BinOp) bool {
	x, y := v.X, v.Y
	if _, ok := f.small(y); !ok && v.Op == token.ADD {
		x, y = y, x
	}
	k, ok := f.small(y)
	n := int64(k)
	if v.Op == token.SUB {
		n = -n
	}
	if !ok || n != int64(int16(n)) {
		return false
	}
	f.mem(machine.ADDI, 0, f.dst(v), f.use(x), n)
	return true
}

// lowerCompare emits a comparison whose result is needed as a value.
func (f *fun) lowerCompare(v *ssa.BinOp) {
	dst, t := f.dst(v), v.X.Type()
	op, x, y := v.Op, v.X, v.Y
	switch {
	case isWord(t), isFloat(t):
		if op == token.GTR || op == token.GEQ {
			op, x, y = swapped[op], y, x
		}
		a := f.use(x)
		if isFloat(t) {
			code := map[token.Token]machine.Op{
				token.EQL: machine.FEQ, token.NEQ: machine.FNE,
				token.LSS: machine.FLT, token.LEQ: machine.FLE,
			}[op]
			f.op(code, floatX(t), dst, a, f.use(y))
			return
		}
		code := map[token.Token]machine.Op{
			token.EQL: machine.EQ, token.NEQ: machine.NE,
			token.LSS: machine.LT, token.LEQ: machine.LE,
		}[op]
		if !isInteger(t) || isUnsigned(t) {
			switch code {
			case machine.LT:
				code = machine.LTU
			case machine.LE:
				code = machine.LEU
			}
		}
		f.op(code, 0, dst, a, f.use(y))
	case isNil(x), isNil(y):
		if isNil(x) {
			x = y
		}
		// The first slot of a slice or an interface is zero if it is nil.
		if op == token.EQL {
			f.op(machine.NOT, 0, dst, f.use(x), 0)
		} else {
			f.op(machine.NOT, 0, dst, f.use(x), 0)
			f.op(machine.NOT, 0, dst, dst, 0)
		}
	case isString(t):
		f.compareStrings(dst, op, x, y)
	default:
		f.compareValues(dst, op, x, y)
	}
}

// isNil reports whether v is the constant nil.
func isNil(v ssa.Value) bool {
	k, ok := rep(v).(*ssa.Const)
	if !ok || k.Value != nil {
		return false
	}
	switch k.Type().Underlying().(type) {
	case *types.Struct, *types.Array, *types.Basic:
		return false
	}
	return true
}

func (f *fun) compareStrings(dst slot, op token.Token, x, y ssa.Value) {
	if op == token.GTR || op == token.GEQ {
		op, x, y = swapped[op], y, x
	}
	f.arguments([]ssa.Value{x, y}, 0)
	f.block(5)
	if op == token.EQL || op == token.NEQ {
		f.host(machine.HostEqualStrings)
		if op == token.EQL {
			f.move(dst, out(4), 1)
		} else {
			f.op(machine.NOT, 0, dst, out(4), 0)
		}
		return
	}
	f.host(machine.HostCompareStrings)
	zero := f.stemp()
	f.putInt(zero, 0)
	code := machine.LT
	if op == token.LEQ {
		code = machine.LE
	}
	f.op(code, 0, dst, out(4), zero)
}

// compareValues compares interfaces, structs and arrays.
func (f *fun) compareValues(dst slot, op token.Token, x, y ssa.Value) {
	t := x.Type()
	n := slotsOf(t)
	f.arguments([]ssa.Value{x, y}, 1)
	f.putInt(out(0), int64(f.c.types.of(t).ID))
	f.block(1 + 2*n + 1)
	f.host(machine.HostEqual)
	res := out(1 + 2*n)
	if op == token.EQL {
		f.move(dst, res, 1)
	} else {
		f.op(machine.NOT, 0, dst, res, 0)
	}
}

// lowerConcat emits x + y for strings. A sum of several strings is one
// concatenation, if the partial sums are not used otherwise.
func (f *fun) lowerConcat(v *ssa.BinOp) {
	f.arguments([]ssa.Value{v.X, v.Y}, 0)
	f.block(6)
	f.host(machine.HostConcat)
	f.move(f.dst(v), out(4), 2)
}

// hasNumber reports whether t is an integer or a float.
func hasNumber(t types.Type) bool { return isInteger(t) || isFloat(t) }

func (f *fun) lowerConvert(v *ssa.Convert) {
	from, to := v.X.Type(), v.Type()
	dst := f.dst(v)
	switch {
	case isInteger(from) && isInteger(to):
		x, _ := extOf(to) // all others are only another view of the same slot
		f.op(machine.EXT, int(x), dst, f.use(v.X), 0)
	case isInteger(from) && isFloat(to):
		op := machine.CVIF
		if isUnsigned(from) && sizeOf(from) == 8 {
			op = machine.CVUF
		}
		f.op(op, floatX(to), dst, f.use(v.X), 0)
	case isFloat(from) && isInteger(to):
		op := machine.CVFI
		if isUnsigned(to) && sizeOf(to) == 8 {
			op = machine.CVFU
		}
		f.op(op, floatX(from), dst, f.use(v.X), 0)
		f.narrow(dst, to)
	case isFloat(from) && isFloat(to):
		if floatX(from) == floatX(to) {
			f.put(dst, v.X)
		} else {
			f.op(machine.CVFF, floatX(to), dst, f.use(v.X), 0)
		}
	default:
		f.convertString(v)
	}
}

// convertString emits conversions to and from strings.
func (f *fun) convertString(v *ssa.Convert) {
	from, to := v.X.Type(), v.Type()
	var host machine.Host
	switch {
	case isInteger(from) && isString(to):
		host = machine.HostIntToString
	case isString(from) && elemSize(to) == 1:
		host = machine.HostStringToBytes
	case isString(from) && elemSize(to) == 4:
		host = machine.HostStringToRunes
	case elemSize(from) == 1 && isString(to):
		host = machine.HostBytesToString
	case elemSize(from) == 4 && isString(to):
		host = machine.HostRunesToString
	default:
		f.c.refuse(v.Pos(), "conversion from %s to %s is not supported", from, to)
	}
	n, m := slotsOf(from), slotsOf(to)
	f.arguments([]ssa.Value{v.X}, 0)
	f.block(n + m)
	f.host(host)
	f.move(f.dst(v), out(n), m)
}
