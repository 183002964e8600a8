package ch11

import (
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of M0,
// which holds P0 and runs G1, and the world notes what they ask of each other. No thread is
// started, and none sleeps.
type world struct {
	t     *check.T
	s     *gmp.Sched
	m0    *gmp.M
	g1    *gmp.G
	p0    *gmp.P
	wired bool  // it is Go 1.26: M0 keeps P0 in a call, unless somebody takes it
	begun int64 // when the world was made

	// The parts under test. A call of them is not noted, but what they call is.
	calls gmp.Syscalls
	locks gmp.LockedThreads
	loop  gmp.Loop

	*check.Tape
	happens map[string]func(c *check.Call) // what happens when a method is called, before it does anything
	found   []*gmp.G                       // what FindRunnable returns, one after the other
	wake    bool                           // and as tryWakeP
}

// Where G1 stands, and the guard of its stack.
const (
	pc    = 40
	sp    = 5000
	guard = 4242
)

// newWorld makes a world with so many Ps, all of them busy.
func newWorld(t *check.T, procs int32) *world { return worldOn(t, t.Bare(nil), procs) }

func worldOn(t *check.T, s *gmp.Sched, procs int32) *world {
	s.Begin() // so that the program's clock is not the machine's
	w := &world{t: t, s: s, m0: &gmp.M{}, begun: s.Nanotime(), happens: map[string]func(c *check.Call){}}
	for id := range procs {
		pp := gmp.NewP(id, 4)
		pp.Status.Store(gmp.Prunning)
		s.Allp.Set(append(s.Allp.Get(), pp))
	}
	if w.wired = s.Version().Masks != nil; w.wired {
		s.Resizemasks(procs)
	}
	s.Gomaxprocs.Set(procs)
	s.Mnext.Set(1)
	s.Maxmcount.Set(10_000)
	s.Lastpoll.Store(1)
	w.p0 = s.Allp.Get()[0]
	check.Holding(w.m0, w.p0)
	w.p0.Syscalltick.Set(7)
	w.g1 = check.NewG(s, gmp.Grunning)
	check.Running(w.m0, w.g1)
	w.g1.Sched.PC, w.g1.Sched.SP = pc, sp
	w.g1.Sched.Guard.Store(guard)
	w.calls, w.locks, w.loop = s.Syscalls, s.LockedThreads, s.Loop
	s.Finder = scripted{s.Finder, w}
	w.Tape = check.NewTape(s)
	w.Before = w.before
	return w
}

// scripted finds what a check has written down.
type scripted struct {
	gmp.Finder
	w *world
}

func (p scripted) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	w := p.w
	if len(w.found) == 0 {
		return nil, false, false
	}
	gp, w.found = w.found[0], w.found[1:]
	return gp, true, w.wake
}

// before lets things happen, and stands in for what a check of one thread cannot do.
func (w *world) before(c *check.Call) (made bool) {
	const many = 500
	if len(w.Calls) > many {
		w.t.Fatalf("after %d calls it has not come to an end, and goes round and round", many)
	}
	w.rules(c)
	if happens := w.happens[c.Method]; happens != nil {
		happens(c)
	}
	switch c.Method {
	case "Startm", "Stopm", "Schedule", "MPark", "Wakep", "Newm", "Checkdead", "NetpollBreak", "Handoffp", "Stoplockedm", "Startlockedm", "Mexit":
		return false
	}
	return true
}

// rules are what all callers must keep to.
func (w *world) rules(c *check.Call) {
	switch c.Method {
	case "Pidleget", "Pidleput", "Globrunqput", "Globrunqget", "Mget", "Mput", "Checkdead", "GcstopSyscall":
		if !c.Locked {
			w.t.Fatalf("%s is called without s.Lock; another M may be there at the same time", c.Method)
		}
	case "Startm", "Stopm", "Schedule", "Execute", "MPark", "Wakep", "Newm", "NetpollBreak", "Handoffp", "Stoplockedm", "Startlockedm", "Incidlelocked", "FindRunnable", "ExitsyscallPidle", "ExitsyscallNoP":
		if c.Locked {
			w.t.Fatalf("%s is called with s.Lock held; it takes the lock itself, or may take a long time", c.Method)
		}
	}
	if c.Method == "Pidleget" || c.Method == "Pidleput" {
		if now := check.Arg[int64](c.Call); now != 0 && (now < w.begun || now > w.s.Nanotime()) {
			w.t.Fatalf("%s is told a time that is not that of s.Nanotime; want that, or 0 if the caller has not read the clock", c.Method)
		}
	}
}

