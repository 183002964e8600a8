package machine

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// Run executes c until it traps, and says why. It returns TrapSignal when t.Signal is pending,
// and does not clear it. It looks before the first instruction, and then after every 128 or one or
// two more; where it stops depends on where it began.
// Only the owner of t may call it, for a Context that no other thread
// runs. The runtime's gogo, and all that leads back to g0.
//
// In a browser there is one thread, so no other can send a signal while Run runs:
// use RunN there. Under a Hook the instructions are counted, in portions of
// Hook.Budget.
func (t *Thread) Run(c *Context) Trap {
	_, trap := t.RunN(c, math.MaxInt64)
	return trap
}

// RunN is Run for at most n instructions. It returns TrapBudget when they are used
// up, otherwise the trap that came before, and how many are left. An instruction
// that traps counts. With it a test can interrupt a program after the k-th
// instruction, for every k.
func (t *Thread) RunN(c *Context, n int64) (left int64, trap Trap) {
	if watched && hook != nil {
		return t.hookRun(c, n)
	}
	return t.run(c, n)
}

// run executes at most n instructions, none once a signal is pending.
func (t *Thread) run(c *Context, n int64) (left int64, trap Trap) {
	for {
		switch {
		case n <= 0:
			trap = TrapBudget
		case t.Signal.pending.Load() != 0:
			trap = TrapSignal
		default:
			code, k := t.m.Program.Code, min(n, portion)
			if n >= portion+longest { // so it may execute a few more
				code = t.m.fused
			}
			left, trap = t.m.execute(c, code, k)
			n -= k - left
			switch trap {
			case TrapBudget:
				continue
			case trapSlow:
				r := (*frameView)(t.m.words[c.SP>>3:])
				if trap = t.slow(c, r, t.m.Program.Code[c.PC-1]); trap == TrapNone {
					t.collected = false
					continue
				}
				if !trap.IsCall() {
					c.PC--
				}
			}
		}
		c.Trap = trap
		return n, trap
	}
}

// portion is how many instructions execute gets at once: after so many run looks for a signal. To
// look before each would cost a load, and a register that execute needs.
const portion = 128

// trapSlow is how execute hands an instruction to slow. PC is behind it, as in
// a call into the runtime.
const trapSlow = NumTraps

