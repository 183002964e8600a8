package ch08

import (
	"slices"

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
	tape []call

	made    *gmp.G                                            // by Newproc1
	timers  func()                                            // what the timers of P0 do
	due     int64                                             // when the next of them is due
	found   *answer                                           // what FindRunnable returns to Schedule, nil for what it finds
	steal   func() (gp *gmp.G, pollUntil int64, newWork bool) // what StealWork does
	stopped func()                                            // what happens while M0 sleeps
	polled  func(delay int64) gmp.GList                       // what Netpoll does
	waiters bool                                              // somebody waits for the network
	onPut   func(gp *gmp.G)                                   // when gp is on a queue
	edge    func(gp *gmp.G, oldval, newval uint32)            // before Casgstatus
}

// An answer is a result of FindRunnable.
type answer struct {
	gp                    *gmp.G
	inheritTime, tryWakeP bool
}

// A call is one call of a method.
type call struct {
	method string
	gp     *gmp.G
	flag   bool     // next, or inheritTime
	locked bool     // s.Lock was held
	global []*gmp.G // the global queue
	local  int      // how many Gs P0 had
	status uint32   // of gp
	free   bool     // gp and M0 had let go of each other
}

// newWorld makes a world with procs Ps. All but P0 are idle.
func newWorld(t *check.T, procs int32) *world {
	w := &world{t: t}
	w.s, w.m0 = t.Sched()
	s := w.s
	s.Mnext, s.Maxmcount = 1, 10_000
	s.Lastpoll.Store(1)
	s.Lock.Lock()
	s.Procresize(w.m0, procs)
	s.Lock.Unlock()
	w.p0 = w.m0.P
	s.Statuses = &tapedStatuses{s.Statuses, w}
	s.Goroutines = &tapedGoroutines{s.Goroutines, w}
	s.Loop = &tapedLoop{s.Loop, w}
	s.GlobalQueue = &tapedGlobal{s.GlobalQueue, w}
	s.RunQueue = &tapedRunQueue{s.RunQueue, w}
	s.Finder = &tapedFinder{s.Finder, w}
	s.Sources = &tapedSources{s.Sources, w}
	s.Stealing = &tapedStealing{w}
	s.Timers = &tapedTimers{s.Timers, w}
	s.NetPoller = &tapedNetPoller{s.NetPoller, w}
	s.Procs = &tapedProcs{s.Procs, w}
	s.Wakeups = &tapedWakeups{s.Wakeups, w}
	return w
}

func (w *world) add(method string, gp *gmp.G) *call {
	s := w.s
	c := call{method: method, gp: gp, locked: check.Held(&s.Lock), global: queued(s), local: local(w.p0)}
	if gp != nil {
		c.status = gp.Atomicstatus.Load()
		c.free = gp.M == nil && w.m0.Curg != gp
	}
	w.tape = append(w.tape, c)
	return &w.tape[len(w.tape)-1]
}

// of returns the calls of some methods, in order.
func (w *world) of(methods ...string) []call {
	var found []call
	for _, c := range w.tape {
		if slices.Contains(methods, c.method) {
			found = append(found, c)
		}
	}
	return found
}

// at is the place of a method's first call on the tape, -1 if it was not called.
func (w *world) at(method string) int {
	return slices.IndexFunc(w.tape, func(c call) bool { return c.method == method })
}

// queued are the Gs on the global queue.
func queued(s *gmp.Sched) []*gmp.G {
	var gs []*gmp.G
	for gp := s.Runq.Head; gp != nil && len(gs) < 10_000; gp = gp.Schedlink.Get() {
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
	gp := w.newG(gmp.Grunning)
	gp.M, w.m0.Curg = w.m0, gp
	return gp
}

// onGlobal makes n Gs and puts them on the global queue.
func (w *world) onGlobal(n int) []*gmp.G {
	gs := make([]*gmp.G, n)
	w.s.Lock.Lock()
	for i := range gs {
		gs[i] = w.newG(gmp.Grunnable)
		w.s.GlobalQueue.(*tapedGlobal).GlobalQueue.Globrunqput(gs[i])
	}
	w.s.Lock.Unlock()
	return gs
}

// onP0 makes n Gs and puts them on P0's ring, or next.
func (w *world) onP0(n int, next bool) []*gmp.G {
	gs := make([]*gmp.G, n)
	for i := range gs {
		gs[i] = w.newG(gmp.Grunnable)
		w.s.RunQueue.(*tapedRunQueue).RunQueue.Runqput(w.p0, gs[i], next)
	}
	return gs
}

type tapedStatuses struct {
	gmp.Statuses
	w *world
}

func (p *tapedStatuses) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	if p.w.edge != nil {
		p.w.edge(gp, oldval, newval)
	}
	p.Statuses.Casgstatus(gp, oldval, newval)
}

// tapedGoroutines stands in for chapter 1: its Gs run nothing.
type tapedGoroutines struct {
	gmp.Goroutines
	w *world
}

func (p *tapedGoroutines) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	p.w.add("Newproc1", callergp)
	p.w.made = p.w.newG(gmp.Grunnable)
	return p.w.made
}

type tapedLoop struct {
	gmp.Loop
	w *world
}

// Schedule called by another part is noted only.
func (p *tapedLoop) Schedule(mp *gmp.M) { p.w.add("Schedule", nil) }

func (p *tapedLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	p.w.add("Execute", gp).flag = inheritTime
	p.Loop.Execute(mp, gp, inheritTime)
}

