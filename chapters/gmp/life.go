package gmp

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"gosched/chapters/machine"
	"gosched/chapters/stacks"
	"gosched/chapters/trace"
)

// This file is how a run begins and how it ends, with one M or with many.
//
// A version without Threads has one M, on the thread that calls Main. In the
// others each M has a thread of its own, and Main only waits for the end: it may
// come on any M, with locks held, while others run, spin or sleep. So whoever ends
// the program notes it, and leaves. Those who sleep are ended by Machine.Halt,
// the others look at Exited between two traps, or when they have run for a while.
// What is to be said about the end is said when all have come to rest.

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
	// Ended is why somebody outside ended the run, Ending.Why; empty if nobody did.
	Ended string
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
	version Version
	prog    *machine.Program
	opt     Options
	watcher *watcher
	many    bool  // Ms have threads of their own
	cut     bool  // opt.cuts
	portion int64 // how many instructions a G executes at most before its M looks around
	began   int64 // machine.Nanotime at the beginning
	now     int64 // the clock, in ns, if there is one M; see clock.go
	skipped int64 // of now, what was not instructions but waiting for a timer
	tracer  tracer

	timerproc timerproc
	polling   polling
	sysmon    sysmon

	hchans  numbered[Hchan]
	notify  sync.Mutex // while the program's lists get their numbers
	lists   numbered[NotifyList]
	timers  numbered[Timer]
	gc      collector
	onPanic func(gp *G, msg string) // of OnPanic
	output  sync.Mutex              // while something is written for the world outside

	threads  sync.WaitGroup // of the Ms, without a hook
	executed atomic.Int64   // instructions that count for Options.Budget

	exited atomic.Int32 // goesOn, byItself or fromOutside
	result Result       // written by the M that set exited
	lastly func()       // what is still to be said then; by the same
	over   machine.Note // signalled by that M when it ends, if many

	hooked bool          // all threads run on one of the host
	stop   chan struct{} // closed when the run is ended from outside; nil if that cannot be
	ending Ending        // why; written before
	moving moving        // threads that are not at rest; with a hook they count as one
}

// Begin lets the clock of s begin now. Main calls it; without it the clock is that of the process.
func (s *Sched) Begin() { s.run.began = machine.Nanotime() }

