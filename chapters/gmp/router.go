package gmp

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is the router: what the runtime does in assembly. It runs the
// current G of an M until the machine traps, and then calls the part in charge
// with the G's context saved: the switch to g0. When the part returns, mp.Curg
// says which G goes on: gogo.

// A Result is how a run ended.
type Result struct {
	// Status is the program's exit status; 2 after a panic or a fatal error.
	Status int
	// Fatal is what ended the program, as the first line of Go's report has
	// it: "panic: …" or "fatal error: …"; empty if it ended by itself.
	Fatal string
	// Err is set if the scheduler failed, not the program: a Todo, an Absent, a
	// *PartPanic, a Breach, or ErrBudget. Status is 2 then.
	Err error
	// Log is the trace, if it was asked for.
	Log *trace.Log
	// Instructions is how many the program executed.
	Instructions int64
}

// ErrBudget ends a run whose program executed Options.Budget instructions.
var ErrBudget = errors.New("the program did not end within its budget of instructions")

// ErrNoG is the error of a part that returned to the router without a G to run.
var ErrNoG = errors.New("Schedule returned to the router without a current G (mp.Curg is nil), and the program had not ended")

// A PartPanic is a Go panic inside a part.
type PartPanic struct {
	Value any
	Where string   // "exercises/ch02_onethread/loop.go:31", the innermost frame outside the course's own packages
	Stack []string // the frames above it, innermost first
}

func (p *PartPanic) Error() string {
	msg := fmt.Sprintf("panic in a part: %v", p.Value)
	if p.Where != "" {
		msg += " at " + p.Where
	}
	return msg
}

// run is the router's own state in a Sched.
type run struct {
	version  Version
	prog     *machine.Program
	opt      Options
	rec      *trace.Log
	watcher  *watcher
	executed int64 // instructions
	now      int64 // the clock, in ns; see clock.go

	hchans  numbered[Hchan]
	notify  sync.Mutex // while the program's lists get their numbers
	lists   numbered[NotifyList]
	timers  numbered[Timer]
	onPanic func(gp *G, msg string) // of OnPanic

	exited bool
	result Result
}

// forever is a number of instructions that no run executes.
const forever = 1 << 62

// Main runs the program from boot to its end. It is called once.
func (s *Sched) Main() Result {
	mp := s.NewM(0)
	s.Mnext = 1
	s.mstart(mp)
	r := &s.run.result
	r.Instructions = s.run.executed
	if s.run.rec != nil {
		s.record(mp, trace.Event{Kind: trace.End, G: trace.None, N: int64(r.Status), Text: s.reason()})
		s.finishTrace()
		r.Log = s.run.rec
	}
	return *r
}

// reason says why the program ended, "" if by its own will.
func (s *Sched) reason() string {
	if err := s.run.result.Err; err != nil {
		return err.Error()
	}
	return s.run.result.Fatal
}

// mstart is the life of an M: it schedules, runs what it was given until the
// next trap, and so on until the program is over. The runtime's mstart.
func (s *Sched) mstart(mp *M) {
	defer s.mdead(mp)
	if mp.ID == 0 {
		s.Schedinit(mp)
	}
	s.Schedule(mp)
	for !mp.Gone {
		gp := mp.Curg
		if gp == nil {
			s.fail(ErrNoG)
			return
		}
		if cont := gp.Cont; cont != nil {
			gp.Cont = nil
			cont(s, mp, gp)
			continue // it may have parked again
		}
		s.dispatch(mp, gp, s.execute(mp, gp))
	}
}

// mdead recovers what ends an M before its time.
func (s *Sched) mdead(mp *M) {
	v := recover()
	switch v := v.(type) {
	case nil:
	case Fatal:
		s.fatal(mp, "fatal error: "+v.Msg)
		if mp.Curg == nil || isDeadlock(v.Msg) {
			s.tracebackothers(nil)
		} else {
			s.traceback(mp.Curg)
			s.tracebackothers(mp.Curg)
		}
	case Todo, Absent, Breach:
		s.fail(v.(error))
	default:
		s.fail(NewPartPanic(v))
	}
	mp.Gone = true
}