// on sets what happens when a method is called.
func (w *world) on(method string, fn func(c *check.Call)) { w.happens[method] = fn }

// order lists those of some methods that were called, in order, each as often as it was.
func (w *world) order(methods ...string) string {
	var names []string
	for _, c := range w.Calls {
		if slices.Contains(methods, c.Method) {
			names = append(names, c.Method)
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// only returns the one call of a method. It is an error if there are more, or none.
func (w *world) only(who, method, why string) check.Call {
	w.t.Helper()
	calls := w.Of(method)
	if len(calls) != 1 {
		w.t.Fatalf("%s called %s %d times; want once: %s", who, method, len(calls), why)
	}
	return calls[0]
}

// inCall puts G1 into a call, by hand: M0 has left P0 behind, or, in Go 1.26, still has it.
func (w *world) inCall() {
	w.g1.Atomicstatus.Store(gmp.Gsyscall)
	w.g1.SyscallPC.Set(pc)
	w.g1.SyscallSP.Set(sp)
	w.m0.Oldp.Set(w.p0)
	w.m0.Syscalltick.Set(w.p0.Syscalltick.Get())
	if w.wired {
		return
	}
	w.m0.P.Set(nil)
	w.p0.M.Set(nil)
	w.p0.Status.Store(gmp.Psyscall)
}

// lost lets P0 be taken from M0 in its call, by hand: it is in this state now.
func (w *world) lost(status uint32) {
	w.m0.P.Set(nil)
	w.p0.M.Set(nil)
	w.p0.Status.Store(status)
}

// returned brings G1 to where ExitsyscallPidle and ExitsyscallNoP are called, by hand: M0 has no P.
func (w *world) returned() {
	w.inCall()
	if w.wired {
		w.lost(gmp.Pidle)
		w.g1.Atomicstatus.Store(gmp.Grunning)
	}
}

// idle puts a P on the list of idle ones, by hand.
func (w *world) idle(id int) *gmp.P {
	s, pp := w.s, w.s.Allp.Get()[id]
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	pp.Link.Set(s.Pidle.Get())
	s.Pidle.Set(pp)
	s.Npidle.Add(1)
	return pp
}

// spare lets a P be in no M's hands: about to be handed off.
func (w *world) spare(id int) *gmp.P {
	pp := w.s.Allp.Get()[id]
	if w.m0.P.Get() == pp {
		w.m0.P.Set(nil)
	}
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	return pp
}

// local puts a G on the queue of a P.
func (w *world) local(pp *gmp.P) *gmp.G {
	gp := check.NewG(w.s, gmp.Grunnable)
	w.s.Runqput(pp, gp, false)
	w.Calls = nil
	return gp
}

// global puts a G on the global queue.
func (w *world) global() *gmp.G {
	gp := check.NewG(w.s, gmp.Grunnable)
	w.s.Runq.PushBack(gp)
	w.s.Runqsize.Store(w.s.Runq.Get().Size)
	return gp
}

// lockedM makes M1, which sleeps, locked to a new G.
func (w *world) lockedM(st uint32) (*gmp.M, *gmp.G) {
	m1, gp := &gmp.M{ID: w.s.Mnext.Get()}, check.NewG(w.s, st)
	w.s.Mnext.Set(w.s.Mnext.Get() + 1)
	lock(m1, gp)
	return m1, gp
}

// lock locks an M and a G to each other.
func lock(mp *gmp.M, gp *gmp.G) {
	mp.LockedExt.Set(1)
	mp.Lockedg.Set(gp)
	gp.Lockedm.Set(mp)
}

// signalled reports whether a note is, and uses that up.
func signalled(n interface {
	SleepTimeout(ns int64) bool
	Clear()
}) bool {
	if !n.SleepTimeout(0) {
		return false
	}
	n.Clear()
	return true
}

// wantGuard checks the guard of G1, which has returned from its call, and was asked to stop
// before or not.
func (w *world) wantGuard(asked bool) {
	w.t.Helper()
	switch got := w.g1.Sched.Guard.Load(); {
	case asked:
		check.Want(w.t, "G1.Preempt is true; after Exitsyscall(M0, G1) the guard of G1", got, uint64(machine.StackPreempt))
	case got != guard:
		w.t.Errorf("G1.Preempt is false; after Exitsyscall(M0, G1) the guard of G1 is %s; want it as it was before the call", check.Value(got))
	}
}
