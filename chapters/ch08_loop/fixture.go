package ch08

import (
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of
// M0, which has P0, and the world notes what they ask of each other. Nobody is woken,
// and nobody sleeps.
type world struct {
	t    *check.T
	s    *gmp.Sched
	m0   *gmp.M
	p0   *gmp.P
	what string // how things are, for messages

	*check.Tape
	made    map[machine.Addr]*gmp.G // by Newproc1
	waiting int                     // how many Gs P0 had when Wakep was called last
	edge    func(gp *gmp.G)         // what happens when Casgstatus is called for gp, before it does anything
	atPut   func(gp *gmp.G)         // and Runqput
	stopped func()                  // what happens while M0 sleeps in Stopm; nil if it must not
	gcstop  func()                  // and in Gcstopm; nil for what that does
	start   int64                   // when the world was made, on the scheduler's clock

	injecting func() // what happens when Injectglist is called; nil for nothing

	// What other parts answer; see scripted.
	found   *answer                                           // FindRunnable to Schedule, nil for what it finds
	steal   func() (gp *gmp.G, pollUntil int64, newWork bool) // StealWork, nil for nothing
	timers  func()                                            // what the timers of P0 do
	due     int64                                             // when the next of them is due
	polled  func(delay int64) gmp.GList                       // Netpoll, nil for nothing
	waiters bool                                              // somebody waits for the network
}

// An answer is a result of FindRunnable.
type answer struct {
	gp                    *gmp.G
	inheritTime, tryWakeP bool
}

// The closures of the main goroutine, and of others.
const (
	mainFn machine.Addr = 64
	someFn machine.Addr = 128
)

// manyCalls are more than any part makes for one G, or before it sleeps.
const manyCalls = 2000

// newWorld makes a world with procs Ps. All but P0 are idle.
func newWorld(t *check.T, procs int32) *world {
	w := &world{t: t}
	w.s, w.m0 = t.Sched()
	s := w.s
	s.Mnext.Set(1)
	s.Maxmcount.Set(10_000)
	s.Lastpoll.Store(1)
	s.Mainfn = mainFn
	s.Lock.Lock()
	s.Procresize(w.m0, procs)
	s.Lock.Unlock()
	w.p0 = w.m0.P.Get()
	w.made = check.NewMaker(s)
	sc := &scripted{s.Finder, s.Timers, s.NetPoller, w}
	s.Finder, s.Stealing, s.Timers, s.NetPoller = sc, sc, sc, sc
	w.Tape = check.NewTape(s)
	w.Before = w.before
	w.start = s.Nanotime()
	return w
}

// before lets a check see some calls, and stands in for what one thread cannot do.
func (w *world) before(c *check.Call) (made bool) {
	if n := len(w.Calls); n > manyCalls {
		w.t.Fatalf("%sit goes round and round: %d calls of other parts, and it has neither come to an end nor gone to sleep. %s", w.what, n-1, w.soFar())
	}
	switch c.Method {
	case "Casgstatus":
		if w.edge != nil {
			w.edge(c.G)
		}
	case "CheckTimers", "Nearby", "StealWork":
		if w.m0.P.Get() == nil {
			w.t.Fatalf("%sM0 has given its P back, has not slept, and looks for work as if it had one (%s). %s", w.what, c.Method, w.soFar())
		}
	case "Runqput":
		if w.atPut != nil {
			w.atPut(c.G)
		}
	case "Schedule":
		return false
	case "Wakep":
		w.waiting = local(w.p0)
		return false
	case "Resetspinning":
		w.m0.Spinning.Set(false)
		return false
	case "Stopm":
		if w.stopped == nil {
			w.t.Fatalf("%sM0 goes to sleep (Stopm), although there is a G for it. %s", w.what, w.soFar())
		}
		w.stopped()
		return false
	case "Gcstopm":
		if w.gcstop == nil {
			return true
		}
		w.gcstop()
		return false
	case "Injectglist": // all go on the global queue, so that a check can see them
		if w.injecting != nil {
			w.injecting()
		}
		w.s.Lock.Lock()
		defer w.s.Lock.Unlock()
		list := check.Arg[gmp.GList](c.Call)
		for gp := list.Pop(); gp != nil; gp = list.Pop() {
			gp.Atomicstatus.Store(gmp.Grunnable)
			w.s.Runq.PushBack(gp)
		}
		return false
	}
	return true
}

// soFar says which calls were made before the one that is under way, the last ten of them.
func (w *world) soFar() string {
	last := len(w.Calls) - 1
	var names []string
	for _, c := range w.Calls[max(last-10, 0):last] {
		names = append(names, c.Method)
	}
	if len(names) == 0 {
		return "It is the first thing that is called"
	}
	return "What was called before: " + strings.Join(names, ", ")
}

// boots lets Newproc make the main goroutine, as Schedinit does, and M0 run it.
func (w *world) boots() *gmp.G {
	w.t.Helper()
	w.s.Newproc(w.m0, mainFn)
	gp := w.made[mainFn]
	if gp == nil {
		w.t.Fatalf("Newproc did not make a G for the main goroutine by Newproc1")
	}
	w.RunQueue.Runqget(w.p0)
	check.Running(w.m0, gp)
	w.Calls = nil
	return gp
}

// at is the place of a method's first call on the tape, -1 if it was not called.
func (w *world) at(method string) int {
	return slices.IndexFunc(w.Calls, func(c check.Call) bool { return c.Method == method })
}

// last is the place of a method's last call, -1 if it was not called.
func (w *world) last(method string) int {
	for i := len(w.Calls) - 1; i >= 0; i-- {
		if w.Calls[i].Method == method {
			return i
		}
	}
	return -1
}

// globalPuts are the calls that put Gs on the global queue.
func (w *world) globalPuts() []check.Call {
	return w.Of("Globrunqput", "Globrunqputhead", "Globrunqputbatch")
}

// queued are the Gs on the global queue.
func queued(s *gmp.Sched) []*gmp.G {
	var gs []*gmp.G
	for gp := s.Runq.Get().Head; gp != nil && len(gs) < 10_000; gp = gp.Schedlink.Get() {
		gs = append(gs, gp)
	}
	return gs
}

// local is how many Gs pp has.
func local(pp *gmp.P) int {
	n := int(pp.Runqtail.Load() - pp.Runqhead.Load())
	if pp.Runnext.Load() != nil {
		n++
	}
	return n
}

// ring are the Gs on pp's ring, head first.
func ring(pp *gmp.P) []*gmp.G {
	var gs []*gmp.G
	for i := pp.Runqhead.Load(); i != pp.Runqtail.Load(); i++ {
		gs = append(gs, pp.Runq[i%uint32(len(pp.Runq))].Load())
	}
	return gs
}

// newG makes a G in state st; see check.NewG.
func (w *world) newG(st uint32) *gmp.G { return check.NewG(w.s, st) }

// runs makes a G that M0 runs.
func (w *world) runs() *gmp.G {
	gp := w.newG(gmp.Grunnable)
	check.Running(w.m0, gp)
	return gp
}

// onGlobal makes n Gs and puts them on the global queue.
func (w *world) onGlobal(n int) []*gmp.G {
	gs := make([]*gmp.G, n)
	w.s.Lock.Lock()
	for i := range gs {
		gs[i] = w.newG(gmp.Grunnable)
		w.GlobalQueue.Globrunqput(gs[i])
	}
	w.s.Lock.Unlock()
	return gs
}

// onP0 makes n Gs and puts them on P0's ring, or next.
func (w *world) onP0(n int, next bool) []*gmp.G {
	gs := make([]*gmp.G, n)
	for i := range gs {
		gs[i] = w.newG(gmp.Grunnable)
		w.RunQueue.Runqput(w.p0, gs[i], next)
	}
	return gs
}

// schedule is a call of the Schedule under test.
func (w *world) schedule() {
	w.t.Helper()
	w.Loop.Schedule(w.m0)
	check.WantUnlocked(w.t, w.s, "Schedule")
}

// find is a call of the FindRunnable under test.
func (w *world) find() (gp *gmp.G, inheritTime, tryWakeP bool) {
	w.t.Helper()
	gp, inheritTime, tryWakeP = w.Finder.FindRunnable(w.m0)
	check.WantUnlocked(w.t, w.s, "FindRunnable")
	return gp, inheritTime, tryWakeP
}

// findsAnew is find for a G that begins a time slice of its own, and is an ordinary one.
func (w *world) findsAnew(want string) {
	w.t.Helper()
	gp, inherit, try := w.find()
	check.Want(w.t, w.what+"the result of FindRunnable", check.Name(gp), want)
	check.Want(w.t, w.what+"its inheritTime", inherit, false)
	check.Want(w.t, w.what+"its tryWakeP", try, false)
}

// nearby is a call of the Nearby under test.
func (w *world) nearby() (gp *gmp.G, inheritTime bool) {
	w.t.Helper()
	gp, inheritTime = w.Sources.Nearby(w.m0)
	check.WantUnlocked(w.t, w.s, "Nearby")
	return gp, inheritTime
}

// wakes gives M0 a P and returns, as Stopm does when somebody has brought one.
func (w *world) wakes() { w.wakesWith(w.p0) }

// wakesWith gives it this P.
func (w *world) wakesWith(pp *gmp.P) {
	w.s.Lock.Lock()
	found := false
	var others []*gmp.P
	for idle, _ := w.Procs.Pidleget(1); idle != nil; idle, _ = w.Procs.Pidleget(1) {
		if idle == pp {
			found = true
			break
		}
		others = append(others, idle)
	}
	for _, idle := range others {
		w.Procs.Pidleput(idle, 1)
	}
	w.s.Lock.Unlock()
	if !found {
		w.t.Fatalf("M0 sleeps (Stopm), and %s is not on the list of idle Ps: no M can bring it back", check.PName(pp))
	}
	w.Procs.Acquirep(w.m0, pp)
}

// scripted answers what the check says: in place of chapters 9, 15 and 16, and of the
// finder when Schedule asks it.
type scripted struct {
	gmp.Finder
	gmp.Timers
	gmp.NetPoller
	w *world
}

func (p *scripted) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	if f := p.w.found; f != nil {
		return f.gp, f.inheritTime, f.tryWakeP
	}
	return p.Finder.FindRunnable(mp)
}

func (p *scripted) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	if p.w.steal != nil {
		gp, pollUntil, newWork = p.w.steal()
	}
	return gp, false, now, pollUntil, newWork
}

func (p *scripted) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	if p.w.timers != nil {
		p.w.timers()
	}
	return now, p.w.due, false
}

func (p *scripted) NetpollAnyWaiters() bool { return p.w.waiters }

func (p *scripted) Netpoll(mp *gmp.M, delay int64) (list gmp.GList) {
	if p.w.polled != nil {
		list = p.w.polled(delay)
	}
	return list
}