func isDeadlock(msg string) bool { return strings.HasSuffix(msg, "deadlock!") }

// execute lets gp run on mp until something happens.
func (s *Sched) execute(mp *M, gp *G) machine.Trap {
	n, ends := int64(forever), machine.TrapNone
	if s.run.opt.Slice > 0 {
		if mp.slicedG != gp {
			mp.slicedG, mp.slice = gp, s.run.opt.Slice
		} else if mp.slice == 0 { // it ended with a call into the runtime
			mp.slice = s.run.opt.Slice
			return machine.TrapSignal
		}
		n, ends = mp.slice, machine.TrapSignal
	}
	if b := s.run.opt.Budget; b > 0 && b-s.run.executed <= n {
		n, ends = b-s.run.executed, machine.TrapBudget
	}
	left, trap := mp.Thread.RunN(&gp.Sched, n)
	s.run.pass(n - left)
	mp.slice -= n - left
	if trap == machine.TrapBudget {
		mp.slicedG = nil
		return ends
	}
	return trap
}

// dispatch answers a trap of gp, which runs on mp.
func (s *Sched) dispatch(mp *M, gp *G, trap machine.Trap) {
	args := func(i int) uint64 { return s.Machine.Word(gp.Sched.Args + machine.Addr(8*i)) }
	result := func(i int, v uint64) { s.Machine.SetWord(gp.Sched.Args+machine.Addr(8*i), v) }

	switch trap {
	case machine.TrapNewproc:
		s.Newproc(mp, machine.Addr(args(0)))
	case machine.TrapGosched:
		s.GoschedImpl(mp, gp, false)
	case machine.TrapSignal:
		s.GoschedImpl(mp, gp, true)
	case machine.TrapGoexit, machine.TrapGoexitCall:
		s.Goexit0(mp, gp)
	case machine.TrapMorestack:
		s.Newstack(mp, gp)
	case machine.TrapMainExit:
		s.MainExit(mp, gp)
	case machine.TrapExit:
		s.exitHooks()
		s.Exit(mp, int(int64(args(0))))
	case machine.TrapWrite:
		result(3, uint64(s.write(mp, gp, int(args(0)), machine.Addr(args(1)), int64(args(2)))))
	case machine.TrapNumGoroutine:
		result(0, uint64(s.Gcount()))
	case machine.TrapGOMAXPROCS:
		result(1, uint64(s.gomaxprocs()))
	case machine.TrapReadMemStats:
		result(0, s.heapAlloc())
		result(1, uint64(s.Machine.Size()))
	case machine.TrapNanotime:
		result(0, uint64(s.Nanotime()))
	case machine.TrapWalltime:
		sec, nsec := s.Walltime()
		result(0, uint64(sec))
		result(1, uint64(nsec))
	case machine.TrapGopanic:
		s.diePanicking(mp, gp, s.Machine.PanicText(&gp.Sched))
	case machine.TrapPanic, machine.TrapFault:
		if !s.Machine.Sigpanic(&gp.Sched) { // a program without package runtime
			s.diePanicking(mp, gp, s.Machine.RuntimeError(&gp.Sched))
		}
	case machine.TrapThrow:
		s.Throw(s.Machine.String(machine.Addr(args(0)), int64(args(1))))
	case machine.TrapOutOfMemory:
		s.stderr("runtime: out of memory: cannot allocate %d-byte block\n", uint64(gp.Sched.Fault))
		s.Throw("out of memory")
	case machine.TrapPark:
		s.Gopark(mp, gp, nil, nil, WaitReason(args(0)))
	case machine.TrapMakechan:
		if c := s.Makechan(mp, gp, s.run.prog.Types[args(0)], int64(args(1))); c != nil {
			result(2, uint64(c.Addr))
		}
	case machine.TrapChansend:
		s.Chansend(mp, gp, s.Hchan(machine.Addr(args(0))), machine.Addr(args(1)), true)
	case machine.TrapChanrecv:
		if selected, received := s.Chanrecv(mp, gp, s.Hchan(machine.Addr(args(0))), machine.Addr(args(1)), true); selected {
			s.SetReceived(gp, received)
		}
	case machine.TrapClosechan:
		s.Closechan(mp, gp, s.Hchan(machine.Addr(args(0))))
	case machine.TrapChanlen:
		n, _ := s.Hchan(machine.Addr(args(0))).lenCap()
		result(1, n)
	case machine.TrapChancap:
		_, n := s.Hchan(machine.Addr(args(0))).lenCap()
		result(1, n)
	case machine.TrapSelectgo:
		block := args(2) != 0
		chosen, received := s.Selectgo(mp, gp, s.scases(gp, machine.Addr(args(0)), int(args(1))), block)
		if chosen >= 0 || !block {
			s.SetSelected(gp, chosen, received)
		}
	case machine.TrapSemacquire:
		s.Semacquire1(mp, gp, machine.Addr(args(0)), args(1) != 0, WaitReason(args(2)))
	case machine.TrapSemrelease:
		s.Semrelease1(mp, gp, machine.Addr(args(0)), args(1) != 0)
	case machine.TrapNotifyAdd:
		result(1, uint64(s.NotifyListAdd(s.notifyList(machine.Addr(args(0))))))
	case machine.TrapNotifyWait:
		s.NotifyListWait(mp, gp, s.notifyList(machine.Addr(args(0))), uint32(args(1)))
	case machine.TrapNotifyAll:
		s.NotifyListNotifyAll(mp, s.notifyList(machine.Addr(args(0))))
	case machine.TrapNotifyOne:
		s.NotifyListNotifyOne(mp, s.notifyList(machine.Addr(args(0))))
	case machine.TrapSleep:
		s.TimeSleep(mp, gp, int64(args(0)))
	case machine.TrapResetTimer:
		result(3, word(s.ModTimer(mp, s.timer(machine.Addr(args(0))), int64(args(1)), int64(args(2)))))
	case machine.TrapStopTimer:
		result(1, word(s.StopTimer(mp, s.timer(machine.Addr(args(0))))))
	case machine.TrapBudget:
		s.fail(s.whyUnfinished())
		mp.Gone = true
	case machine.TrapBadInstr:
		s.fail(fmt.Errorf("%s went on where there is no code: its stack was overwritten, or another goroutine uses it too", s.gname(gp)))
		mp.Gone = true
	default:
		s.fail(fmt.Errorf("the machine stopped %s with trap %d, which Go %s does not know", s.gname(gp), trap, s.Version().Name))
		mp.Gone = true
	}
}