// Main runs the program from boot to its end. It is called once.
func (s *Sched) Main() Result {
	s.run.hooked = machine.Hooked()
	if s.run.hooked && !s.run.many {
		s.run.portion = forever // the hook ends it, and each look would take time
	}
	s.together()
	m0 := s.NewM(0)
	s.Mnext.Set(1)
	s.Begin()
	s.Machine.OneCPU(!machine.Hooked()) // until there is another M, or a timerproc
	if s.run.many {
		s.Newosproc(m0)
		s.moves(-1) // M0 counts for the whole from here on
		s.run.over.Sleep()
		s.Machine.Halt()
		if !machine.Hooked() { // there they end with Main
			s.run.threads.Wait()
		}
	} else {
		s.mstart(m0)
		s.moves(-1)
		s.Machine.Halt() // its sockets
	}
	if s.run.exited.Load() == fromOutside {
		return Result{} // MainUntil has the rest
	}
	if s.run.lastly != nil {
		s.run.lastly()
	}
	r := &s.run.result
	for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Get() {
		r.Instructions += mp.executed
	}
	if s.run.tracer.on {
		s.record(nil, trace.Event{Kind: trace.End, G: trace.None, N: int64(r.Status), Text: s.reason()})
		r.Log = s.finishTrace()
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

// Newosproc starts the thread of mp, which NewM has made: it calls mp.Mstartfn,
// takes mp.Nextp and schedules. Newm calls it, with or without locks. The
// runtime's newosproc.
func (s *Sched) Newosproc(mp *M) {
	if mp.ID != 0 {
		s.Machine.OneCPU(false)
	}
	s.newosproc(fmt.Sprintf("M%d", mp.ID), func() { s.mstart(mp) })
}

// newosproc starts a thread of the scheduler.
func (s *Sched) newosproc(name string, fn func()) {
	s.run.threads.Add(1)
	s.moves(1)
	machine.Newosproc(name, func() {
		defer s.run.threads.Done()
		defer s.moves(-1)
		fn()
	})
}

// mstart is the life of an M: it schedules, runs what it was given until the
// next trap, and so on until the program is over. The runtime's mstart.
func (s *Sched) mstart(mp *M) {
	defer s.mdead(mp)
	if s.run.stop != nil {
		mp.host.Store(new(stacks.ID()))
	}
	if mp.ID == 0 {
		s.boot(mp)
	}
	if fn := mp.Mstartfn.Get(); fn != nil {
		fn(mp)
	}
	if mp.Gone {
		return
	}
	if pp := mp.Nextp.Get(); pp != nil {
		mp.Nextp.Set(nil)
		s.Acquirep(mp, pp)
	}
	s.Schedule(mp)
	if mp.ID == 0 {
		s.runtimeMain(mp)
	}
	for !mp.Gone && !s.Exited() {
		gp := mp.Curg.Get()
		if gp == nil {
			s.fail(mp, ErrNoG)
			return
		}
		if cont := gp.Cont.Get(); cont != nil {
			gp.Cont.Set(nil)
			cont(s, mp, gp)
			continue // it may have parked again
		}
		s.dispatch(mp, gp, s.execute(mp, gp))
	}
}

// boot is what M0 does first. In Go 1.0 it counts as one that runs, and there may be
// no other until there is a main goroutine for it to run; then GOMAXPROCS counts.
func (s *Sched) boot(m0 *M) {
	s.Mcpu.Set(1)
	s.Mcpumax.Set(1)
	s.gcinit()
	s.Schedinit(m0)
	s.run.sysmon.boot(s)
	if s.run.version.Matching != nil {
		s.Lock.Lock()
		s.Mcpumax.Set(int32(s.StartingProcs()))
		s.Lock.Unlock()
	}
}

// mdead recovers what ends an M before its time.
func (s *Sched) mdead(mp *M) {
	v := recover()
	switch v := v.(type) {
	case nil:
	case machine.Halted:
	case Fatal:
		s.fatal(mp, "fatal error: "+v.Msg, func() {
			if mp.Curg.Get() == nil || isDeadlock(v.Msg) {
				s.tracebackothers(nil)
			} else {
				s.traceback(s.Stderr(), mp.Curg.Get())
				s.tracebackothers(mp.Curg.Get())
			}
		})
	case Todo, Absent, Breach:
		s.fail(mp, v.(error))
	default:
		s.fail(mp, NewPartPanic(v))
	}
	mp.Gone = true
	mp.ended.Store(!s.Exited())
	mp.rests.Store(true)
	if s.run.many && mp.last {
		s.run.over.Wakeup()
	}
}

func isDeadlock(msg string) bool { return strings.HasSuffix(msg, "deadlock!") }

// end notes that the program is over, by set, and on mp. Only the first call
// counts. Like everything that ends a program it returns: mp leaves its loop when
// the part has returned to the router.
func (s *Sched) end(mp *M, set func(r *Result)) {
	mp.Gone = true
	if s.run.exited.CompareAndSwap(goesOn, byItself) {
		mp.last = true
		set(&s.run.result)
	}
}

// Exited reports whether the program is over. Any M may call it.
func (s *Sched) Exited() bool { return s.run.exited.Load() != goesOn }

// Exit ends the program with a status. mp leaves its loop when the part returns
// to the router.
func (s *Sched) Exit(mp *M, status int) {
	s.end(mp, func(r *Result) { r.Status = status & 0xff })
}

// RunExithooks runs the exit hooks, the last one added first: for os.Exit, and for
// MainExit from chapter 6 on.
func (s *Sched) RunExithooks() {
	for len(s.Exithooks.Get()) > 0 {
		last := len(s.Exithooks.Get()) - 1
		hook := s.Exithooks.Get()[last]
		s.Exithooks.Set(s.Exithooks.Get()[:last])
		hook()
	}
}

// fail ends the run because the scheduler failed.
func (s *Sched) fail(mp *M, err error) {
	s.end(mp, func(r *Result) { r.Status, r.Err = 2, err })
}

// fatal ends the program with Go's exit status of a failure. line is why; lastly
// says more.
func (s *Sched) fatal(mp *M, line string, lastly func()) {
	s.end(mp, func(r *Result) {
		r.Status, r.Fatal = 2, line
		s.run.lastly = func() {
			s.stderr("%s\n", line)
			lastly()
		}
	})
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
