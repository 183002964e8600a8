package gmp

import (
	"fmt"
	"io"
	"unique"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// StartingStack is the size in bytes of the stack of a new G: the runtime's
// stackMin.
const StartingStack = 2048

// StackGuard is how far Context.Guard lies above the low end of the stack: the
// runtime's stackGuard.
const StackGuard = machine.StackSmall

// MaxStackSize is the size in bytes that a stack may not exceed, unless Options says
// otherwise. It is no power of two, so the largest stack has 512 MiB. The runtime's
// maxstacksize, on computers of 64 bits.
const MaxStackSize = 1_000_000_000

// Options are how to run a program.
type Options struct {
	Machine machine.Options
	// Log gets what parts print with Printf. Default: nothing.
	Log io.Writer
	// Trace asks for a log of the run in Result.Log.
	Trace bool
	// Check watches what must hold at all times; a breach is a Breach in
	// Result.Err.
	Check bool
	// Slice, if not 0, takes a G off after so many instructions, as if it had
	// called Gosched: a test's way of interrupting at every instruction.
	Slice int64
	// Budget, if not 0, ends the run after so many instructions in all, with
	// ErrBudget in Result.Err: a program in a check that should have ended.
	Budget int64
	// Ask, if not 0, asks a G to stop after so many instructions, at its next call: a
	// test's way, and until chapter 12 the only one. Not together with Slice.
	Ask int64
	// Signal, if not 0, asks a G to stop after so many instructions, and sends its M a signal:
	// a test's way of interrupting at every instruction where that is safe (chapter 14). Not
	// together with Slice or Ask.
	Signal int64
	// AsyncPreemptOff lets no signal be sent: a G stops at its calls alone. It is
	// GODEBUG=asyncpreemptoff=1.
	AsyncPreemptOff bool
	// MayMoreStack, if it is set, is called before gp goes on, once for each prologue that
	// it executes. It may poison gp's guard, so that the prologue calls Newstack: a test's
	// way of doing something at every call; see MayMoreStackMove. The runtime has the same
	// for its own tests, as a flag of the compiler.
	MayMoreStack func(mp *M, gp *G)
	// StackLimit is the greatest size of a stack in bytes. If it is 0 that is MaxStackSize,
	// or a quarter of the machine's memory if that is less.
	StackLimit uint64
	// Procs is how many Gs may run at once when the program starts, GOMAXPROCS: 1
	// if 0. Versions with one M ignore it.
	Procs int
	// Schedtrace, if not 0, lets the monitor print the state of the scheduler to the program's
	// standard error every so many ns, if the version has one (chapter 12); with Scheddetail
	// that of each P, M and G, too.
	Schedtrace  int64
	Scheddetail bool
	// Bare lets the program begin on a P that nobody has used, with no goroutine but main: for a
	// check that counts each slice and each place in a queue. See runtimemain.go.
	Bare bool
	// Seed is where all random choices of the scheduler come from.
	Seed uint64
}

// New makes a scheduler of the parts of v for the program prog. prog may be nil
// in a check that runs none; the machine then has memory for stacks only.
func New(v Version, prog *machine.Program, opt Options) (*Sched, error) {
	if prog == nil {
		prog = &machine.Program{}
	}
	in := &input{from: opt.Machine.Stdin}
	if in.from != nil {
		opt.Machine.Stdin = in
	}
	m, err := machine.New(prog, opt.Machine)
	if err != nil {
		return nil, err
	}
	if opt.StackLimit == 0 {
		opt.StackLimit = min(MaxStackSize, uint64(m.Size())/4)
	}
	s := bare(m, v, opt.Log)
	in.s = s
	if opt.Procs == 0 {
		opt.Procs = 1
	}
	if !machine.Explored() { // few models have semaphores: there Semroot makes the table
		s.SemTable = newSemTable(m)
	}
	s.run.prog, s.run.opt = prog, opt
	s.run.many = v.Threads != nil
	s.run.cut, s.run.portion = opt.cuts(), aWhile
	s.timed(prog)
	if opt.Check {
		s.Parts = checked(s, s.Parts)
	}
	if opt.Trace {
		s.run.tracer.on = true
		s.Parts = traced(s, s.Parts)
	}
	if prog.Entry < len(prog.Funcs) {
		s.Mainfn = prog.Funcs[prog.Entry].Closure
	}
	return s, nil
}

// NewBare makes a scheduler of the parts of v without a machine: for a check of
// parts that need neither stacks nor programs, and for models, which make a new
// one for each of thousands of executions. What parts print with Printf goes to
// log, which may be nil.
func NewBare(v Version, log io.Writer) *Sched {
	s := bare(nil, v, log)
	s.timed(nil)
	return s
}

// What each execution of an exploration makes anew.
var (
	spareScheds machine.Spare[Sched]
	sparePs     machine.Spare[P]
	spareMs     machine.Spare[M]
	spareGs     machine.Spare[G]
	spareSudogs machine.Spare[Sudog]
)

func bare(m *machine.Machine, v Version, log io.Writer) *Sched {
	s := spareScheds.New()
	s.Machine, s.Lock.s = m, s
	lock(m, &s.Lock.Mutex, schedLock)
	lock(m, &s.GFree.Lock, gFreeLock)
	lock(m, &s.Allglock, allgLock)
	lock(m, &s.Sudoglock, sudogLock)
	lock(m, &s.Timerlist.Mu, timersLock)
	lock(m, &s.Worldlock, worldLock)
	lock(m, &s.GcController.Pool.mu, workerPoolLock)
	lock(m, &s.Forcegc.Lock, forcegcLock)
	lock(m, &s.Fing.Lock, finLock)
	lock(m, &s.run.gc.mu, sweepWaitersLock)
	s.Stopnote.On(m)
	s.SafePointNote.On(m)
	s.Sysmonnote.On(m)
	s.run.version, s.run.opt.Log = v, log
	s.Parts = v.parts(s)
	s.Collector = &theCollector{s}
	return s
}

// The names of locks. Models make a scheduler for each of thousands of executions, so each name is
// looked up once.
var (
	schedLock        = unique.Make("sched.lock")
	gFreeLock        = unique.Make("sched.gFree.lock")
	allgLock         = unique.Make("allglock")
	sudogLock        = unique.Make("sched.sudoglock")
	timersLock       = unique.Make("timers.lock")
	worldLock        = unique.Make("worldsema")
	workerPoolLock   = unique.Make("gcBgMarkWorkerPool")
	forcegcLock      = unique.Make("forcegc")
	finLock          = unique.Make("fin")
	sweepWaitersLock = unique.Make("work.sweepWaiters")

	hchanLock     = unique.Make("hchan.lock")
	semaRootLock  = unique.Make("semaRoot.lock")
	timerLock     = unique.Make("timer.lock")
	timerSendLock = unique.Make("timer.sendLock")
)

// lock gives a lock its name, and makes it known to the machine m, which may be
// nil.
func lock(m *machine.Machine, mu *machine.Mutex, name unique.Handle[string]) {
	mu.Name(name)
	mu.On(m)
}

// Version returns the version that s was made from.
func (s *Sched) Version() Version { return s.run.version }

// Program returns the program that s runs.
func (s *Sched) Program() *machine.Program { return s.run.prog }

// StartingProcs returns how many Gs may run at once when the program starts.
func (s *Sched) StartingProcs() int { return s.run.opt.Procs }

// StackLimit returns the greatest size of a stack in bytes.
func (s *Sched) StackLimit() uint64 { return s.run.opt.StackLimit }

// NewM makes an M with its thread; it does not start it. The router makes the
// first one, Newm the others, with or without locks. The runtime's allocm.
func (s *Sched) NewM(id int64) *M {
	mp := NewM(id)
	mp.Thread = s.Machine.NewThread()
	mp.Fastrand = machine.CellOf(s.run.opt.Seed + uint64(id)*0x9e3779b97f4a7c15 + 1)
	mp.Park.On(s.Machine)
	mp.together()
	s.run.tracer.begin(s, mp)
	for {
		first := s.Allm.Load()
		mp.Alllink.Set(first)
		if s.Allm.CompareAndSwap(first, mp) {
			break
		}
	}
	return mp
}

// NewP makes a P with an empty run queue of n slots, a power of two up to
// RunqLen, which is what Procresize asks for.
func NewP(id int32, n int) *P {
	pp := sparePs.New()
	pp.ID, pp.Runq = id, make([]machine.Pointer[G], n)
	pp.together()
	return pp
}

// NewM makes an M with a number and nothing else, and NewG a G in state Gidle without a stack.
// They are for models without programs. A literal does the same; but models make everything
// anew for each execution, and these need no new memory for it: see machine.Spare.
func NewM(id int64) *M {
	mp := spareMs.New()
	mp.ID = id
	return mp
}

// NewG is described at NewM.
func NewG(id int64) *G {
	gp := spareGs.New()
	gp.Goid = machine.CellOf(id)
	return gp
}

// Malg makes a new G in state Gidle with a stack of size bytes; 0 for none. The
// runtime's malg.
func (s *Sched) Malg(size uint64) *G {
	gp := spareGs.New()
	gp.together(s.run.version.LockedThreads != nil)
	if size > 0 {
		gp.Stack.Set(s.Stackalloc(size))
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + StackGuard)
	}
	return gp
}