// whyUnfinished is the error of a run that used up its budget: the watcher may
// know better than that.
func (s *Sched) whyUnfinished() error {
	if w := s.run.watcher; w != nil {
		if err := w.starved(); err != nil {
			return err
		}
	}
	return ErrBudget
}

// gomaxprocs is how many Gs can run at once.
func (s *Sched) gomaxprocs() int {
	if s.Gomaxprocs > 0 {
		return int(s.Gomaxprocs)
	}
	return 1
}

// heapAlloc is how many bytes the objects of the program take. What an M has in
// its allocation cache is only known while it does not run.
func (s *Sched) heapAlloc() uint64 {
	n := s.Machine.HeapBytes()
	for mp := s.Allm; mp != nil; mp = mp.Alllink {
		n -= mp.Thread.Unused()
	}
	return n
}

// Exit ends the program with a status. Like everything that ends it, it only
// notes the fact: mp leaves its loop when the part returns to the router.
func (s *Sched) Exit(mp *M, status int) {
	if !s.run.exited {
		s.run.exited = true
		s.run.result.Status = status & 0xff
	}
	mp.Gone = true
}

// exitHooks runs the exit hooks, the last one added first, for os.Exit. At the
// return of main that is the work of MainExit.
func (s *Sched) exitHooks() {
	for len(s.Exithooks) > 0 {
		last := len(s.Exithooks) - 1
		hook := s.Exithooks[last]
		s.Exithooks = s.Exithooks[:last]
		hook()
	}
}

