package machine

// An Instr is one instruction: op:8 x:8 a:16 b:16 c:16, op in the lowest byte.
//
// The registers of the machine are the slots of the current frame: r[a] is
// the 8-byte word at SP + 8*a. A scalar lives in one slot, integers extended
// to 64 bits by their own sign, a bool as 0 or 1, a float32 as its 32 bits.
// A string is two slots (address, length), a slice three, an interface two
// (type id, data). Structs and arrays fill as many whole slots as their size
// needs, with the layout they have in memory.
//
// imm is the 32-bit field made of b (low) and c (high), sign-extended.
type Instr uint64

// Op is the operation of an instruction.
type Op uint8

// The instruction set. "jump" means PC += n, counted from the instruction
// after the jump. Loads and stores fault below NilPage and beyond the end of
// memory.
const (
	NOP Op = iota

	// Moves and constants.
	MOV  // r[a] = r[b]
	MOVN // r[a:a+x] = r[b:b+x], x slots; the ranges may overlap
	LDI  // r[a] = imm
	LDK  // r[a] = Program.Consts[imm]
	ZERO // r[a:a+imm] = 0
	LEA  // r[a] = SP + 8*imm: the address of x slots of this frame, if x is 0 of all up to its end
	CTXT // r[a] = the closure register

	// Integers, 64 bits wide. A narrower result is brought back by EXT.
	ADD
	SUB
	MUL
	DIV  // signed; traps with PanicDivide when r[c] is 0
	DIVU // unsigned; likewise
	REM
	REMU
	AND
	OR
	XOR
	ANDN // r[a] = r[b] &^ r[c]
	SHL  // shift counts are unsigned; 64 and more shift everything out
	SHR  // logical
	SAR  // arithmetic
	ADDI // r[a] = r[b] + c, c a signed 16-bit number
	NEG  // r[a] = -r[b]
	COM  // r[a] = ^r[b]
	NOT  // r[a] = r[b] == 0
	EXT  // r[a] = r[b] narrowed and extended as Ext(x) says
	SHCK // traps with PanicShift if r[a] < 0, signed

	// Comparisons; r[a] becomes 0 or 1.
	EQ
	NE
	LT // signed
	LE
	LTU // unsigned
	LEU

	// Jumps.
	JMP  // jump imm
	JZ   // if r[a] == 0 jump imm
	JNZ  // if r[a] != 0 jump imm
	JEQ  // if r[a] == r[b] jump c (signed 16 bits)
	JNE  //
	JLT  // signed
	JLE  //
	JLTU // unsigned
	JLEU //
	JEQI // if r[a] == b jump c; b and c are signed 16-bit numbers
	JNEI //
	JLTI //
	JLEI //
	JGTI //
	JGEI //

	// Floats. x is 0 for float64, 1 for float32.
	FADD
	FSUB
	FMUL
	FDIV
	FNEG // r[a] = -r[b]
	FEQ
	FNE
	FLT
	FLE
	CVIF // r[a] = float(r[b] as int64)
	CVUF // r[a] = float(r[b] as uint64)
	CVFI // r[a] = int64(float r[b])
	CVFU // r[a] = uint64(float r[b])
	CVFF // r[a] = r[b] converted from float32 to float64 (x=0) or back (x=1)

	// Memory. c is an unsigned byte offset.
	LD8U  // r[a] = byte at r[b]+c, zero-extended
	LD8S  // sign-extended
	LD16U //
	LD16S //
	LD32U //
	LD32S //
	LD64  //
	LDB   // x bytes at r[b]+c into the slots from a, the rest of the last slot zero
	ST8   // byte at r[a]+c = r[b]
	ST16  //
	ST32  //
	ST64  //
	STP   // ST64 of an address
	STB   // x bytes at r[a]+c = the slots from b
	COPY  // r[c] bytes from address r[b] to address r[a]; they may overlap
	CLR   // r[b] bytes at address r[a] become 0

	// Atomic operations on a variable of Width(x): what the program's
	// sync/atomic consists of, in its order of memory. They fault as loads and
	// stores do, and if the address is not a multiple of the variable's size. The
	// last five need all three operands for slots, so they have no offset. Of
	// what is in a slot, a variable of 32 bits has the lower half.
	ALD   // r[a] = variable at r[b]+c
	AST   // variable at r[a]+c = r[b]
	ASWAP // variable at r[b] = r[c], r[a] = what it was
	ACAS  // r[a] = whether the variable at r[b] was r[c]; if so, it becomes r[c+1]
	AADD  // r[a] = variable at r[b] += r[c]: what it is now
	AAND  // variable at r[b] &= r[c], r[a] = what it was
	AOR   // variable at r[b] |= r[c], r[a] = what it was

	// Checks and addresses.
	NILCK // fault if r[a] is an address in the nil page
	IDXCK // traps with PanicIndex unless 0 <= r[a] < r[b]; x is 1 if r[a] is unsigned
	ELEM  // r[a] = r[b] + r[c]*x: the address of an element of size x
	ELEMS // the same for the slice or string in slots b, b+1, with IDXCK against r[b+1]
	SLICE // r[a:] = slice expression; see SliceFlags for x, c is the block of operands

	// Allocation, zeroed. Traps with TrapOutOfMemory.
	NEW  // r[a] = address of a new object of the layout Program.Layouts[imm]
	NEWN // r[a] = address of r[b] elements of the layout c; see PanicMakeSlice

	// Calls. The caller has put arguments and room for results into its
	// lowest slots, from slot 0 on: first the arguments, then the results.
	CALL  // SP -= 8, the return PC stored there; PC = entry of Program.Funcs[imm]
	CALLC // the same through the closure in r[a], whose first word is the entry PC; loads the closure register
	ENTER // if SP - 8*imm < guard: TrapMorestack, PC still here; else SP -= 8*imm
	RET   // SP += 8*imm; PC = the return PC stored there; SP += 8

	// Leaving Go code. The block of arguments begins at slot a; results, if
	// any, follow the arguments. PC is already the next instruction.
	HOST // calls the machine's host function number imm in place; see Host
	TRAP // returns from Run with Trap(x)

	NumOps
)

