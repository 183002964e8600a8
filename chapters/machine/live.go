package machine

import "math/bits"

// The collector keeps what the program can still use, and no more. A slot of a frame that
// once held an address may be dead: nothing will read it before something is written there.
// Which slots are live at an instruction follows from the code itself, by the usual
// backward analysis. It is done once for a function, when the collector first meets it.
//
// What is beyond the code is live throughout: slots whose address is taken by LEA, and
// whatever the function reads when a deferred call has recovered, which begins with the list of
// those that are left.

// liveness are the live slots of a function. One more is treated as a slot: the closure
// register, in the place of the return PC, which no instruction names.
type liveness struct {
	f     *Func
	words int      // of a set
	in    []uint64 // for each instruction, the set before it
	flow  []flow
}

// A flow is where a function goes on after an instruction: there may be two such places,
// counted from its entry, or -1.
type flow [2]int32

// set returns the set of slots that are live before the instruction at pc.
func (lv *liveness) set(pc PC) []uint64 {
	at := int(pc-lv.f.Entry) * lv.words
	return lv.in[at : at+lv.words]
}

// addOut adds what is live after the instruction at pc to set.
func (lv *liveness) addOut(set []uint64, pc PC) {
	for _, next := range lv.flow[pc-lv.f.Entry] {
		if next >= 0 {
			for i, w := range lv.set(lv.f.Entry + PC(next)) {
				set[i] |= w
			}
		}
	}
}

// newLiveness analyses f.
func (p *Program) newLiveness(f *Func) *liveness {
	slots, n := int(f.Frame)+ArgBase+int(f.Args), int(f.End-f.Entry)
	lv := &liveness{f: f, words: (slots + 63) / 64, flow: make([]flow, n)}
	lv.in = make([]uint64, n*lv.words)
	always := make([]uint64, lv.words)
	put := func(set []uint64, on bool) func(slot, count int) {
		return func(slot, count int) {
			for i := max(slot, 0); i < min(slot+count, slots); i++ {
				if on {
					add(set, i)
				} else {
					remove(set, i)
				}
			}
		}
	}
	for k := range lv.flow {
		pc := f.Entry + PC(k)
		i := p.Code[pc]
		lv.flow[k] = flow{int32(k) + 1, -1}
		switch op := i.Op(); {
		case op == RET:
			lv.flow[k][0] = -1
		case op.isJump():
			lv.flow[k][1] = int32(i.target(pc) - int64(f.Entry))
			if op == JMP {
				lv.flow[k][0] = -1
			}
		case op == LEA:
			count := int(i.X())
			if count == 0 {
				count = slots
			}
			put(always, true)(int(i.Imm()), count)
		}
		for j, next := range lv.flow[k] {
			if next >= int32(n) {
				lv.flow[k][j] = -1
			}
		}
	}
	if p.isUnwind(f) { // see Machine.record
		put(always, true)(int(f.Frame)+ArgBase, int(f.Params))
	}
	now := make([]uint64, lv.words)
	use, def := put(now, true), put(now, false)
	for changed := true; changed; {
		changed = false
		for k := n - 1; k >= 0; k-- {
			clear(now)
			lv.addOut(now, f.Entry+PC(k))
			p.effects(f, p.Code[f.Entry+PC(k)], def, nil)
			p.effects(f, p.Code[f.Entry+PC(k)], nil, use)
			if f.Recover != 0 {
				for i, w := range lv.set(f.Recover) {
					now[i] |= w
				}
			}
			for i, in := 0, lv.set(f.Entry+PC(k)); i < lv.words; i++ {
				if w := now[i] | always[i]; w != in[i] {
					in[i], changed = w, true
				}
			}
		}
	}
	return lv
}

// liveness returns that of f. Any thread may call it.
func (m *Machine) liveness(f *Func) *liveness {
	g := &m.arena.heap.gc
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.live == nil {
		g.live = map[*Func]*liveness{}
	}
	lv := g.live[f]
	if lv == nil {
		lv = m.Program.newLiveness(f)
		g.live[f] = lv
	}
	return lv
}

