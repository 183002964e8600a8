package machine

import (
	"fmt"
	"strings"
)

// form is how the operands of an operation are written: letters of the fields
// it has, in the order of writing.
//
//	a b c   a slot
//	i       imm, a number
//	n m     b, c as signed numbers
//	o       c as an unsigned number
//	j J     the target of a jump, by c or by imm
//	x       x as a number
//	e       x as an Ext
//	w       x as a Width
//	f       x as the width of a float
//	k F H T a constant, a function, a host function, a trap, by number
type form struct {
	name, operands string
}

var forms = [NumOps]form{
	NOP: {"NOP", ""},

	MOV:  {"MOV", "ab"},
	MOVN: {"MOVN", "abx"},
	LDI:  {"LDI", "ai"},
	LDK:  {"LDK", "ak"},
	ZERO: {"ZERO", "ai"},
	LEA:  {"LEA", "ai"},
	CTXT: {"CTXT", "a"},

	ADD: {"ADD", "abc"}, SUB: {"SUB", "abc"}, MUL: {"MUL", "abc"},
	DIV: {"DIV", "abc"}, DIVU: {"DIVU", "abc"}, REM: {"REM", "abc"}, REMU: {"REMU", "abc"},
	AND: {"AND", "abc"}, OR: {"OR", "abc"}, XOR: {"XOR", "abc"}, ANDN: {"ANDN", "abc"},
	SHL: {"SHL", "abc"}, SHR: {"SHR", "abc"}, SAR: {"SAR", "abc"},
	ADDI: {"ADDI", "abm"},
	NEG:  {"NEG", "ab"}, COM: {"COM", "ab"}, NOT: {"NOT", "ab"},
	EXT:  {"EXT", "abe"},
	SHCK: {"SHCK", "a"},

	EQ: {"EQ", "abc"}, NE: {"NE", "abc"}, LT: {"LT", "abc"}, LE: {"LE", "abc"},
	LTU: {"LTU", "abc"}, LEU: {"LEU", "abc"},

	JMP: {"JMP", "J"}, JZ: {"JZ", "aJ"}, JNZ: {"JNZ", "aJ"},
	JEQ: {"JEQ", "abj"}, JNE: {"JNE", "abj"}, JLT: {"JLT", "abj"}, JLE: {"JLE", "abj"},
	JLTU: {"JLTU", "abj"}, JLEU: {"JLEU", "abj"},
	JEQI: {"JEQI", "anj"}, JNEI: {"JNEI", "anj"}, JLTI: {"JLTI", "anj"},
	JLEI: {"JLEI", "anj"}, JGTI: {"JGTI", "anj"}, JGEI: {"JGEI", "anj"},

	FADD: {"FADD", "abcf"}, FSUB: {"FSUB", "abcf"}, FMUL: {"FMUL", "abcf"}, FDIV: {"FDIV", "abcf"},
	FNEG: {"FNEG", "abf"},
	FEQ:  {"FEQ", "abcf"}, FNE: {"FNE", "abcf"}, FLT: {"FLT", "abcf"}, FLE: {"FLE", "abcf"},
	CVIF: {"CVIF", "abf"}, CVUF: {"CVUF", "abf"}, CVFI: {"CVFI", "abf"}, CVFU: {"CVFU", "abf"},
	CVFF: {"CVFF", "abf"},

	LD8U: {"LD8U", "a[bo]"}, LD8S: {"LD8S", "a[bo]"}, LD16U: {"LD16U", "a[bo]"}, LD16S: {"LD16S", "a[bo]"},
	LD32U: {"LD32U", "a[bo]"}, LD32S: {"LD32S", "a[bo]"}, LD64: {"LD64", "a[bo]"}, LDB: {"LDB", "a[bo]x"},
	ST8: {"ST8", "[ao]b"}, ST16: {"ST16", "[ao]b"}, ST32: {"ST32", "[ao]b"}, ST64: {"ST64", "[ao]b"},
	STP:  {"STP", "[ao]b"},
	STB:  {"STB", "[ao]bx"},
	COPY: {"COPY", "abc"},
	CLR:  {"CLR", "ab"},

	ALD: {"ALD", "a[bo]w"}, AST: {"AST", "[ao]bw"},
	ASWAP: {"ASWAP", "a[b]cw"}, ACAS: {"ACAS", "a[b]cw"}, AADD: {"AADD", "a[b]cw"},
	AAND: {"AAND", "a[b]cw"}, AOR: {"AOR", "a[b]cw"},

	NILCK: {"NILCK", "a"},
	IDXCK: {"IDXCK", "abx"},
	ELEM:  {"ELEM", "abcx"},
	ELEMS: {"ELEMS", "abcx"},
	SLICE: {"SLICE", "acx"},

	NEW:  {"NEW", "ai"},
	NEWN: {"NEWN", "abo"},

	CALL:  {"CALL", "F"},
	CALLC: {"CALLC", "a"},
	ENTER: {"ENTER", "i"},
	RET:   {"RET", "i"},
	HOST:  {"HOST", "Ha"},
	TRAP:  {"TRAP", "Ta"},
}