// schedule is a call of the Schedule under test.
func (w *world) schedule() {
	w.t.Helper()
	w.s.Loop.(*tapedLoop).Loop.Schedule(w.m0)
	check.WantUnlocked(w.t, w.s, "Schedule")
}

type tapedGlobal struct {
	gmp.GlobalQueue
	w *world
}

func (p *tapedGlobal) Globrunqput(gp *gmp.G) {
	p.w.add("global put", gp)
	p.GlobalQueue.Globrunqput(gp)
}

func (p *tapedGlobal) Globrunqputhead(gp *gmp.G) {
	p.w.add("global put", gp)
	p.GlobalQueue.Globrunqputhead(gp)
}

func (p *tapedGlobal) Globrunqget() *gmp.G {
	p.w.add("global get", nil)
	return p.GlobalQueue.Globrunqget()
}

type tapedRunQueue struct {
	gmp.RunQueue
	w *world
}

func (p *tapedRunQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	p.w.add("Runqput", gp).flag = next
	p.RunQueue.Runqput(pp, gp, next)
	if p.w.onPut != nil {
		p.w.onPut(gp)
	}
}

func (p *tapedRunQueue) Globrunqputbatch(q gmp.GQueue) {
	p.w.add("global put", q.Head)
	p.RunQueue.Globrunqputbatch(q)
}

func (p *tapedRunQueue) Globrunqgetbatch(n int32) (*gmp.G, gmp.GQueue) {
	p.w.add("global get", nil)
	return p.RunQueue.Globrunqgetbatch(n)
}

type tapedFinder struct {
	gmp.Finder
	w *world
}

func (p *tapedFinder) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	p.w.add("FindRunnable", nil)
	if f := p.w.found; f != nil {
		return f.gp, f.inheritTime, f.tryWakeP
	}
	return p.Finder.FindRunnable(mp)
}

// find is a call of the FindRunnable under test.
func (w *world) find() (gp *gmp.G, inheritTime, tryWakeP bool) {
	w.t.Helper()
	gp, inheritTime, tryWakeP = w.s.Finder.(*tapedFinder).Finder.FindRunnable(w.m0)
	check.WantUnlocked(w.t, w.s, "FindRunnable")
	return gp, inheritTime, tryWakeP
}

type tapedSources struct {
	gmp.Sources
	w *world
}

func (p *tapedSources) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	p.w.add("Nearby", nil)
	return p.Sources.Nearby(mp)
}

// nearby is a call of the Nearby under test.
func (w *world) nearby() (gp *gmp.G, inheritTime bool) {
	w.t.Helper()
	gp, inheritTime = w.s.Sources.(*tapedSources).Sources.Nearby(w.m0)
	check.WantUnlocked(w.t, w.s, "Nearby")
	return gp, inheritTime
}

type tapedStealing struct{ w *world }

func (p *tapedStealing) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	p.w.add("StealWork", nil)
	if p.w.steal == nil {
		return nil, false, now, 0, false
	}
	gp, pollUntil, newWork = p.w.steal()
	return gp, false, now, pollUntil, newWork
}

type tapedTimers struct {
	gmp.Timers
	w *world
}

func (p *tapedTimers) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	p.w.add("CheckTimers", nil)
	if p.w.timers != nil {
		p.w.timers()
	}
	return now, p.w.due, false
}

type tapedNetPoller struct {
	gmp.NetPoller
	w *world
}

func (p *tapedNetPoller) NetpollAnyWaiters() bool { return p.w.waiters }

func (p *tapedNetPoller) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	p.w.add("Netpoll", nil)
	if p.w.polled == nil {
		return gmp.GList{}
	}
	return p.w.polled(delay)
}

// Injectglist puts all Gs on the global queue, so that a check can see them.
func (p *tapedNetPoller) Injectglist(mp *gmp.M, list gmp.GList) {
	p.w.add("Injectglist", nil)
	p.w.s.Lock.Lock()
	defer p.w.s.Lock.Unlock()
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		p.w.s.Runq.PushBack(gp)
	}
}

type tapedProcs struct {
	gmp.Procs
	w *world
}

func (p *tapedProcs) Releasep(mp *gmp.M) *gmp.P {
	p.w.add("Releasep", nil)
	return p.Procs.Releasep(mp)
}

func (p *tapedProcs) Pidleput(pp *gmp.P, now int64) int64 {
	p.w.add("Pidleput", nil)
	return p.Procs.Pidleput(pp, now)
}

type tapedWakeups struct {
	gmp.Wakeups
	w *world
}

// Wakep wakes nobody here.
func (p *tapedWakeups) Wakep(mp *gmp.M) { p.w.add("Wakep", nil) }

func (p *tapedWakeups) Resetspinning(mp *gmp.M) {
	p.w.add("Resetspinning", nil)
	mp.Spinning = false
}

func (p *tapedWakeups) Stopm(mp *gmp.M) {
	p.w.add("Stopm", nil)
	if p.w.stopped == nil {
		p.w.t.Fatalf("M%d goes to sleep (Stopm), although there is a G for it", mp.ID)
	}
	p.w.stopped()
}

// wakes gives M0 a P and returns, as Stopm does when somebody has brought one.
func (w *world) wakes() {
	w.s.Lock.Lock()
	pp, _ := w.s.Pidleget(1)
	w.s.Lock.Unlock()
	if pp == nil {
		w.t.Fatalf("M0 sleeps (Stopm), and P0 is not on the list of idle Ps: nobody can bring it back")
	}
	w.s.Acquirep(w.m0, pp)
}
