package machine

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// PC is an index into Program.Code.
type PC uint32

// Addr is a byte address in the machine's memory.
type Addr uint64

// NilPage is the size in bytes of the lowest part of memory, where every
// access faults.
const NilPage = 4096

// A Program is what the compiler makes of Go source and the machine runs.
// It is read-only once made; many machines may run it.
type Program struct {
	Code   []Instr
	Consts []uint64 // 64-bit constants of LDK
	Funcs  []Func   // in the order of their entries
	Unsafe []uint64 // bitmap of the PCs that are no safe points; it may be shorter than Code. See UnsafePoint
	Types  []*Type  // by type id; Types[0] is nil, the id of a nil interface

	// Layouts are those of the objects that NEW and NEWN make, by number. Layouts[0] is
	// that of objects without pointers, of any size.
	Layouts []Layout
	// Numbers of the layouts of a map and of a string, 0 if the program needs none.
	MapLayout, StringLayout int

	// Data is the image of the data segment, which begins at address
	// NilPage: string constants, the closures of plain functions, and room
	// for the package variables.
	Data []byte
	// Pointers has a bit for each word of Data that may hold the address of an object:
	// those of the package variables. It may be shorter.
	Pointers []uint64

	Entry  int // index of the function of the main goroutine: package init, main.main, TrapMainExit
	Goexit PC  // where the bottom frame of each goroutine returns to: a TrapGoexit

	// Functions that the machine knows, by index; 0 if the program has none.
	// See panic.go.
	Sigpanic int // panics with a runtime error
	Unwind   int // runs deferred calls because of a panic or a Goexit
	Goexits  int // runtime.Goexit

	Files []File

	// Imports are the packages that the program itself imports, in no certain order. What they
	// import in turn, here, is not what they import in Go.
	Imports []string

	prepared struct {
		once  sync.Once
		err   error   // of check
		fused []Instr // see fuse.go
	}
}

// prepare checks p and returns its code as the CPU executes it. Any thread may call it; the first
// machine of p pays for it.
func (p *Program) prepare() ([]Instr, error) {
	if p == nil {
		return nil, p.check()
	}
	p.prepared.once.Do(func() {
		if p.prepared.err = p.check(); p.prepared.err == nil {
			p.prepared.fused = p.fuse()
		}
	})
	return p.prepared.fused, p.prepared.err
}

// check reports what is wrong with p. The CPU relies on it: it looks at no
// jump target, function number or constant again. A program without code is
// right, for those who want the memory alone.
func (p *Program) check() error {
	if p == nil {
		return errors.New("nil")
	}
	if len(p.Code) == 0 && len(p.Funcs) == 0 {
		return nil
	}
	end := PC(0)
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if f.Entry < end || f.End <= f.Entry || int64(f.End) > int64(len(p.Code)) {
			return fmt.Errorf("function %s has code [%d, %d); the one before ends at %d, all code at %d", f.Name, f.Entry, f.End, end, len(p.Code))
		}
		end = f.End
		if f.Defers > f.Frame || f.Recover != 0 && (f.Recover < f.Entry || f.Recover >= f.End) {
			return fmt.Errorf("function %s has its deferred calls in slot %d of %d, and recovers at %d", f.Name, f.Defers, f.Frame, f.Recover)
		}
	}
	if p.Entry < 0 || p.Entry >= len(p.Funcs) {
		return fmt.Errorf("entry is function %d of %d", p.Entry, len(p.Funcs))
	}
	for _, fn := range []int{p.Sigpanic, p.Unwind, p.Goexits} {
		if fn < 0 || fn >= len(p.Funcs) {
			return fmt.Errorf("a function of panics is number %d of %d", fn, len(p.Funcs))
		}
	}
	if int64(p.Goexit) >= int64(len(p.Code)) {
		return fmt.Errorf("goexit is at %d, the code ends at %d", p.Goexit, len(p.Code))
	}
	for pc, i := range p.Code {
		if err := p.checkInstr(PC(pc), i); err != nil {
			return fmt.Errorf("instruction %d: %w", pc, err)
		}
	}
	switch p.Code[len(p.Code)-1].Op() {
	case JMP, RET, TRAP, CALL, CALLC, HOST:
		return nil
	}
	return errors.New("the last instruction leads out of the code")
}