// String returns the name of op.
func (op Op) String() string {
	if op < NumOps {
		return forms[op].name
	}
	return fmt.Sprintf("op%d", uint8(op))
}

var trapNames = [NumTraps]string{
	TrapNone:            "none",
	TrapBudget:          "budget",
	TrapSignal:          "signal",
	TrapMorestack:       "morestack",
	TrapFault:           "fault",
	TrapPanic:           "panic",
	TrapOutOfMemory:     "outofmemory",
	TrapBadInstr:        "badinstr",
	TrapGC:              "gc",
	TrapNewproc:         "newproc",
	TrapGosched:         "gosched",
	TrapGoexit:          "goexit",
	TrapGoexitCall:      "goexitcall",
	TrapMainExit:        "mainexit",
	TrapExit:            "exit",
	TrapWrite:           "write",
	TrapGopanic:         "gopanic",
	TrapNumGoroutine:    "numgoroutine",
	TrapGOMAXPROCS:      "gomaxprocs",
	TrapReadMemStats:    "readmemstats",
	TrapGCNow:           "gcnow",
	TrapSetGCPercent:    "setgcpercent",
	TrapSetFinalizer:    "setfinalizer",
	TrapAddCleanup:      "addcleanup",
	TrapStopCleanup:     "stopcleanup",
	TrapNextFinalizer:   "nextfinalizer",
	TrapLockThread:      "lockosthread",
	TrapUnlockThread:    "unlockosthread",
	TrapNanotime:        "nanotime",
	TrapWalltime:        "walltime",
	TrapPark:            "park",
	TrapMakechan:        "makechan",
	TrapChansend:        "chansend",
	TrapChanrecv:        "chanrecv",
	TrapClosechan:       "closechan",
	TrapChanlen:         "chanlen",
	TrapChancap:         "chancap",
	TrapSelectgo:        "selectgo",
	TrapSemacquire:      "semacquire",
	TrapSemrelease:      "semrelease",
	TrapNotifyAdd:       "notifyadd",
	TrapNotifyWait:      "notifywait",
	TrapNotifyAll:       "notifyall",
	TrapNotifyOne:       "notifyone",
	TrapSleep:           "sleep",
	TrapResetTimer:      "resettimer",
	TrapStopTimer:       "stoptimer",
	TrapPollOpen:        "pollopen",
	TrapPollClose:       "pollclose",
	TrapPollReset:       "pollreset",
	TrapPollWait:        "pollwait",
	TrapPollSetDeadline: "pollsetdeadline",
	TrapPollUnblock:     "pollunblock",
	TrapSyscall:         "syscall",
	TrapRawSyscall:      "rawsyscall",
	TrapThrow:           "throw",
}

// String returns the name of t: "newproc".
func (t Trap) String() string {
	if t < NumTraps {
		return trapNames[t]
	}
	return fmt.Sprintf("trap%d", uint8(t))
}

var extNames = [...]string{ExtI8: "int8", ExtI16: "int16", ExtI32: "int32", ExtU8: "uint8", ExtU16: "uint16", ExtU32: "uint32"}

func (e Ext) String() string {
	if int(e) < len(extNames) {
		return extNames[e]
	}
	return fmt.Sprintf("ext%d", uint8(e))
}