// execute is the fast part of the CPU: all instructions that need no function
// of the host. If it called one, the compiler would keep the machine's
// registers on the host's stack and store them anew for every instruction; as it
// does if too many variables live in the loop, so measure before you add one. What
// it calls of sync/atomic are instructions of the host.
//
// It executes n instructions of code, which is Program.Code or what fuse made of it;
// then it may be a few more, and left is negative.
//
// Nothing in memory or in c can make it panic or touch what is not a word of
// memory: each access is checked against the size of memory, a slot is at most
// 64 Ki words above a stack pointer that is checked whenever it changes, and a
// pc that does not come from the code itself is checked too. What comes from
// the code has been checked by Program.check.
//
//go:nocheckptr
func (m *Machine) execute(c *Context, instrs []Instr, n int64) (left int64, trap Trap) {
	var (
		code = unsafe.Pointer(unsafe.SliceData(instrs))
		mem  = unsafe.Pointer(unsafe.SliceData(m.words))
		span = m.span // an address is valid if addr-NilPage < span
		pc   = uint64(c.PC)
		sp   = uint64(c.SP)
		addr uint64 // of a fault
	)
	if sp-NilPage > span || sp%8 != 0 {
		c.Fault, c.Trap = c.SP, TrapFault
		return n, TrapFault
	}
	if pc >= uint64(len(instrs)) {
		c.Trap = TrapBadInstr
		return n, TrapBadInstr
	}

	for ; n > 0; pc++ {
		n--
		i := *(*Instr)(unsafe.Add(code, pc*8))
		r := (*frameView)(unsafe.Add(mem, sp)) // cheaper made anew than kept

		switch i.Op() {
		case NOP:

		case MOV:
			r[i.A()] = r[i.B()]
		case MOVN:
			a, b, x := uint(i.A()), uint(i.B()), uint(i.X())
			if max(a, b)+x > uint(len(r)) {
				goto bad
			}
			if a <= b {
				for k := uint(0); k < x; k++ {
					r[uint16(a+k)] = r[uint16(b+k)]
				}
			} else {
				for k := x; k > 0; k-- {
					r[uint16(a+k-1)] = r[uint16(b+k-1)]
				}
			}
		case LDI:
			r[i.A()] = uint64(i.Imm())
		case LDK:
			r[i.A()] = m.Program.Consts[i.Imm()]
		case ZERO:
			a, slots := uint(i.A()), uint(uint32(i.Imm()))
			if a+slots > uint(len(r)) {
				goto bad
			}
			for end := a + slots; a < end; a++ {
				r[uint16(a)] = 0
			}
		case LEA:
			r[i.A()] = sp + 8*uint64(i.Imm())
		case CTXT:
			r[i.A()] = uint64(c.Ctxt)

		case ADD:
			r[i.A()] = r[i.B()] + r[i.C()]
		case SUB:
			r[i.A()] = r[i.B()] - r[i.C()]
		case MUL:
			r[i.A()] = r[i.B()] * r[i.C()]
		case DIV:
			if r[i.C()] == 0 {
				trap = c.setPanic(PanicDivide, 0, 0)
				goto stop
			}
			r[i.A()] = uint64(int64(r[i.B()]) / int64(r[i.C()]))
		case DIVU:
			if r[i.C()] == 0 {
				trap = c.setPanic(PanicDivide, 0, 0)
				goto stop
			}
			r[i.A()] = r[i.B()] / r[i.C()]
		case REM:
			if r[i.C()] == 0 {
				trap = c.setPanic(PanicDivide, 0, 0)
				goto stop
			}
			r[i.A()] = uint64(int64(r[i.B()]) % int64(r[i.C()]))
		case REMU:
			if r[i.C()] == 0 {
				trap = c.setPanic(PanicDivide, 0, 0)
				goto stop
			}
			r[i.A()] = r[i.B()] % r[i.C()]
		case AND:
			r[i.A()] = r[i.B()] & r[i.C()]
		case OR:
			r[i.A()] = r[i.B()] | r[i.C()]
		case XOR:
			r[i.A()] = r[i.B()] ^ r[i.C()]
		case ANDN:
			r[i.A()] = r[i.B()] &^ r[i.C()]
		case SHL:
			r[i.A()] = r[i.B()] << r[i.C()]
		case SHR:
			r[i.A()] = r[i.B()] >> r[i.C()]
		case SAR:
			r[i.A()] = uint64(int64(r[i.B()]) >> r[i.C()])
		case ADDI:
			r[i.A()] = r[i.B()] + uint64(int16(i.C()))
		case NEG:
			r[i.A()] = -r[i.B()]
		case COM:
			r[i.A()] = ^r[i.B()]
		case NOT:
			r[i.A()] = bit(r[i.B()] == 0)
		case EXT:
			v := r[i.B()]
			switch Ext(i.X()) {
			case ExtI8:
				v = uint64(int8(v))
			case ExtI16:
				v = uint64(int16(v))
			case ExtI32:
				v = uint64(int32(v))
			case ExtU8:
				v = uint64(uint8(v))
			case ExtU16:
				v = uint64(uint16(v))
			case ExtU32:
				v = uint64(uint32(v))
			default:
				goto bad
			}
			r[i.A()] = v
		case SHCK:
			if int64(r[i.A()]) < 0 {
				trap = c.setPanic(PanicShift, r[i.A()], 0)
				goto stop
			}

		case EQ:
			r[i.A()] = bit(r[i.B()] == r[i.C()])
		case NE:
			r[i.A()] = bit(r[i.B()] != r[i.C()])
		case LT:
			r[i.A()] = bit(int64(r[i.B()]) < int64(r[i.C()]))
		case LE:
			r[i.A()] = bit(int64(r[i.B()]) <= int64(r[i.C()]))
		case LTU:
			r[i.A()] = bit(r[i.B()] < r[i.C()])
		case LEU:
			r[i.A()] = bit(r[i.B()] <= r[i.C()])

		case JMP:
			pc += uint64(i.Imm())
		case JZ:
			if r[i.A()] == 0 {
				pc += uint64(i.Imm())
			}
		case JNZ:
			if r[i.A()] != 0 {
				pc += uint64(i.Imm())
			}
		case JEQ:
			if r[i.A()] == r[i.B()] {
				pc += uint64(int16(i.C()))
			}
		case JNE:
			if r[i.A()] != r[i.B()] {
				pc += uint64(int16(i.C()))
			}
		case JLT:
			if int64(r[i.A()]) < int64(r[i.B()]) {
				pc += uint64(int16(i.C()))
			}
		case JLE:
			if int64(r[i.A()]) <= int64(r[i.B()]) {
				pc += uint64(int16(i.C()))
			}
		case JLTU:
			if r[i.A()] < r[i.B()] {
				pc += uint64(int16(i.C()))
			}
		case JLEU:
			if r[i.A()] <= r[i.B()] {
				pc += uint64(int16(i.C()))
			}
		case JEQI:
			if int64(r[i.A()]) == int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		case JNEI:
			if int64(r[i.A()]) != int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		case JLTI:
			if int64(r[i.A()]) < int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		case JLEI:
			if int64(r[i.A()]) <= int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		case JGTI:
			if int64(r[i.A()]) > int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		case JGEI:
			if int64(r[i.A()]) >= int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}

		case FADD:
			if i.X() == 0 {
				r[i.A()] = bits64(f64(r[i.B()]) + f64(r[i.C()]))
			} else {
				r[i.A()] = bits32(f32(r[i.B()]) + f32(r[i.C()]))
			}
		case FSUB:
			if i.X() == 0 {
				r[i.A()] = bits64(f64(r[i.B()]) - f64(r[i.C()]))
			} else {
				r[i.A()] = bits32(f32(r[i.B()]) - f32(r[i.C()]))
			}
		case FMUL:
			if i.X() == 0 {
				r[i.A()] = bits64(f64(r[i.B()]) * f64(r[i.C()]))
			} else {
				r[i.A()] = bits32(f32(r[i.B()]) * f32(r[i.C()]))
			}
		case FDIV:
			if i.X() == 0 {
				r[i.A()] = bits64(f64(r[i.B()]) / f64(r[i.C()]))
			} else {
				r[i.A()] = bits32(f32(r[i.B()]) / f32(r[i.C()]))
			}
		case FNEG:
			if i.X() == 0 {
				r[i.A()] = r[i.B()] ^ 1<<63
			} else {
				r[i.A()] = r[i.B()] ^ 1<<31
			}
		case FEQ:
			if i.X() == 0 {
				r[i.A()] = bit(f64(r[i.B()]) == f64(r[i.C()]))
			} else {
				r[i.A()] = bit(f32(r[i.B()]) == f32(r[i.C()]))
			}
		case FNE:
			if i.X() == 0 {
				r[i.A()] = bit(f64(r[i.B()]) != f64(r[i.C()]))
			} else {
				r[i.A()] = bit(f32(r[i.B()]) != f32(r[i.C()]))
			}
		case FLT:
			if i.X() == 0 {
				r[i.A()] = bit(f64(r[i.B()]) < f64(r[i.C()]))
			} else {
				r[i.A()] = bit(f32(r[i.B()]) < f32(r[i.C()]))
			}
		case FLE:
			if i.X() == 0 {
				r[i.A()] = bit(f64(r[i.B()]) <= f64(r[i.C()]))
			} else {
				r[i.A()] = bit(f32(r[i.B()]) <= f32(r[i.C()]))
			}
		case CVIF:
			if i.X() == 0 {
				r[i.A()] = bits64(float64(int64(r[i.B()])))
			} else {
				r[i.A()] = bits32(float32(int64(r[i.B()])))
			}
		case CVUF:
			if i.X() == 0 {
				r[i.A()] = bits64(float64(r[i.B()]))
			} else {
				r[i.A()] = bits32(float32(r[i.B()]))
			}
		case CVFI:
			if i.X() == 0 {
				r[i.A()] = uint64(floatToInt(f64(r[i.B()])))
			} else {
				r[i.A()] = uint64(floatToInt(float64(f32(r[i.B()]))))
			}
		case CVFU:
			if i.X() == 0 {
				r[i.A()] = floatToUint(f64(r[i.B()]))
			} else {
				r[i.A()] = floatToUint(float64(f32(r[i.B()])))
			}
		case CVFF:
			if i.X() == 0 {
				r[i.A()] = bits64(float64(f32(r[i.B()])))
			} else {
				r[i.A()] = bits32(float32(f64(r[i.B()])))
			}

		case LD8U:
			addr = r[i.B()] + uint64(i.C())
			if addr-NilPage >= span {
				goto fault
			}
			r[i.A()] = uint64(*(*uint8)(unsafe.Add(mem, addr)))
		case LD8S:
			addr = r[i.B()] + uint64(i.C())
			if addr-NilPage >= span {
				goto fault
			}
			r[i.A()] = uint64(*(*int8)(unsafe.Add(mem, addr)))
		case LD16U:
			addr = r[i.B()] + uint64(i.C())
			if addr-NilPage >= span-1 {
				goto fault
			}
			r[i.A()] = uint64(*(*uint16)(unsafe.Add(mem, addr)))
		case LD16S:
			addr = r[i.B()] + uint64(i.C())
			if addr-NilPage >= span-1 {
				goto fault
			}
			r[i.A()] = uint64(*(*int16)(unsafe.Add(mem, addr)))
		case LD32U:
			addr = r[i.B()] + uint64(i.C())
			if addr-NilPage >= span-3 {
				goto fault
			}
			r[i.A()] = uint64(*(*uint32)(unsafe.Add(mem, addr)))
		case LD32S:
			addr = r[i.B()] + uint64(i.C())
			if addr-NilPage >= span-3 {
				goto fault
			}
			r[i.A()] = uint64(*(*int32)(unsafe.Add(mem, addr)))
		case LD64:
			addr = r[i.B()] + uint64(i.C())
			if addr-NilPage >= span-7 {
				goto fault
			}
			r[i.A()] = *(*uint64)(unsafe.Add(mem, addr))
		case ST8:
			addr = r[i.A()] + uint64(i.C())
			if addr-NilPage >= span {
				goto fault
			}
			*(*uint8)(unsafe.Add(mem, addr)) = uint8(r[i.B()])
		case ST16:
			addr = r[i.A()] + uint64(i.C())
			if addr-NilPage >= span-1 {
				goto fault
			}
			*(*uint16)(unsafe.Add(mem, addr)) = uint16(r[i.B()])
		case ST32:
			addr = r[i.A()] + uint64(i.C())
			if addr-NilPage >= span-3 {
				goto fault
			}
			*(*uint32)(unsafe.Add(mem, addr)) = uint32(r[i.B()])
		case ST64:
			addr = r[i.A()] + uint64(i.C())
			if addr-NilPage >= span-7 {
				goto fault
			}
			*(*uint64)(unsafe.Add(mem, addr)) = r[i.B()]
		case STP:
			if m.marking {
				goto slow
			}
			addr = r[i.A()] + uint64(i.C())
			if addr-NilPage >= span-7 {
				goto fault
			}
			*(*uint64)(unsafe.Add(mem, addr)) = r[i.B()]
		case ALD:
			addr = r[i.B()] + uint64(i.C())
			if Width(i.X()) <= WidthPointer {
				if addr-NilPage >= span || addr%8 != 0 {
					goto fault
				}
				r[i.A()] = atomic.LoadUint64((*uint64)(unsafe.Add(mem, addr)))
			} else {
				if addr-NilPage >= span || addr%4 != 0 {
					goto fault
				}
				r[i.A()] = i.extend(atomic.LoadUint32((*uint32)(unsafe.Add(mem, addr))))
			}
		case AST:
			if m.marking && Width(i.X()) == WidthPointer {
				goto slow
			}
			addr = r[i.A()] + uint64(i.C())
			if Width(i.X()) <= WidthPointer {
				if addr-NilPage >= span || addr%8 != 0 {
					goto fault
				}
				atomic.StoreUint64((*uint64)(unsafe.Add(mem, addr)), r[i.B()])
			} else {
				if addr-NilPage >= span || addr%4 != 0 {
					goto fault
				}
				atomic.StoreUint32((*uint32)(unsafe.Add(mem, addr)), uint32(r[i.B()]))
			}
		case ASWAP:
			if m.marking && Width(i.X()) == WidthPointer {
				goto slow
			}
			addr = r[i.B()]
			if Width(i.X()) <= WidthPointer {
				if addr-NilPage >= span || addr%8 != 0 {
					goto fault
				}
				r[i.A()] = atomic.SwapUint64((*uint64)(unsafe.Add(mem, addr)), r[i.C()])
			} else {
				if addr-NilPage >= span || addr%4 != 0 {
					goto fault
				}
				r[i.A()] = i.extend(atomic.SwapUint32((*uint32)(unsafe.Add(mem, addr)), uint32(r[i.C()])))
			}
		case ACAS:
			if m.marking && Width(i.X()) == WidthPointer {
				goto slow
			}
			addr = r[i.B()]
			if Width(i.X()) <= WidthPointer {
				if addr-NilPage >= span || addr%8 != 0 {
					goto fault
				}
				r[i.A()] = bit(atomic.CompareAndSwapUint64((*uint64)(unsafe.Add(mem, addr)), r[i.C()], r[i.C()+1]))
			} else {
				if addr-NilPage >= span || addr%4 != 0 {
					goto fault
				}
				r[i.A()] = bit(atomic.CompareAndSwapUint32((*uint32)(unsafe.Add(mem, addr)), uint32(r[i.C()]), uint32(r[i.C()+1])))
			}
		case AADD:
			addr = r[i.B()]
			if Width(i.X()) <= WidthPointer {
				if addr-NilPage >= span || addr%8 != 0 {
					goto fault
				}
				r[i.A()] = atomic.AddUint64((*uint64)(unsafe.Add(mem, addr)), r[i.C()])
			} else {
				if addr-NilPage >= span || addr%4 != 0 {
					goto fault
				}
				r[i.A()] = i.extend(atomic.AddUint32((*uint32)(unsafe.Add(mem, addr)), uint32(r[i.C()])))
			}
		case AAND:
			addr = r[i.B()]
			if Width(i.X()) <= WidthPointer {
				if addr-NilPage >= span || addr%8 != 0 {
					goto fault
				}
				r[i.A()] = atomic.AndUint64((*uint64)(unsafe.Add(mem, addr)), r[i.C()])
			} else {
				if addr-NilPage >= span || addr%4 != 0 {
					goto fault
				}
				r[i.A()] = i.extend(atomic.AndUint32((*uint32)(unsafe.Add(mem, addr)), uint32(r[i.C()])))
			}
		case AOR:
			addr = r[i.B()]
			if Width(i.X()) <= WidthPointer {
				if addr-NilPage >= span || addr%8 != 0 {
					goto fault
				}
				r[i.A()] = atomic.OrUint64((*uint64)(unsafe.Add(mem, addr)), r[i.C()])
			} else {
				if addr-NilPage >= span || addr%4 != 0 {
					goto fault
				}
				r[i.A()] = i.extend(atomic.OrUint32((*uint32)(unsafe.Add(mem, addr)), uint32(r[i.C()])))
			}
		case NILCK:
			if addr = r[i.A()]; addr < NilPage {
				goto fault
			}
		case IDXCK:
			if r[i.A()] >= r[i.B()] {
				kind := PanicIndex
				if i.X() != 0 {
					kind = PanicIndexU
				}
				trap = c.setPanic(kind, r[i.A()], r[i.B()])
				goto stop
			}
		case ELEM:
			r[i.A()] = r[i.B()] + r[i.C()]*uint64(i.X())
		case ELEMS:
			if r[i.C()] >= r[i.B()+1] {
				trap = c.setPanic(PanicIndex, r[i.C()], r[i.B()+1])
				goto stop
			}
			r[i.A()] = r[i.B()] + r[i.C()]*uint64(i.X())
		case CALL:
			if addr = sp - 8; addr-NilPage >= span {
				goto fault
			}
			sp = addr
			*(*uint64)(unsafe.Add(mem, sp)) = pc + 1
			pc = uint64(m.entries[i.Imm()]) - 1
		case CALLC:
			addr = r[i.A()]
			if addr-NilPage >= span-7 {
				goto fault
			}
			closure, target := Addr(addr), *(*uint64)(unsafe.Add(mem, addr))
			if target >= uint64(len(m.Program.Code)) {
				goto bad
			}
			if addr = sp - 8; addr-NilPage >= span {
				goto fault
			}
			c.Ctxt = closure
			sp = addr
			*(*uint64)(unsafe.Add(mem, sp)) = pc + 1
			pc = target - 1
		case ENTER:
			newSP := sp - 8*uint64(uint32(i.Imm()))
			if newSP < atomic.LoadUint64(&c.Guard.v) || newSP > sp {
				trap = TrapMorestack
				goto stop
			}
			if newSP < NilPage {
				addr = newSP
				goto fault
			}
			sp = newSP
		case RET:
			newSP := sp + 8*uint64(uint32(i.Imm()))
			if addr = newSP; addr-NilPage >= span-7 {
				goto fault
			}
			target := *(*uint64)(unsafe.Add(mem, newSP))
			if target >= uint64(len(m.Program.Code)) {
				goto bad
			}
			pc = target - 1
			sp = newSP + 8
		case TRAP:
			trap = Trap(i.X())
			c.Args = Addr(sp + 8*uint64(i.A()))
			goto behind

		// Several instructions at once; see fuse.go.
		case fuseAddiCall:
			r[i.A()] = r[i.B()] + uint64(int16(i.C()))
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			fallthrough
		case fuseCall:
			addr = sp - 8
			if addr-NilPage >= span {
				goto fault
			}
			*(*uint64)(unsafe.Add(mem, addr)) = pc + 1
			sp, pc = addr, uint64(uint32(i.Imm()))
			i = *(*Instr)(unsafe.Add(code, pc*8))
			addr -= 8 * uint64(uint32(i.Imm()))
			if addr < atomic.LoadUint64(&c.Guard.v) || addr > sp || addr < NilPage {
				pc-- // ENTER says what is wrong
			} else {
				n--
				sp = addr
			}
		case fuseAddiJlt:
			r[i.A()] = r[i.B()] + uint64(int16(i.C()))
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			if int64(r[i.A()]) < int64(r[i.B()]) {
				pc += uint64(int16(i.C()))
			}
		case fuseAddiJlti:
			r[i.A()] = r[i.B()] + uint64(int16(i.C()))
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			if int64(r[i.A()]) < int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		case fuseAddiJle:
			r[i.A()] = r[i.B()] + uint64(int16(i.C()))
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			if int64(r[i.A()]) <= int64(r[i.B()]) {
				pc += uint64(int16(i.C()))
			}
		case fuseAddiMov:
			r[i.A()] = r[i.B()] + uint64(int16(i.C()))
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = r[i.B()]
		case fuseLdiLdi:
			r[i.A()] = uint64(i.Imm())
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = uint64(i.Imm())
		case fuseLdiLea:
			r[i.A()] = uint64(i.Imm())
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = sp + 8*uint64(i.Imm())
		case fuseLdiMov:
			r[i.A()] = uint64(i.Imm())
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = r[i.B()]
		case fuseLdiAnd:
			r[i.A()] = uint64(i.Imm())
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = r[i.B()] & r[i.C()]
		case fuseLdiTrap:
			r[i.A()] = uint64(i.Imm())
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			trap = Trap(i.X())
			c.Args = Addr(sp + 8*uint64(i.A()))
			goto behind
		case fuseMovMov:
			r[i.A()] = r[i.B()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = r[i.B()]
		case fuseMovLdi:
			r[i.A()] = r[i.B()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = uint64(i.Imm())
		case fuseMovLea:
			r[i.A()] = r[i.B()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = sp + 8*uint64(i.Imm())
		case fuseMovJz:
			r[i.A()] = r[i.B()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			if r[i.A()] == 0 {
				pc += uint64(i.Imm())
			}
		case fuseMovRet:
			r[i.A()] = r[i.B()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			newSP := sp + 8*uint64(uint32(i.Imm()))
			if addr = newSP; addr-NilPage >= span-7 {
				goto fault
			}
			target := *(*uint64)(unsafe.Add(mem, newSP))
			if target >= uint64(len(m.Program.Code)) {
				goto bad
			}
			pc = target - 1
			sp = newSP + 8
		case fuseLeaTrap:
			r[i.A()] = sp + 8*uint64(i.Imm())
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			trap = Trap(i.X())
			c.Args = Addr(sp + 8*uint64(i.A()))
			goto behind
		case fuseLdkMul:
			r[i.A()] = m.Program.Consts[i.Imm()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = r[i.B()] * r[i.C()]
		case fuseMulAdd:
			r[i.A()] = r[i.B()] * r[i.C()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = r[i.B()] + r[i.C()]
		case fuseAddAddi:
			r[i.A()] = r[i.B()] + r[i.C()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			r[i.A()] = r[i.B()] + uint64(int16(i.C()))
		case fuseAddRet:
			r[i.A()] = r[i.B()] + r[i.C()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			newSP := sp + 8*uint64(uint32(i.Imm()))
			if addr = newSP; addr-NilPage >= span-7 {
				goto fault
			}
			target := *(*uint64)(unsafe.Add(mem, newSP))
			if target >= uint64(len(m.Program.Code)) {
				goto bad
			}
			pc = target - 1
			sp = newSP + 8
		case fuseAndJeqi:
			r[i.A()] = r[i.B()] & r[i.C()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			if int64(r[i.A()]) == int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		case fuseAndJnei:
			r[i.A()] = r[i.B()] & r[i.C()]
			n, pc = n-1, pc+1
			i = *(*Instr)(unsafe.Add(code, pc*8))
			if int64(r[i.A()]) != int64(int16(i.B())) {
				pc += uint64(int16(i.C()))
			}
		default:
			goto slow
		}
	}
	trap = TrapBudget
	goto stop

slow:
	trap = trapSlow
behind: // the PC of the next instruction
	pc++
	goto stop
fault:
	c.Fault = Addr(addr)
	trap = TrapFault
	goto stop
bad:
	trap = TrapBadInstr
stop: // the PC of the instruction itself, which has had no effect, or was not executed
	c.PC, c.SP, c.Trap = PC(pc), Addr(sp), trap
	return n, trap
}

// slow executes the instructions that need a function call. c is up to date.
func (t *Thread) slow(c *Context, r *frameView, i Instr) Trap {
	m := t.m
	switch i.Op() {
	case LDB:
		addr, n := Addr(r[i.B()]+uint64(i.C())), int64(i.X())
		if !m.Valid(addr, n) {
			return c.setFault(addr)
		}
		slots := r[i.A():]
		if int64(len(slots))*8 < n {
			return TrapBadInstr
		}
		dst := slotBytes(slots, (n+7)&^7)
		copy(dst, m.Bytes(addr, n))
		clear(dst[n:])
	case STB:
		addr, n := Addr(r[i.A()]+uint64(i.C())), int64(i.X())
		if !m.Valid(addr, n) {
			return c.setFault(addr)
		}
		slots := r[i.B():]
		if int64(len(slots))*8 < n {
			return TrapBadInstr
		}
		if m.marking {
			m.bulkBarrier(addr, c.SP+8*Addr(i.B()), n)
		}
		copy(m.Bytes(addr, n), slotBytes(slots, n))
	case STP, AST, ASWAP, ACAS:
		return m.store(c, r, i)
	case COPY:
		dst, src, n := Addr(r[i.A()]), Addr(r[i.B()]), int64(r[i.C()])
		if !m.Valid(src, n) {
			return c.setFault(src)
		}
		if !m.Valid(dst, n) {
			return c.setFault(dst)
		}
		if m.marking {
			m.bulkBarrier(dst, src, n)
		}
		copy(m.Bytes(dst, n), m.Bytes(src, n))
	case CLR:
		addr, n := Addr(r[i.A()]), int64(r[i.B()])
		if !m.Valid(addr, n) {
			return c.setFault(addr)
		}
		if m.marking {
			m.bulkBarrier(addr, 0, n)
		}
		clear(m.Bytes(addr, n))

	case SLICE:
		return sliceExpr(c, r, i)

	case NEW:
		if at, ok := t.newFast(i.Imm()); ok {
			r[i.A()] = uint64(at)
			return TrapNone
		}
		l := &m.Program.Layouts[i.Imm()]
		return t.alloc(c, &r[i.A()], l.Size, l.kind(int(i.Imm())))
	case NEWN:
		n := int64(r[i.B()])
		l := &m.Program.Layouts[i.C()]
		size := makeSliceSize(n, l.Size)
		if size < 0 {
			return c.setPanic(PanicMakeSliceLen, uint64(n), 0)
		}
		return t.alloc(c, &r[i.A()], size, l.kind(int(i.C())))

	case HOST:
		c.Args = c.SP + 8*Addr(i.A())
		return hosts[i.Imm()](t, c, c.Args)

	default:
		return TrapBadInstr
	}
	return TrapNone
}

// alloc stores the address of a new object of n bytes in slot.
func (t *Thread) alloc(c *Context, slot *uint64, n int64, k kind) Trap {
	addr, trap := t.mallocgc(c, n, k)
	if trap == TrapNone {
		*slot = uint64(addr)
	}
	return trap
}

// kind is that of objects whose elements have the layout l, the one with that number.
func (l *Layout) kind(number int) kind {
	if l.Pointers == nil {
		return 0
	}
	return kind(number)
}

func (c *Context) setFault(addr Addr) Trap {
	c.Fault = addr
	return TrapFault
}

func (c *Context) setPanic(kind PanicCode, x, y uint64) Trap {
	c.Panic, c.X, c.Y = kind, int64(x), int64(y)
	return TrapPanic
}

// sliceExpr computes the slice expression i in frame r. The operands are
// checked in Go's order: max, then high, then low; each against the next.
func sliceExpr(c *Context, r *frameView, i Instr) Trap {
	flags, in := i.X(), i.C()
	addr, length, capacity := r[in], r[in+1], r[in+2]
	low, high, max, size := r[in+3], r[in+4], r[in+5], r[in+6]
	fixed := flags&(SliceString|SliceArray) != 0 // panics speak of its length, not its capacity
	if flags&SliceString != 0 {
		capacity = length
	}
	if flags&SliceLow == 0 {
		low = 0
	}
	if flags&SliceHigh == 0 {
		high = length
	}
	if flags&SliceMax == 0 {
		max = capacity
	}

	if max > capacity {
		if fixed {
			return c.setPanic(PanicSlice3Alen, max, capacity)
		}
		return c.setPanic(PanicSlice3Acap, max, capacity)
	}
	if high > max {
		switch {
		case flags&SliceMax != 0:
			return c.setPanic(PanicSlice3B, high, max)
		case fixed:
			return c.setPanic(PanicSliceAlen, high, max)
		}
		return c.setPanic(PanicSliceAcap, high, max)
	}
	if low > high {
		if flags&SliceMax != 0 {
			return c.setPanic(PanicSlice3C, low, high)
		}
		return c.setPanic(PanicSliceB, low, high)
	}

	// An empty result keeps the old address: one past the end would be the
	// address of the next object.
	room := max - low
	if flags&SliceString != 0 {
		room = high - low
	}
	if room != 0 {
		addr += low * size
	}
	a := i.A()
	r[a], r[a+1] = addr, high-low
	if flags&SliceString == 0 {
		r[a+2] = max - low
	}
	return TrapNone
}

// maxMakeBytes is the size from which on make panics rather than runs out of
// memory, as Go's does on amd64.
const maxMakeBytes = 1 << 48

// makeSliceSize returns the bytes of n elements, or -1 if make must panic.
func makeSliceSize(n, size int64) int64 {
	if n < 0 || size > 0 && n > maxMakeBytes/size {
		return -1
	}
	return n * size
}

// slotBytes returns the first n bytes of slots.
func slotBytes(slots []uint64, n int64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slots))), n)
}

// extend returns the slot for the value v of the variable of 32 bits that i is for.
func (i Instr) extend(v uint32) uint64 {
	if Width(i.X()) == WidthInt32 {
		return uint64(int32(v))
	}
	return uint64(v)
}

// bit is how a bool lies in a slot.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func f64(slot uint64) float64 { return math.Float64frombits(slot) }
func f32(slot uint64) float32 { return math.Float32frombits(uint32(slot)) }
func bits64(f float64) uint64 { return math.Float64bits(f) }
func bits32(f float32) uint64 { return uint64(math.Float32bits(f)) }

// floatToInt converts as Go does on amd64, on every host: what does not fit
// becomes the smallest integer.
func floatToInt(f float64) int64 {
	if f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}

// floatToUint likewise: what does not fit becomes 1<<63, but negative numbers
// go through int64.
func floatToUint(f float64) uint64 {
	if f >= 1<<63 && f < 1<<64 {
		return uint64(int64(f-1<<63)) ^ 1<<63
	}
	return uint64(floatToInt(f))
}