// Exited reports whether the program is over.
func (s *Sched) Exited() bool { return s.run.exited }

// fail ends the run because the scheduler failed.
func (s *Sched) fail(err error) {
	if !s.run.exited {
		s.run.exited = true
		s.run.result.Status = 2
		s.run.result.Err = err
	}
}

// fatal ends the program with Go's exit status of a failure, and says why.
func (s *Sched) fatal(mp *M, line string) {
	if s.run.exited {
		return
	}
	s.run.exited = true
	s.run.result.Status = 2
	s.run.result.Fatal = line
	s.stderr("%s\n", line)
	mp.Gone = true
}

// PanicPlain makes gp, which runs on mp, panic with a runtime error whose whole
// text is msg, as if at its current instruction. It returns to its caller, which
// must hold no lock and return as well: what gp does next is decided by then.
// The runtime's panic(plainError(msg)).
func (s *Sched) PanicPlain(mp *M, gp *G, msg string) {
	if s.run.onPanic != nil {
		s.run.onPanic(gp, msg)
		return
	}
	if !mp.Thread.PanicPlain(&gp.Sched, msg) {
		s.diePanicking(mp, gp, msg)
	}
}

// OnPanic diverts PanicPlain to fn: for a check whose Gs run no program that
// could panic.
func (s *Sched) OnPanic(fn func(gp *G, msg string)) { s.run.onPanic = fn }

// diePanicking ends the program because of a panic in gp.
func (s *Sched) diePanicking(mp *M, gp *G, msg string) {
	s.fatal(mp, "panic: "+msg)
	// Panic says that there was a fault, msg that it was not recovered since.
	if gp.Sched.Panic == machine.PanicMem && strings.Contains(msg, "runtime error: invalid memory address") {
		s.stderr("%s\n", gp.Sched.Signal())
	}
	s.traceback(gp)
}

// write is the system call write for the program's standard output and error.
func (s *Sched) write(mp *M, gp *G, fd int, addr machine.Addr, n int64) int64 {
	text := s.Machine.String(addr, n)
	s.record(mp, trace.Event{Kind: trace.Write, G: gp.Goid, N: int64(fd), Text: text})
	w := s.run.opt.Machine.Stdout
	if fd == 2 {
		w = s.run.opt.Machine.Stderr
	}
	if w != nil {
		io.WriteString(w, text)
	}
	return n
}

// Stderr is the program's standard error, to which the runtime reports too.
func (s *Sched) Stderr() io.Writer {
	if w := s.run.opt.Machine.Stderr; w != nil {
		return w
	}
	return io.Discard
}

func (s *Sched) stderr(format string, args ...any) {
	fmt.Fprintf(s.Stderr(), format, args...)
}

// NewPartPanic turns what a part panicked with into an error that says where. It
// is called while the panic's frames are still on the stack.
func NewPartPanic(v any) *PartPanic {
	p := &PartPanic{Value: v}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && strings.HasPrefix(f.Function, "gosched/"):
			p.Stack = append(p.Stack, fmt.Sprintf("%s %s:%d", shortFunc(f.Function), ShortFile(f.File), f.Line))
			if p.Where == "" && !strings.HasPrefix(f.Function, "gosched/chapters/") {
				p.Where = fmt.Sprintf("%s:%d", ShortFile(f.File), f.Line)
			}
		}
		if !more {
			return p
		}
	}
}

// ShortFile cuts a path down to what lies in the course.
func ShortFile(file string) string {
	for _, dir := range []string{"/chapters/", "/exercises/", "/solutions/"} {
		if i := strings.LastIndex(file, dir); i >= 0 {
			return file[i+1:]
		}
	}
	return file
}

func shortFunc(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}