var widthNames = [NumWidths]string{Width64: "64", WidthPointer: "pointer", WidthInt32: "int32", WidthUint32: "uint32"}

func (w Width) String() string {
	if w < NumWidths {
		return widthNames[w]
	}
	return fmt.Sprintf("width%d", uint8(w))
}

// Disasm returns the code of f as text: a head, then an instruction a line with
// its pc and, where it changes, its source line. The function's own slots are
// written r0, r1, …, its arguments and then results a0, a1, …
func (p *Program) Disasm(f *Func) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: frame %d, args %d", f.Name, f.Frame, f.Args)
	if f.File >= 0 && f.File < len(p.Files) {
		fmt.Fprintf(&b, ", %s:%d", p.Files[f.File].Name, f.Line)
	}
	b.WriteByte('\n')
	if s := f.pointerSlots(); s != "" {
		fmt.Fprintf(&b, "pointers:%s\n", s)
	}
	line := 0
	for pc := f.Entry; pc < f.End; pc++ {
		at := ""
		if l := f.LineAt(pc); l != line {
			line, at = l, fmt.Sprintf(":%d", l)
		}
		fmt.Fprintf(&b, "%6d %6s  %s\n", pc, at, p.instr(f, pc))
	}
	return b.String()
}

func (f *Func) pointerSlots() string {
	var b strings.Builder
	for i := range int(f.Frame) + ArgBase + int(f.Args) {
		if f.IsPointer(i) {
			b.WriteString(" " + f.slotName(uint16(i)))
		}
	}
	return b.String()
}

func (f *Func) slotName(i uint16) string {
	if uint32(i) < f.Frame+ArgBase {
		return fmt.Sprintf("r%d", i)
	}
	return fmt.Sprintf("a%d", uint32(i)-f.Frame-ArgBase)
}

// instr writes the instruction at pc.
func (p *Program) instr(f *Func, pc PC) string {
	i := p.Code[pc]
	if i.Op() >= NumOps {
		return fmt.Sprintf("%#016x", uint64(i))
	}
	form := forms[i.Op()]
	var b strings.Builder
	sep := " "
	for _, letter := range form.operands {
		switch letter {
		case '[':
			b.WriteString(sep + "[")
			sep = ""
		case ']':
			b.WriteString("]")
			sep = ", "
		case 'o':
			if sep == "+" && i.C() == 0 {
				continue // [r1], not [r1+0]
			}
			fallthrough
		default:
			b.WriteString(sep + p.operand(f, pc, letter))
			if sep == "" {
				sep = "+"
			} else {
				sep = ", "
			}
		}
	}
	return strings.TrimRight(fmt.Sprintf("%-5s%s", form.name, b.String()), " ")
}

func (p *Program) operand(f *Func, pc PC, letter rune) string {
	i := p.Code[pc]
	switch letter {
	case 'a':
		return f.slotName(i.A())
	case 'b':
		return f.slotName(i.B())
	case 'c':
		return f.slotName(i.C())
	case 'i':
		return fmt.Sprint(i.Imm())
	case 'n':
		return fmt.Sprint(int16(i.B()))
	case 'm':
		return fmt.Sprint(int16(i.C()))
	case 'o':
		return fmt.Sprint(i.C())
	case 'j', 'J':
		return fmt.Sprint(i.target(pc))
	case 'x':
		return fmt.Sprint(i.X())
	case 'e':
		return Ext(i.X()).String()
	case 'w':
		return Width(i.X()).String()
	case 'f':
		if i.X() == 0 {
			return "float64"
		}
		return "float32"
	case 'k':
		if k := i.Imm(); k >= 0 && int(k) < len(p.Consts) {
			return fmt.Sprintf("%#x", p.Consts[k])
		}
	case 'F':
		if n := i.Imm(); n >= 0 && int(n) < len(p.Funcs) {
			return p.Funcs[n].Name
		}
	case 'H':
		return fmt.Sprint(Host(i.Imm()))
	case 'T':
		return Trap(i.X()).String()
	}
	return fmt.Sprintf("#%d", i.Imm())
}