// After ENTER n a function finds its locals in slots 0..n-1, the return PC in
// slot n, and its arguments, then its results, from slot n+ArgBase on.
const ArgBase = 1

// An Ext says how EXT narrows.
type Ext uint8

const (
	ExtI8 Ext = iota
	ExtI16
	ExtI32
	ExtU8
	ExtU16
	ExtU32
)

// A Width says what variable an atomic operation is for, and how its value
// becomes that of a slot.
type Width uint8

const (
	Width64      Width = iota
	WidthPointer       // 64 bits, an address
	WidthInt32         // sign-extended
	WidthUint32        // zero-extended

	NumWidths
)

// SliceFlags say which bounds a slice expression has. The block of operands
// is: address, len, cap, low, high, max, element size; absent bounds may hold
// anything. The result is three slots, or two for a string.
const (
	SliceLow = 1 << iota
	SliceHigh
	SliceMax
	SliceString // the operand is a string; cap is its length
	SliceArray  // the operand is an array through a pointer (for the words of a panic)
)

// Enc makes an instruction of three 16-bit fields.
func Enc(op Op, x uint8, a, b, c uint16) Instr {
	return Instr(op) | Instr(x)<<8 | Instr(a)<<16 | Instr(b)<<32 | Instr(c)<<48
}

// EncImm makes an instruction with a 32-bit immediate.
func EncImm(op Op, x uint8, a uint16, imm int32) Instr {
	return Instr(op) | Instr(x)<<8 | Instr(a)<<16 | Instr(uint32(imm))<<32
}

func (i Instr) Op() Op     { return Op(i) }
func (i Instr) X() uint8   { return uint8(i >> 8) }
func (i Instr) A() uint16  { return uint16(i >> 16) }
func (i Instr) B() uint16  { return uint16(i >> 32) }
func (i Instr) C() uint16  { return uint16(i >> 48) }
func (i Instr) Imm() int32 { return int32(i >> 32) }

func (op Op) isJump() bool   { return op >= JMP && op <= JGEI }
func (op Op) isAtomic() bool { return op >= ALD && op <= AOR }

// target returns where the jump i at pc leads.
func (i Instr) target(pc PC) int64 {
	if i.Op() <= JNZ {
		return int64(pc) + 1 + int64(i.Imm())
	}
	return int64(pc) + 1 + int64(int16(i.C()))
}

// A Trap is the reason why Run came back: the program called the runtime, or
// something happened to it.
//
// Where Context.PC is then depends on the kind. After a call into the runtime
// it is the next instruction, where the goroutine goes on. After
// TrapMorestack, TrapFault, TrapPanic, TrapOutOfMemory, TrapGC and TrapBadInstr it is
// the instruction itself, which has had no effect: Run would try it again.
// After TrapBudget and TrapSignal it is the first instruction that was not
// executed.
type Trap uint8