// Allgadd adds a new G to the list of all Gs. gp must no longer be Gidle, since
// others may find it there from now on. The runtime's allgadd.
func (s *Sched) Allgadd(gp *G) {
	if gp.Atomicstatus.Load() == Gidle {
		s.Throw("allgadd: bad status Gidle")
	}
	s.Allglock.Lock()
	if s.Allglast.Get() == nil {
		s.Allgs.Set(gp)
	} else {
		s.Allglast.Get().Alllink.Set(gp)
	}
	s.Allglast.Set(gp)
	s.Allglen.Add(1)
	s.Allglock.Unlock()
}

// ForEachG calls fn for every G made up to now, in order of creation. fn is called
// without the lock, since it may throw. That is safe: the links up to the G that is
// now the last one no longer change.
func (s *Sched) ForEachG(fn func(gp *G)) {
	s.Allglock.Lock()
	first, last := s.Allgs.Get(), s.Allglast.Get()
	s.Allglock.Unlock()
	forEachG(first, last, fn)
}

// forEachGAfterThrow is ForEachG for what is said after a throw: the M that threw may
// have held Allglock, and will never release it.
func (s *Sched) forEachGAfterThrow(fn func(gp *G)) {
	locked := s.Allglock.TryLock()
	first, last := s.Allgs.Get(), s.Allglast.Get()
	if locked {
		s.Allglock.Unlock()
	}
	forEachG(first, last, fn)
}