// effects calls def for the slots that i, an instruction of f, writes in any case, and
// use for those that it reads, or that are read because of it. Either may be nil.
func (p *Program) effects(f *Func, i Instr, def, use func(slot, count int)) {
	if def == nil {
		def = func(int, int) {}
	}
	if use == nil {
		use = func(int, int) {}
	}
	a, b, c, x := int(i.A()), int(i.B()), int(i.C()), int(i.X())
	bytes := (x + 7) / 8 // of LDB and STB
	switch op := i.Op(); op {
	case NOP, JMP, ENTER:
	case MOVN:
		def(a, x)
		use(b, x)
	case LDI, LDK, LEA, NEW:
		def(a, 1)
	case ZERO:
		def(a, int(i.Imm()))
	case CTXT:
		def(a, 1)
		use(int(f.Frame), 1)
	case SHCK, JZ, JNZ, JEQI, JNEI, JLTI, JLEI, JGTI, JGEI, NILCK:
		use(a, 1)
	case JEQ, JNE, JLT, JLE, JLTU, JLEU, ST8, ST16, ST32, ST64, STP, AST, CLR, IDXCK:
		use(a, 1)
		use(b, 1)
	case MOV, ADDI, NEG, COM, NOT, EXT, FNEG, CVIF, CVUF, CVFI, CVFU, CVFF,
		LD8U, LD8S, LD16U, LD16S, LD32U, LD32S, LD64, ALD, NEWN:
		def(a, 1)
		use(b, 1)
	case LDB:
		def(a, bytes)
		use(b, 1)
	case STB:
		use(a, 1)
		use(b, bytes)
	case COPY:
		use(a, 1)
		use(b, 1)
		use(c, 1)
	case ACAS:
		def(a, 1)
		use(b, 1)
		use(c, 2)
	case ELEMS:
		def(a, 1)
		use(b, 2)
		use(c, 1)
	case SLICE:
		n := 3
		if x&SliceString != 0 {
			n = 2
		}
		def(a, n)
		use(c, 7)
	case CALL:
		def(0, int(f.Outs))
		use(0, int(p.Funcs[i.Imm()].Params))
	case CALLC: // of what it calls it knows nothing
		def(0, int(f.Outs))
		use(a, 1)
		use(0, int(f.Outs))
	case HOST: // its block
		use(a, int(f.Outs)-a)
	case TRAP: // likewise, in the outgoing slots or in temporary ones
		if a < int(f.Outs) {
			def(0, int(f.Outs))
		}
		use(a, Trap(x).Args())
	case RET:
		use(int(f.Frame)+ArgBase+int(f.Params), int(f.Args)-int(f.Params))
	default: // r[a] = r[b] op r[c]
		def(a, 1)
		use(b, 1)
		use(c, 1)
	}
}

// returnsAddress reports whether t is a call into the runtime with an address among its
// results.
func (t Trap) returnsAddress() bool { return t == TrapMakechan || t == TrapNextFinalizer }

// Args is how many arguments a call into the runtime has, in slots; the collector keeps what
// they lead to.
func (t Trap) Args() int { return trapArgs[t] }

// trapArgs has all that are IsCall.
var trapArgs = map[Trap]int{
	TrapNewproc: 1, TrapGosched: 0, TrapGoexit: 0, TrapGoexitCall: 0, TrapMainExit: 0, TrapExit: 1,
	TrapWrite: 3, TrapGopanic: 0, TrapNumGoroutine: 0, TrapGOMAXPROCS: 1, TrapReadMemStats: 0,
	TrapGCNow: 0, TrapSetGCPercent: 1, TrapSetFinalizer: 4, TrapAddCleanup: 2, TrapStopCleanup: 2,
	TrapNextFinalizer: 0, TrapLockThread: 0, TrapUnlockThread: 0, TrapNanotime: 0, TrapWalltime: 0,
	TrapPark: 1, TrapMakechan: 2, TrapChansend: 2, TrapChanrecv: 2, TrapClosechan: 1, TrapChanlen: 1,
	TrapChancap: 1, TrapSelectgo: 3, TrapSemacquire: 3, TrapSemrelease: 2,
	TrapNotifyAdd: 1, TrapNotifyWait: 2, TrapNotifyAll: 1, TrapNotifyOne: 1,
	TrapSleep: 1, TrapResetTimer: 3, TrapStopTimer: 1,
	TrapPollOpen: 1, TrapPollClose: 1, TrapPollReset: 2, TrapPollWait: 2, TrapPollSetDeadline: 3,
	TrapPollUnblock: 1, TrapSyscall: 4, TrapRawSyscall: 4, TrapThrow: 2,
}

// A stackMap calls visit for each address in the frame of a goroutine that the program may
// still follow. at says where the goroutine stopped, if this is its innermost frame; else
// at is nil and the frame has called the one before.
//
// In outgoing slots lies what belongs to no variable: arguments on their way to a call,
// and results on their way from one. There is no bit that says which of them are
// addresses, so whatever looks like the address of an object is taken for one, as long as
// it is live.
func (m *Machine) stackMap(fr Frame, at *Context, visit func(addr Addr)) {
	f := fr.Func
	lv := m.liveness(f)
	set := make([]uint64, lv.words)
	outs := 0
	if at != nil {
		outs = int(f.Outs)
		copy(set, lv.set(fr.PC))
	}
	if at == nil || at.Trap.returnsAddress() { // perhaps it has its results
		lv.addOut(set, fr.PC)
	}
	base := fr.Ret - 8*Addr(f.Frame)
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			slot := 64*i + bits.TrailingZeros64(word)
			addr := base + 8*Addr(slot)
			switch {
			case slot == int(f.Frame):
				if at != nil {
					visit(at.Ctxt)
				}
			case addr < fr.SP:
			case slot < outs, slot >= int(f.Outs) && f.IsPointer(slot):
				visit(Addr(m.words[addr>>3]))
			}
		}
	}
}