const (
	TrapNone Trap = iota

	// What happens to a program.
	TrapBudget      // RunN's instructions are used up
	TrapSignal      // the Signal of the thread is pending
	TrapMorestack   // the prologue found too little stack; PC is at its ENTER
	TrapFault       // an address in the nil page or outside memory; see Context.Fault
	TrapPanic       // a runtime error; see Context.Panic
	TrapOutOfMemory // an allocation found no room; Context.Fault is its size
	TrapBadInstr    // not an instruction: a bug of the compiler or a smashed stack
	TrapGC          // a collection is due before this allocation; Run tries it again, and does not ask again

	// Calls into the runtime, with their block of arguments → results.
	TrapNewproc      // fn closure: go fn(), the arguments already bound
	TrapGosched      // runtime.Gosched
	TrapGoexit       // the goroutine's function returned
	TrapGoexitCall   // runtime.Goexit was called
	TrapMainExit     // main.main returned
	TrapExit         // os.Exit: code
	TrapWrite        // fd, address, length → n: write to standard output or error
	TrapGopanic      // no deferred call has recovered; see Machine.PanicText
	TrapNumGoroutine // → n
	TrapGOMAXPROCS   // n → the previous setting
	TrapReadMemStats // → bytes of the objects there are, of all that were made, of memory; objects made, freed; collections; bytes at which the next begins
	TrapGCNow        // runtime.GC
	TrapSetGCPercent // percent → the previous setting

	// What is to be called when an object can no longer be reached. Each closure stays
	// reachable until then.
	TrapSetFinalizer  // object, an interface; closure, an interface or nil → whether runfinq must be started, which calls it
	TrapAddCleanup    // address of an object, closure without parameters → number, the address, whether runfinq must be started
	TrapStopCleanup   // address of the object, number
	TrapNextFinalizer // → closure, the object or 0 for a cleanup: waits until there is one
	TrapLockThread    // runtime.LockOSThread
	TrapUnlockThread  // runtime.UnlockOSThread
	TrapNanotime      // → ns of monotonic time
	TrapWalltime      // → seconds, nanoseconds
	TrapPark          // reason (WaitReason of the program's choice): block for ever

	// Channels. A channel is an address, 0 for nil. Addresses of values may lie
	// in the stack of the goroutine, also while it waits.
	TrapMakechan  // type id of the element, size → channel
	TrapChansend  // channel, address of the value: ch <- v
	TrapChanrecv  // channel, address for the value or 0 → received (0 or 1)
	TrapClosechan // channel
	TrapChanlen   // channel → n
	TrapChancap   // channel → n
	TrapSelectgo  // address of the cases, number of cases, block (0 or 1) → chosen (-1: default), received, 4 words each: channel, address of the value or 0, 1 to send or 0 to receive, unused

	// Waiting for other things.
	TrapSemacquire // address of a uint32, lifo (0 or 1), WaitReason
	TrapSemrelease // address of the uint32, handoff (0 or 1)
	TrapNotifyAdd  // address of the list → ticket
	TrapNotifyWait // address of the list, ticket
	TrapNotifyAll  // address of the list
	TrapNotifyOne  // address of the list
	TrapSleep      // ns
	TrapResetTimer // address of a time.runtimeTimer, when, period → whether it was set
	TrapStopTimer  // address of a time.runtimeTimer → whether it was set

	// The poller, for package internal/poll: its descriptors are numbers, 0 is none; mode
	// is 'r' or 'w', or for TrapPollSetDeadline 'r'+'w' as well. A code is a PollError.
	TrapPollOpen        // fd → descriptor, errno
	TrapPollClose       // descriptor
	TrapPollReset       // descriptor, mode → code
	TrapPollWait        // descriptor, mode → code
	TrapPollSetDeadline // descriptor, ns from now or -1 for past or 0 for none, mode
	TrapPollUnblock     // descriptor

	// System calls: number, three arguments → result, error; see kernel.go.
	TrapSyscall
	TrapRawSyscall // one that cannot block: the scheduler is not told

	TrapThrow // address, length of a text: the program ends with that fatal error

	NumTraps
)

// IsCall reports whether the program asked for t, by a call into the runtime.
func (t Trap) IsCall() bool { return t >= TrapNewproc }

// A PanicCode is the kind of a runtime error. The operands are Context.X and Y.
type PanicCode uint8

const (
	PanicNone         PanicCode = iota
	PanicDivide                 // integer divide by zero
	PanicIndex                  // index out of range [X] with length Y
	PanicIndexU                 // the same, X unsigned
	PanicShift                  // negative shift amount
	PanicSliceAlen              // slice bounds out of range [:X] with length Y (arrays, strings)
	PanicSliceAcap              // slice bounds out of range [:X] with capacity Y
	PanicSliceB                 // slice bounds out of range [X:Y]
	PanicSlice3Alen             // slice bounds out of range [::X] with length Y
	PanicSlice3Acap             // slice bounds out of range [::X] with capacity Y
	PanicSlice3B                // slice bounds out of range [:X:Y]
	PanicSlice3C                // slice bounds out of range [X:Y:]
	PanicMakeSliceLen           // makeslice: len out of range
	PanicMakeSliceCap           // makeslice: cap out of range
	PanicArrayLen               // cannot convert slice with length X to array or pointer to array with length Y
	PanicMem                    // invalid memory address or nil pointer dereference
	PanicPlain                  // Y bytes of text at address X, without "runtime error: "
	PanicError                  // Y bytes of text at address X
	PanicAssert                 // the same, of a type assertion
)