func forEachG(first, last *G, fn func(gp *G)) {
	for gp := first; gp != nil; gp = gp.Alllink.Get() {
		fn(gp)
		if gp == last {
			return
		}
	}
}

// Gcount is the number of Gs that are neither dead nor the system's own, as
// runtime.NumGoroutine reports it. The runtime's gcount.
func (s *Sched) Gcount() int64 {
	n := int64(0)
	s.ForEachG(func(gp *G) {
		if st := gp.Atomicstatus.Load() &^ Gscan; st != Gdead && st != Gidle {
			n++
		}
	})
	return n - int64(s.Ngsys.Load())
}

// Stackalloc returns a stack of size bytes, a power of two from StartingStack.
// Ends the program if memory has run out. The runtime's stackalloc.
func (s *Sched) Stackalloc(size uint64) machine.Stack {
	st, ok := s.Machine.StackAlloc(int64(size))
	if !ok {
		s.Throw("out of memory")
	}
	return st
}

// Stackfree takes a stack back; its words are poisoned. The runtime's stackfree.
func (s *Sched) Stackfree(st machine.Stack) {
	s.Machine.StackFree(st)
}

// Gostartcall changes the saved context ctx, which would go on at ctx.PC, so
// that it looks as if the code there had just called the closure fn: fn runs
// first, and returns to it. The runtime's gostartcallfn.
func (s *Sched) Gostartcall(ctx *machine.Context, fn machine.Addr) {
	ctx.SP -= 8
	s.Machine.SetWord(ctx.SP, uint64(ctx.PC))
	ctx.PC = machine.PC(s.Machine.Word(fn))
	ctx.Ctxt = fn
	ctx.Trap = machine.TrapNone
}

// Dropg unlinks mp and its current G. The caller then puts the G where it
// belongs. The runtime's dropg.
func (s *Sched) Dropg(mp *M) {
	mp.Curg.Get().M.Set(nil)
	mp.Curg.Set(nil)
}

// Printf writes a line for whoever debugs a part: into the evidence of a
// failing check, and into the trace. Any part may call it.
func (s *Sched) Printf(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if s.run.opt.Log != nil {
		fmt.Fprintln(s.run.opt.Log, line)
	}
	s.record(nil, trace.Event{Kind: trace.Note, G: trace.None, Text: line})
}

// Cheaprand returns 32 random bits from mp's own state. The runtime's cheaprand.
func (mp *M) Cheaprand() uint32 {
	// splitmix64
	mp.Fastrand.Set(mp.Fastrand.Get() + 0x9e3779b97f4a7c15)
	z := mp.Fastrand.Get()
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32(z >> 32)
}

// Format keeps package fmt from printing all that the scheduler has, by which a part could know what
// it runs.
func (*Sched) Format(f fmt.State, _ rune) { io.WriteString(f, "the scheduler") }
