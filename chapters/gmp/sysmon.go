package gmp

import (
	"fmt"
	"strings"
	"sync/atomic"

	"gosched/chapters/trace"
)

// This file is what the monitor of chapter 12 finds in place: its thread, when the next timer
// is due, and how to print.

// ForceGCPeriod is how long there is no collection at most, in ns: the runtime's
// forcegcperiod.
const ForceGCPeriod = 120 * 1e9

// A sysmon is the thread of the monitor. Its M is on no list, has no P and runs no G.
type sysmon struct{ started atomic.Bool }

// A LateMonitor is a Monitor that need not run before the program makes its first system
// call, since it looks after those alone.
type LateMonitor interface{ LateMonitor() }

// boot starts the monitor before the first G runs, if there is one that watches from the
// beginning.
func (m *sysmon) boot(s *Sched) {
	if s.run.version.Monitor == nil {
		return
	}
	if _, late := s.run.version.Monitor(s).(LateMonitor); !late {
		m.start(s)
	}
}

// start starts the monitor if there is one, and it has not been started.
func (m *sysmon) start(s *Sched) {
	if s.run.version.Monitor == nil || s.run.version.Procs == nil || !m.started.CompareAndSwap(false, true) {
		return
	}
	mp := &M{ID: trace.None}
	s.Machine.OneCPU(false)
	s.newosproc("sysmon", func() {
		defer s.mdead(mp)
		s.Sysmon(mp)
	})
}

// asksNobody is a monitor of Go 1.1, which takes Ps from system calls alone: before 1.2 a
// goroutine had no place where it would have looked for a request.
type asksNobody struct{ Monitor }

func (asksNobody) Preemptone(*M, *P) bool { return false }

// SchedtraceEvery is how often the state of the scheduler is to be printed, in ns, 0 for
// never, and whether in detail. GODEBUG's schedtrace and scheddetail.
func (s *Sched) SchedtraceEvery() (ns int64, detailed bool) {
	return s.run.opt.Schedtrace, s.run.opt.Scheddetail
}

// TimeSleepUntil returns when the first of all timers is due, MaxWhen if there is none.
// s.Lock is held. The runtime's timeSleepUntil.
func (s *Sched) TimeSleepUntil() int64 {
	first := int64(MaxWhen)
	earlier := func(ts *TimerList) {
		if when := ts.WakeTime(); when != 0 {
			first = min(first, when)
		}
	}
	earlier(&s.Timerlist)
	for _, pp := range s.Allp.Get() {
		earlier(&pp.Timers)
	}
	return first
}

// Print writes text to the program's standard error. Any M may call it, with locks held. The
// runtime's print.
func (s *Sched) Print(text string) {
	s.goesOutside(nil)
	defer s.comesBack(nil)
	s.run.output.Lock()
	defer s.run.output.Unlock()
	fmt.Fprint(s.Stderr(), text)
}

// SchedDetail prints a line for each P, M and G, as the runtime does with
// GODEBUG=scheddetail=1; what there is not here is printed as empty. s.Lock is held. Most of
// it is read while its owner may be writing it, and so it is in the runtime.
func (s *Sched) SchedDetail() {
	var b strings.Builder
	for i, pp := range s.Allp.Peek() {
		head := pp.Runqhead.Load() // before the tail, which is never behind it
		fmt.Fprintf(&b, "  P%d: status=%d schedtick=%d syscalltick=%d m=%s runqsize=%d gfreecnt=%d timerslen=%d\n",
			i, pp.Status.Load(), pp.Schedtick.Look(), pp.Syscalltick.Look(), mid(pp.M.Look()),
			pp.Runqtail.Load()-head, pp.GFree.Get().Size, pp.Timers.Len.Load())
	}
	for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Peek() {
		p := "nil"
		if pp := mp.P.Peek(); pp != nil {
			p = fmt.Sprint(pp.ID)
		}
		dying := 0
		if mp.Dying.Peek() {
			dying = 1
		}
		fmt.Fprintf(&b, "  M%d: p=%s curg=%s mallocing=0 throwing=0 preemptoff= locks=%d dying=%d spinning=%t blocked=false lockedg=%s\n",
			mp.ID, p, goid(mp.Curg.Look()), mp.Locks.Peek(), dying, mp.Spinning.Peek(), goid(mp.Lockedg.Peek()))
	}
	s.ForEachG(func(gp *G) {
		fmt.Fprintf(&b, "  G%d: status=%d(%s) m=%s lockedm=%s\n",
			gp.Goid.Peek(), gp.Atomicstatus.Load(), gp.Waitreason.Peek(), mid(gp.M.Peek()), mid(gp.Lockedm.Peek()))
	})
	s.Print(b.String())
}

func mid(mp *M) string {
	if mp == nil {
		return "nil"
	}
	return fmt.Sprint(mp.ID)
}

func goid(gp *G) string {
	if gp == nil {
		return "nil"
	}
	return fmt.Sprint(gp.Goid.Peek())
}