func (p *Program) checkInstr(pc PC, i Instr) error {
	imm := int64(i.Imm())
	in := func(what string, n int) error {
		if imm < 0 || imm >= int64(n) {
			return fmt.Errorf("%s is number %d of %d", what, imm, n)
		}
		return nil
	}
	switch op := i.Op(); {
	case op >= NumOps:
		return fmt.Errorf("there is no operation %d", op)
	case op.isJump():
		if t := i.target(pc); t < 0 || t >= int64(len(p.Code)) {
			return fmt.Errorf("it jumps to %d, the code ends at %d", t, len(p.Code))
		}
	case op.isAtomic():
		if w := Width(i.X()); w >= NumWidths {
			return fmt.Errorf("there is no width %d", w)
		}
	case op == LDK:
		return in("the constant", len(p.Consts))
	case op == NEW:
		return in("the layout", len(p.Layouts))
	case op == NEWN:
		if n := int(i.C()); n >= len(p.Layouts) {
			return fmt.Errorf("the layout is number %d of %d", n, len(p.Layouts))
		}
	case op == CALL:
		return in("the function", len(p.Funcs))
	case op == HOST:
		return in("the host function", len(hosts))
	case op == TRAP:
		if t := Trap(i.X()); !t.IsCall() || t >= NumTraps {
			return fmt.Errorf("trap %d is no call into the runtime", t)
		}
	}
	return nil
}

// Calls reports whether p has a call into the runtime with one of these traps, in whatever
// function.
func (p *Program) Calls(traps ...Trap) bool {
	return slices.ContainsFunc(p.Code, func(i Instr) bool {
		return i.Op() == TRAP && slices.Contains(traps, Trap(i.X()))
	})
}

// A File is a source file, kept for listings and timelines.
type File struct {
	Name   string
	Source string
}

// A Func is a compiled function.
type Func struct {
	Name    string // as Go's tracebacks print it: main.work, main.main.func1, main.(*T).M
	Entry   PC     // its ENTER
	End     PC     // one past its last instruction
	Frame   uint32 // slots of its frame, the operand of ENTER
	Args    uint32 // slots of arguments and results that it finds above the return PC
	Params  uint32 // how many of these are arguments
	Outs    uint32 // the lowest slots of its frame, into which it puts what it passes to others
	Closure Addr   // its closure in the data segment; 0 if it captures, or is never used as a value

	// Defers is one more than the slot that holds the list of deferred calls
	// of a frame, 0 if there are no defer statements. Recover is where the
	// function goes on after a deferred call has recovered.
	Defers  uint32
	Recover PC

	// Pointers has a bit for each slot that ever holds an address: first
	// the frame's own, then, from bit Frame+ArgBase on, arguments and results.
	// A stack that moves adjusts these slots. It may do so when the function is at
	// a prologue, a CALL or a call into the runtime. Elsewhere there may be an
	// address in a slot that is getting ready for a call: whether that holds one
	// depends on what is called, so only the callee knows.
	Pointers []uint64

	File  int // index into Program.Files
	Line  int // of the func keyword; 0 for a wrapper that the compiler made
	Lines []Line

	// Inlined are the calls in whose place the code of the function stands, in the order of
	// their code; one in another comes after that. To Lines such code belongs to the line of the
	// call.
	Inlined []Inlined
}

// An Inlined is the code of a function in place of a call of it, from Entry up to before End. It
// has no frame of its own, but a listing shows one. Name, File and Lines are as in a Func.
type Inlined struct {
	Name       string
	Entry, End PC
	File       int
	Lines      []Line
}

