package gmp

import (
	"fmt"
	"io"
	"strings"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is the router: what the runtime does in assembly. It runs the
// current G of an M until the machine traps, and then calls the part in charge
// with the G's context saved: the switch to g0. When the part returns, mp.Curg
// says which G goes on: gogo.

// forever is a number of instructions that no run executes. Each M looks after aWhile whether
// the run has been ended, by another M or from outside.
const (
	forever = 1 << 62
	aWhile  = 1 << 18
)

// execute lets gp run on mp until something happens, or for a while: then it is
// TrapNone.
func (s *Sched) execute(mp *M, gp *G) machine.Trap {
	if s.run.cut {
		return s.executeSlice(mp, gp)
	}
	n := s.run.portion
	left, trap := mp.Thread.RunN(&gp.Sched, n)
	s.passed(mp, n-left)
	switch trap {
	case machine.TrapBudget:
		return machine.TrapNone
	case machine.TrapSignal:
		s.sighandler(mp, gp)
		return machine.TrapNone
	}
	return trap
}

// cuts reports whether a run is cut into slices, or ends after so many instructions.
func (o *Options) cuts() bool {
	return o.Slice|o.Ask|o.Signal|o.Budget > 0 || o.MayMoreStack != nil
}

// executeSlice is execute where Options.cuts.
func (s *Sched) executeSlice(mp *M, gp *G) machine.Trap {
	n, ends := s.run.portion, machine.TrapNone
	if slice := s.run.opt.Slice + s.run.opt.Ask + s.run.opt.Signal; slice > 0 {
		if mp.slicedG != gp {
			mp.slicedG, mp.slice = gp, slice
		} else if mp.slice == 0 { // it ended with a call into the runtime
			mp.slice = slice
			// A prologue that called has not passed yet: asked again it would call for ever.
			if gp.Sched.Trap != machine.TrapMorestack {
				return s.sliceEnds(mp, gp)
			}
		}
		if mp.slice <= n {
			n, ends = mp.slice, machine.TrapSignal
		}
	}
	if at := s.run.opt.MayMoreStack; at != nil {
		if gp.Sched.Trap == machine.TrapMorestack { // that prologue has been there
			n, ends = 1, machine.TrapNone
		} else {
			at(mp, gp)
		}
	}
	if b := s.run.opt.Budget; b > 0 {
		if rest := b - s.run.executed.Load(); rest <= n {
			n, ends = rest, machine.TrapBudget
		}
	}
	left, trap := mp.Thread.RunN(&gp.Sched, n)
	s.passed(mp, n-left)
	mp.slice -= n - left
	if s.run.opt.Budget > 0 {
		s.run.executed.Add(n - left)
	}
	switch trap {
	case machine.TrapBudget:
	case machine.TrapSignal: // a real one; those below are slices of Options
		s.sighandler(mp, gp)
		return machine.TrapNone
	default:
		return trap
	}
	if ends == machine.TrapSignal {
		mp.slicedG = nil
		return s.sliceEnds(mp, gp)
	}
	return ends
}

// sliceEnds ends a slice of gp, which runs on mp: of Options.Slice, Ask or Signal.
func (s *Sched) sliceEnds(mp *M, gp *G) machine.Trap {
	if s.run.opt.Slice > 0 {
		return machine.TrapSignal
	}
	s.recordSlice(mp, gp)
	gp.Ask()
	if s.run.opt.Signal > 0 && s.run.version.Signals != nil {
		s.PreemptM(mp, mp)
	}
	return machine.TrapNone
}

// dispatch answers a trap of gp, which runs on mp.
func (s *Sched) dispatch(mp *M, gp *G, trap machine.Trap) {
	args := func(i int) uint64 { return s.Machine.Word(gp.Sched.Args + machine.Addr(8*i)) }
	result := func(i int, v uint64) { s.Machine.SetWord(gp.Sched.Args+machine.Addr(8*i), v) }

	switch trap {
	case machine.TrapNone: // it goes on
	case machine.TrapNewproc:
		fn := machine.Addr(args(0))
		s.Machine.GCShade(fn) // so that the new G's stack needs no scan
		s.Newproc(mp, fn)
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
		s.RunExithooks()
		s.Exit(mp, int(int64(args(0))))
	case machine.TrapWrite:
		result(3, uint64(s.write(mp, gp, int(args(0)), machine.Addr(args(1)), int64(args(2)))))
	case machine.TrapNumGoroutine:
		result(0, uint64(s.Gcount()))
	case machine.TrapGOMAXPROCS:
		s.gomaxprocs(mp, gp)
	case machine.TrapReadMemStats:
		s.readMemStats(mp, gp)
	case machine.TrapGC:
		s.gc(mp, gp)
	case machine.TrapGCNow:
		s.gcNow(mp, gp)
	case machine.TrapSetGCPercent:
		result(1, uint64(s.setGCPercent(int64(args(0)))))
	case machine.TrapSetFinalizer:
		result(4, word(s.setFinalizer(args(0), machine.Addr(args(1)), args(2), machine.Addr(args(3)))))
	case machine.TrapAddCleanup:
		result(2, s.Machine.AddCleanup(machine.Addr(args(0)), machine.Addr(args(1))))
		result(3, args(0))
		result(4, word(s.createfing()))
	case machine.TrapStopCleanup:
		s.Machine.RemoveCleanup(machine.Addr(args(0)), args(1))
	case machine.TrapNextFinalizer:
		s.nextFinalizer(mp, gp)
	case machine.TrapLockThread:
		if s.run.version.LockedThreads != nil {
			s.LockOSThread(mp, gp)
		}
	case machine.TrapUnlockThread:
		if s.run.version.LockedThreads != nil {
			s.UnlockOSThread(mp, gp)
		}
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
	case machine.TrapSyscall:
		s.syscall(mp, gp, s.run.version.Syscalls != nil)
	case machine.TrapRawSyscall:
		s.syscall(mp, gp, false)
	case machine.TrapOutOfMemory:
		if s.gcForRoom(mp, gp) {
			break
		}
		s.stderr("runtime: out of memory: cannot allocate %d-byte block\n", uint64(gp.Sched.Fault))
		s.Throw("out of memory")
	case machine.TrapPark:
		s.Gopark(mp, gp, nil, nil, WaitReason(args(0)))
	case machine.TrapMakechan:
		if mp.Thread.GCDue() {
			s.GcStart(mp, gp, GcTriggerHeap, (*Sched).makechan)
		} else {
			s.makechan(mp, gp)
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
		s.Machine.GCShade(machine.Addr(args(0))) // the heap of timers may have been scanned
		result(3, word(s.ModTimer(mp, s.timer(machine.Addr(args(0))), int64(args(1)), int64(args(2)))))
	case machine.TrapStopTimer:
		result(1, word(s.StopTimer(mp, s.timer(machine.Addr(args(0))))))
	case machine.TrapPollOpen, machine.TrapPollClose, machine.TrapPollReset, machine.TrapPollWait, machine.TrapPollSetDeadline, machine.TrapPollUnblock:
		s.polls(mp, gp, trap)
	case machine.TrapBudget:
		s.fail(mp, s.whyUnfinished())
	case machine.TrapBadInstr:
		s.fail(mp, fmt.Errorf("%s went on where there is no code: its stack was overwritten, or another goroutine uses it too", s.gname(gp)))
	default:
		s.fail(mp, fmt.Errorf("the machine stopped %s with trap %d, which Go %s does not know", s.gname(gp), trap, s.Version().Name))
	}
}

// makechan is make of a channel, by gp on mp.
func (s *Sched) makechan(mp *M, gp *G) {
	word := func(i machine.Addr) uint64 { return s.Machine.Word(gp.Sched.Args + 8*i) }
	if c := s.Makechan(mp, gp, s.run.prog.Types[word(0)], int64(word(1))); c != nil {
		s.setResult(gp, 2, uint64(c.Addr))
	}
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
	s.fatal(mp, "panic: "+msg, func() {
		// Panic says that there was a fault, msg that it was not recovered since.
		if gp.Sched.Panic == machine.PanicMem && strings.Contains(msg, "runtime error: invalid memory address") {
			s.stderr("%s\n", gp.Sched.Signal())
		}
		s.traceback(s.Stderr(), gp)
	})
}

// write is the system call write for the program's standard output and error.
func (s *Sched) write(mp *M, gp *G, fd int, addr machine.Addr, n int64) int64 {
	text := s.Machine.String(addr, n)
	s.record(mp, trace.Event{Kind: trace.Write, G: gp.Goid.Get(), N: int64(fd), Text: text})
	s.goesOutside(mp)
	defer s.comesBack(mp)
	s.run.output.Lock()
	defer s.run.output.Unlock()
	if s.Exited() {
		return n // the process is gone
	}
	w := s.run.opt.Machine.Stdout
	if fd == 2 {
		w = s.run.opt.Machine.Stderr
	}
	if w != nil {
		_, err := io.WriteString(w, text)
		if e, ok := err.(Ending); ok {
			s.endNow(e)
		}
	}
	return n
}

// Stderr is the program's standard error, to which the runtime reports too.
func (s *Sched) Stderr() io.Writer { return stderr{s.run.opt.Machine.Stderr} }

// A stderr writes, and can do nothing else: what is behind it may be the file of the process that
// runs the scheduler, or the buffer of a check.
type stderr struct{ w io.Writer }

func (e stderr) Write(text []byte) (int, error) {
	if e.w == nil {
		return len(text), nil
	}
	return e.w.Write(text)
}

func (s *Sched) stderr(format string, args ...any) {
	fmt.Fprintf(s.Stderr(), format, args...)
}
