package ch10

import (
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of
// M0, which holds P0, and the world notes what they ask of each other. No thread is
// started, and none sleeps. What a finder looks at is written down before: it finds
// nothing anywhere, unless a check says so.
type world struct {
	t  *check.T
	s  *gmp.Sched
	m0 *gmp.M

	calls   []call
	started []start // by Newm
	goid    int64

	parked func(mp *gmp.M)   // what happens while mp sleeps in MPark
	slept  func(mp *gmp.M)   // and in a Stopm that is called by another part; default: P0 is brought
	before map[string]func() // what happens when a method is called, before it does anything

	nearby  []*gmp.G  // what each call of Nearby returns; nil from the end of it on
	stolen  []robbery // of StealWork
	timer   int64     // when the first timer of M0's P is due, for CheckTimers
	nop     int64     // and of all Ps, for CheckTimersNoP
	polled  gmp.GList // what the network has, for Netpoll
	polls   []int64   // for how long it was waited for
	found   *gmp.P    // what CheckRunqsNoP returns when FindRunnable calls it
	injects []gmp.GList
}

// A call is one call of a method, and what was so at that moment.
type call struct {
	method   string
	pp       *gmp.P // that it is about
	flag     bool   // Startm's spinning
	locked   bool   // s.Lock was held
	spinning bool   // M0
	counted  int32  // s.Nmspinning
	held     *gmp.P // by M0
	idle     bool   // M0 was on the list of idle Ms
}

// A start is one call of Newm.
type start struct {
	fn func(mp *gmp.M)
	pp *gmp.P
	id int64
}

// A robbery is what StealWork returns.
type robbery struct {
	gp        *gmp.G
	pollUntil int64
	newWork   bool
}

// newWorld makes a world with so many Ps. M0 holds P0; the others are busy, too.
func newWorld(t *check.T, procs int32) *world {
	w := &world{t: t, s: t.Bare(nil), m0: &gmp.M{}, before: map[string]func(){}}
	s := w.s
	for id := range procs {
		pp := gmp.NewP(id, 4)
		pp.Status.Store(gmp.Prunning)
		s.Allp = append(s.Allp, pp)
	}
	s.Gomaxprocs = procs
	s.Mnext, s.Maxmcount = 1, 10_000
	s.Lastpoll.Store(1)
	w.m0.P, s.Allp[0].M = s.Allp[0], w.m0
	s.Procs = &tapedProcs{s.Procs, w}
	s.Threads = &tapedThreads{s.Threads, w}
	s.Wakeups = &tapedWakeups{s.Wakeups, w}
	s.Sources = &script{s.Sources, w}
	s.Stealing = script{w: w}
	s.Timers = &clock{s.Timers, w}
	s.NetPoller = &network{s.NetPoller, w}
	s.World = &stopping{s.World, w}
	s.Deadlock = nobody{}
	return w
}

// nobody tells deadlocks: in these checks all Ms may sleep.
type nobody struct{}

func (nobody) Checkdead() {}

// note adds a call to the tape.
func (w *world) note(method string, pp *gmp.P) *call {
	const many = 200
	if len(w.calls) > many {
		w.t.Fatalf("it goes round and round: %s …", w.did())
	}
	if happens := w.before[method]; happens != nil {
		happens()
	}
	w.calls = append(w.calls, call{
		method: method, pp: pp, locked: check.Held(&w.s.Lock), spinning: w.m0.Spinning,
		counted: w.s.Nmspinning.Load(), held: w.m0.P, idle: w.s.Midle == w.m0,
	})
	return &w.calls[len(w.calls)-1]
}

// of returns the calls of some methods, in order.
func (w *world) of(methods ...string) []call {
	var found []call
	for _, c := range w.calls {
		if slices.Contains(methods, c.method) {
			found = append(found, c)
		}
	}
	return found
}

// did lists the calls of some methods, of all if none is named: "Nearby, StealWork".
func (w *world) did(methods ...string) string {
	var names []string
	for _, c := range w.calls {
		if len(methods) == 0 || slices.Contains(methods, c.method) {
			names = append(names, c.method)
		}
	}
	if len(names) > 12 {
		names = append(names[:12], "…")
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// only returns the one call of a method. It is an error if there are more, or none.
func (w *world) only(who, method, why string) call {
	w.t.Helper()
	calls := w.of(method)
	if len(calls) != 1 {
		w.t.Fatalf("%s called %s %d times; want once: %s", who, method, len(calls), why)
	}
	return calls[0]
}

// newG makes a G that can run and is on no queue.
func (w *world) newG() *gmp.G {
	w.goid++
	gp := &gmp.G{Goid: w.goid}
	gp.Atomicstatus.Store(gmp.Grunnable)
	return gp
}

// idle puts a P on the list of idle ones, by hand; M0 lets go of it.
func (w *world) idle(id int) *gmp.P {
	s, pp := w.s, w.s.Allp[id]
	if w.m0.P == pp {
		w.m0.P = nil
	}
	pp.M = nil
	pp.Status.Store(gmp.Pidle)
	pp.Link, s.Pidle = s.Pidle, pp
	s.Npidle.Add(1)
	return pp
}

// spare lets a P be in nobody's hands: about to be given to an M.
func (w *world) spare(id int) *gmp.P {
	pp := w.s.Allp[id]
	pp.Status.Store(gmp.Pidle)
	return pp
}

// sleeper makes an M that is on the list of idle ones.
func (w *world) sleeper() *gmp.M {
	s := w.s
	mp := &gmp.M{ID: s.Mnext}
	s.Mnext++
	mp.Schedlink, s.Midle = s.Midle, mp
	s.Nmidle++
	return mp
}

// spins lets M0 be one of n spinning Ms, if it is, and otherwise n be others.
func (w *world) spins(m0 bool, n int32) {
	w.m0.Spinning = m0
	w.s.Nmspinning.Store(n)
}

// global puts a G on the global queue.
func (w *world) global() *gmp.G {
	gp := w.newG()
	w.s.Runq.PushBack(gp)
	w.s.Runqsize.Store(w.s.Runq.Size)
	return gp
}

// wantUnlocked checks that s.Lock is free.
func (w *world) wantUnlocked(after string) {
	w.t.Helper()
	if check.Held(&w.s.Lock) {
		w.t.Fatalf("%s returned with s.Lock held; it must give it back", after)
	}
}

// woken reports whether mp's note is signalled.
func woken(mp *gmp.M) bool { return mp.Park.SleepTimeout(0) }

type tapedProcs struct {
	gmp.Procs
	w *world
}

func (p *tapedProcs) Acquirep(mp *gmp.M, pp *gmp.P) {
	if pp == nil {
		p.w.t.Fatalf("M%d takes (Acquirep) a P that is nil", mp.ID)
	}
	p.w.note("Acquirep", pp)
	p.Procs.Acquirep(mp, pp)
}

func (p *tapedProcs) Releasep(mp *gmp.M) *gmp.P {
	p.w.note("Releasep", mp.P)
	return p.Procs.Releasep(mp)
}

func (p *tapedProcs) Pidleput(pp *gmp.P, now int64) int64 {
	p.w.note("Pidleput", pp)
	return p.Procs.Pidleput(pp, now)
}

func (p *tapedProcs) Pidleget(now int64) (*gmp.P, int64) {
	p.w.note("Pidleget", nil)
	return p.Procs.Pidleget(now)
}

type tapedThreads struct {
	gmp.Threads
	w *world
}

func (p *tapedThreads) Mput(mp *gmp.M) {
	p.w.note("Mput", nil)
	p.Threads.Mput(mp)
}

func (p *tapedThreads) MReserveID() int64 {
	p.w.note("MReserveID", nil)
	return p.Threads.MReserveID()
}

func (p *tapedThreads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	p.w.note("Newm", pp)
	p.w.started = append(p.w.started, start{fn, pp, id})
}

func (p *tapedThreads) MPark(mp *gmp.M) {
	p.w.note("MPark", nil)
	if p.w.parked != nil {
		p.w.parked(mp)
	}
}

// tapedWakeups notes what others call. An M does not sleep here, and none is started:
// for those two there are checks of their own, which call the methods themselves.
type tapedWakeups struct {
	gmp.Wakeups
	w *world
}

func (p *tapedWakeups) Wakep(mp *gmp.M) { p.w.note("Wakep", nil) }

func (p *tapedWakeups) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	p.w.note("Startm", pp).flag = spinning
	if lockheld != check.Held(&p.w.s.Lock) {
		p.w.t.Errorf("Startm is called with lockheld %v, and s.Lock is held: %v", lockheld, !lockheld)
	}
}

func (p *tapedWakeups) Stopm(mp *gmp.M) {
	p.w.note("Stopm", nil)
	p.w.slept(mp)
}

func (p *tapedWakeups) BecomeSpinning(mp *gmp.M) {
	p.w.note("BecomeSpinning", nil)
	p.Wakeups.BecomeSpinning(mp)
}

func (p *tapedWakeups) PidlegetSpinning(mp *gmp.M, now int64) (*gmp.P, int64) {
	p.w.note("PidlegetSpinning", nil)
	return p.Wakeups.PidlegetSpinning(mp, now)
}

func (p *tapedWakeups) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	p.w.note("CheckRunqsNoP", nil)
	return p.w.found
}

// wakeups are those under test.
func (w *world) wakeups() gmp.Wakeups { return w.s.Wakeups.(*tapedWakeups).Wakeups }

// A script says what is nearby, and what can be stolen.
type script struct {
	gmp.Sources
	w *world
}

func (p *script) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	w := p.w
	w.note("Nearby", mp.P)
	if len(w.nearby) > 0 {
		gp, w.nearby = w.nearby[0], w.nearby[1:]
	}
	return gp, gp != nil
}