// A Line says from which pc on the code belongs to a source line. A function's
// Lines are in the order of their PCs.
type Line struct {
	PC   PC
	Line int32
}

// FuncAt returns the function that holds pc, or nil.
func (p *Program) FuncAt(pc PC) *Func {
	lo, hi := 0, len(p.Funcs)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.Funcs[mid].End <= pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(p.Funcs) && p.Funcs[lo].Entry <= pc {
		return &p.Funcs[lo]
	}
	return nil
}

// LineAt returns the source line of pc, 0 if it has none.
func (f *Func) LineAt(pc PC) int { return lineAt(f.Lines, pc) }

// A Place is a function and a place in it, as a listing shows them: File is an index into
// Program.Files.
type Place struct {
	Func       string
	File, Line int
}

// Places returns the place of pc in f. If it is in the code of functions that stands in place of
// calls, it returns their places before it, the innermost first.
func (f *Func) Places(pc PC) []Place {
	var all []Place
	for _, in := range slices.Backward(f.Inlined) {
		if in.Entry <= pc && pc < in.End {
			all = append(all, Place{in.Name, in.File, lineAt(in.Lines, pc)})
		}
	}
	return append(all, Place{f.Name, f.File, f.LineAt(pc)})
}

func lineAt(lines []Line, pc PC) int {
	line := 0
	for _, l := range lines {
		if l.PC > pc {
			break
		}
		line = int(l.Line)
	}
	return line
}

// IsPointer reports whether slot i of the frame, or of the arguments above
// it, may hold an address.
func (f *Func) IsPointer(i int) bool {
	return i>>6 < len(f.Pointers) && f.Pointers[i>>6]>>(i&63)&1 != 0
}

// A Layout says where addresses are in an object, or in an element of an array.
type Layout struct {
	Size int64 // in bytes
	// Pointers has a bit for each word that may hold an address; nil if there are none.
	Pointers []uint64
}

// A Kind is the kind of a Type.
type Kind uint8

const (
	KindInvalid Kind = iota
	KindBool
	KindInt
	KindInt8
	KindInt16
	KindInt32
	KindInt64
	KindUint
	KindUint8
	KindUint16
	KindUint32
	KindUint64
	KindUintptr
	KindFloat32
	KindFloat64
	KindString
	KindPointer
	KindFunc
	KindArray
	KindSlice
	KindStruct
	KindInterface
	KindChan
	KindMap
	KindUnsafePointer
)

// A Type describes a Go type to fmt, to panics and, later, to channels and
// maps. Types are identical if and only if they are the same pointer.
type Type struct {
	ID    int
	Name  string // as %T prints it
	Kind  Kind
	Named bool  // a defined type
	Size  int64 // bytes in memory, as on amd64
	Elem  *Type // of pointer, array, slice, chan, map
	Key   *Type // of map
	Len   int64 // of array
	// Layout is its number among Program.Layouts, and Entry that of an entry of a map; 0
	// if there are no pointers in it.
	Layout, Entry int
	// Fields are those of a struct. Of an interface they are its methods, with
	// the id of the method as Offset.
	Fields []Field
	// Methods maps the id of a method name and signature to the index of the
	// function that takes the data word of an interface as its receiver.
	Methods map[int]int
}

// A Field is a field of a struct.
type Field struct {
	Name   string
	Offset int64
	Type   *Type
}

// Direct reports whether an interface holds values of t in its data word
// itself, as Go does for types of the shape of a pointer. All others are boxed:
// the data word is the address of a copy that is never changed.
func (t *Type) Direct() bool {
	switch t.Kind {
	case KindPointer, KindFunc, KindChan, KindMap, KindUnsafePointer:
		return true
	}
	return false
}

// Format keeps package fmt from printing all that the program has, by which a part could know what
// it runs.
func (*Program) Format(f fmt.State, _ rune) { io.WriteString(f, "the program") }