func (p *script) Globrunqgetlocal(pp *gmp.P) *gmp.G {
	p.w.note("Globrunqgetlocal", pp)
	return p.Sources.Globrunqgetlocal(pp)
}

func (p script) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	w := p.w
	w.note("StealWork", mp.P)
	var r robbery
	if len(w.stolen) > 0 {
		r, w.stolen = w.stolen[0], w.stolen[1:]
	}
	return r.gp, false, now, r.pollUntil, r.newWork
}

type clock struct {
	gmp.Timers
	w *world
}

func (p *clock) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	p.w.note("CheckTimers", pp)
	return now, p.w.timer, false
}

func (p *clock) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	p.w.note("CheckTimersNoP", nil)
	if p.w.nop != 0 && (pollUntil == 0 || p.w.nop < pollUntil) {
		return p.w.nop
	}
	return pollUntil
}

type network struct {
	gmp.NetPoller
	w *world
}

func (p *network) NetpollAnyWaiters() bool { return p.w.polled.Size > 0 }

func (p *network) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	p.w.note("Netpoll", nil)
	p.w.polls = append(p.w.polls, delay)
	list := p.w.polled
	p.w.polled = gmp.GList{}
	p.w.timer, p.w.nop = 0, 0
	return list
}

func (p *network) NetpollBreak() { p.w.note("NetpollBreak", nil) }

func (p *network) Injectglist(mp *gmp.M, list gmp.GList) {
	p.w.note("Injectglist", nil)
	p.w.injects = append(p.w.injects, list)
}

// stopping is a world that stops, and is started again at once.
type stopping struct {
	gmp.World
	w *world
}

func (p *stopping) Gcstopm(mp *gmp.M) {
	p.w.note("Gcstopm", nil)
	p.w.s.Gcwaiting.Store(false)
}
