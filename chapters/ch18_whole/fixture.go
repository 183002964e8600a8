package ch18

import (
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of M0, which
// holds P0, and the world notes what they ask of each other. What each source has is written down
// before; a source that has nothing written down has nothing. M0 does not sleep: when it would, it
// is given P0, and a G on its queue.
type world struct {
	t  *check.T
	s  *gmp.Sched
	m0 *gmp.M
	p0 *gmp.P

	// The parts under test. A call of them is not noted, but what they call is.
	finder gmp.Finder
	masks  gmp.Masks

	*check.Tape
	then    map[string][]moment // of each call of a method
	happens map[string]func()   // what happens when a method is called, before it does anything
	slept   bool                // M0 has
	rounds  []int               // at which calls M0 begins anew; see asked

	// What there is, each for one call.
	worker, idle, late *gmp.G // of FindRunnableGCWorker, IdleGCWorker and CheckIdleGCNoP
	fing               *gmp.G // of Wakefing
	local              []*gmp.G
	steal              robbery
	waiters            bool      // Gs wait for the network
	ready, waited      gmp.GList // what Netpoll has without waiting, and when it waits
	now                int64     // the time that CheckTimers returns
	timer, nop         int64     // when the first timer is due, for CheckTimers and CheckTimersNoP
	found              *gmp.P    // of CheckRunqsNoP
	noIdle             bool      // there is no P when M0 has waited for the network
}

// A robbery is what StealWork returns.
type robbery struct {
	gp        *gmp.G
	pollUntil int64
	newWork   bool
}

// A moment is what was so when a method was called.
type moment struct {
	spinning  bool   // M0
	held      *gmp.P // by M0
	counted   int32  // s.Nmspinning
	lastpoll  int64
	pollUntil int64
	polling   bool // s.PollingNet
}

// newWorld makes a world with so many Ps. M0 holds P0; the others are busy, too. It is no 61st tick,
// and a collection marks.
func newWorld(t *check.T, procs int32) *world {
	w := &world{t: t, s: t.Bare(nil), m0: &gmp.M{}, then: map[string][]moment{}, happens: map[string]func(){}}
	s := w.s
	for id := range procs {
		pp := gmp.NewP(id, 8)
		pp.Status.Store(gmp.Prunning)
		pp.Schedtick.Set(1)
		s.Allp.Set(append(s.Allp.Get(), pp))
	}
	s.Resizemasks(procs)
	s.Gomaxprocs.Set(procs)
	s.Mnext.Set(1)
	s.Maxmcount.Set(10_000)
	s.Lastpoll.Store(1)
	s.GcController.BlackenEnabled.Store(true)
	w.p0 = s.Allp.Get()[0]
	check.Holding(w.m0, w.p0)
	w.finder, w.masks = s.Finder, s.Masks
	sc := &sources{s.RunQueue, s.Stealing, s.Wakeups, s.Timers, s.NetPoller, s.GCWork, w}
	s.RunQueue, s.Stealing, s.Wakeups, s.Timers, s.NetPoller, s.GCWork = sc, sc, sc, sc, sc, sc
	w.Tape = check.NewTape(s)
	w.Before = w.before
	return w
}

// find is a call of FindRunnable for M0.
func (w *world) find() (gp *gmp.G, inheritTime, tryWakeP bool) {
	w.t.Helper()
	gp, inheritTime, tryWakeP = w.finder.FindRunnable(w.m0)
	check.WantUnlocked(w.t, w.s, "FindRunnable")
	if gp != nil && gp.Atomicstatus.Load() != gmp.Grunnable {
		w.t.Errorf("FindRunnable returns %s, which is %s; it must be runnable: Execute makes it running from there", check.Name(gp), check.State(gp))
	}
	if gp != nil && w.m0.P.Get() == nil {
		w.t.Errorf("FindRunnable returns %s, and M0 has no P to run it with", check.Name(gp))
	}
	return gp, inheritTime, tryWakeP
}

// before lets things happen, and stands in for what a check of one thread cannot do.
func (w *world) before(c *check.Call) (made bool) {
	const many = 500
	if len(w.Calls) > many {
		w.t.Fatalf("after %d calls FindRunnable has not come to an end, and goes round and round; the last ones are %s", many, w.list(w.Calls[len(w.Calls)-8:]))
	}
	s := w.s
	if happens := w.happens[c.Method]; happens != nil {
		happens()
	}
	w.then[c.Method] = append(w.then[c.Method], moment{w.m0.Spinning.Get(), w.m0.P.Get(), s.Nmspinning.Load(), s.Lastpoll.Load(), s.PollUntil.Load(), s.PollingNet.Load()})
	w.rules(c)
	switch c.Method {
	case "Acquirep":
		w.anew()
	case "RunSafePointFn":
		w.p0.RunSafePointFn.Store(0)
		w.anew()
		return false
	case "Stopm":
		w.anew()
		if w.m0.P.Get() != nil {
			w.t.Fatalf("M0 goes to sleep (Stopm) with %s in its hands", check.PName(w.m0.P.Get()))
		}
		w.slept = true
		w.wake()
		return false
	case "Gcstopm": // the world stops, and is started again at once
		s.Gcwaiting.Store(false)
		w.anew()
		return false
	case "Wakep", "Newm", "Startm", "Checkdead", "NetpollBreak", "Injectglist":
		return false
	}
	return true
}

// wake gives M0 its P again, and a G.
func (w *world) wake() {
	s := w.s
	s.Pidle.Set(nil)
	s.Npidle.Store(0)
	w.p0.Link.Set(nil)
	check.Holding(w.m0, w.p0)
	w.local = append(w.local, w.newG())
}

// rules are what all callers must keep to.
func (w *world) rules(c *check.Call) {
	switch c.Method {
	case "Pidleget", "Pidleput", "PidlegetSpinning", "Globrunqget", "Globrunqgetlocal":
		if !c.Locked {
			w.t.Fatalf("%s is called without s.Lock; another M may be at that list at the same time", c.Method)
		}
	case "Injectglist", "Ready", "Wakep", "Runqget", "StealWork", "CheckRunqsNoP", "CheckTimers", "CheckTimersNoP", "Netpoll", "Gcstopm", "Stopm", "FindRunnableGCWorker", "IdleGCWorker", "CheckIdleGCNoP", "Wakefing":
		if c.Locked {
			w.t.Fatalf("%s is called with s.Lock held; it takes the lock itself, or may take a long time", c.Method)
		}
	case "BusyPs", "TimerPs":
		if c.Locked {
			w.t.Fatalf("%s is called with s.Lock held, and so too early: what is in the masks counts when M0 has given its P back, and the lock, and is not counted as spinning any more", c.Method)
		}
	}
	switch c.Method {
	case "Pidleget", "Pidleput", "PidlegetSpinning":
		if now := check.Arg[int64](c.Call); now != 0 && now != w.now {
			w.t.Fatalf("%s is told that the time is %d, but it is %d; now is the time, or 0 if it is not known", c.Method, now, w.now)
		}
	case "Wirep":
		if n := len(w.Calls); n < 2 || w.Calls[n-2].Method != "Acquirep" {
			w.t.Fatalf("FindRunnable takes a P by Wirep, which is a part of Acquirep")
		}
	case "Acquirep":
		if check.Arg[*gmp.P](c.Call) == nil {
			w.t.Fatalf("M0 takes (Acquirep) a P that is nil")
		}
	case "RunSafePointFn":
		check.Want(w.t, "when FindRunnable calls RunSafePointFn, its argument lockheld", check.Arg[bool](c.Call), c.Locked)
	}
}

// anew says that M0 begins anew with its looks after the call that is made.
func (w *world) anew() { w.rounds = append(w.rounds, len(w.Calls)) }

// asked lists those of some methods that were called, in the order of their first calls since things
// began anew: "Runqget, StealWork, Stopm, Runqget". To look twice is no mistake.
func (w *world) asked(methods ...string) string {
	var calls []check.Call
	seen := map[string]bool{}
	for i, c := range w.Calls {
		if slices.Contains(w.rounds, i) {
			clear(seen)
		}
		if slices.Contains(methods, c.Method) && !seen[c.Method] {
			seen[c.Method] = true
			calls = append(calls, c)
		}
	}
	return w.list(calls)
}

func (w *world) list(calls []check.Call) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Method)
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// last is the moment of the last call of a method.
func (w *world) last(method string) moment {
	if list := w.then[method]; len(list) > 0 {
		return list[len(list)-1]
	}
	w.t.Fatalf("FindRunnable does not call %s", method)
	return moment{}
}

// newG makes a G that can run and is on no queue.
func (w *world) newG() *gmp.G { return check.NewG(w.s, gmp.Grunnable) }

// waiting makes a G that waits.
func (w *world) waiting() *gmp.G { return check.NewG(w.s, gmp.Gwaiting) }

// global puts a G on the global queue.
func (w *world) global() *gmp.G {
	gp := w.newG()
	w.s.Runq.PushBack(gp)
	w.s.Runqsize.Store(w.s.Runq.Get().Size)
	return gp
}

// others lets n other Ms spin.
func (w *world) others(n int32) { w.s.Nmspinning.Store(n) }

// take returns what *at holds, which is then gone.
func take[T any](at *T) (was T) {
	var none T
	was, *at = *at, none
	return was
}

// sources have what the check has written down.
type sources struct {
	gmp.RunQueue
	gmp.Stealing
	gmp.Wakeups
	gmp.Timers
	gmp.NetPoller
	gmp.GCWork
	w *world
}

func (p *sources) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	w := p.w
	if len(w.local) == 0 {
		return nil, false
	}
	gp, w.local = w.local[0], w.local[1:]
	return gp, true
}

func (p *sources) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	r := take(&p.w.steal)
	if r.newWork {
		p.w.anew()
	}
	return r.gp, r.gp != nil, now, r.pollUntil, r.newWork
}

func (p *sources) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	pp := take(&p.w.found)
	if pp != nil {
		pp.Status.Store(gmp.Pidle)
		pp.M.Set(nil)
	}
	return pp
}

func (p *sources) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	return p.w.now, p.w.timer, false
}

func (p *sources) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	if nop := p.w.nop; nop != 0 && (pollUntil == 0 || nop < pollUntil) {
		return nop
	}
	return pollUntil
}

func (p *sources) NetpollAnyWaiters() bool { return p.w.waiters }

func (p *sources) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	w := p.w
	if mp.P.Get() != nil { // it does not wait
		return take(&w.ready)
	}
	w.timer, w.nop, w.waiters = 0, 0, false
	if w.noIdle {
		w.s.Pidle.Set(nil)
		w.s.Npidle.Store(0)
	} else if w.waited.Head == nil {
		w.local = append(w.local, w.newG()) // what M0 finds in the next round
	}
	return take(&w.waited)
}

func (p *sources) FindRunnableGCWorker(mp *gmp.M, pp *gmp.P, now int64) (*gmp.G, int64) {
	return take(&p.w.worker), now
}

func (p *sources) IdleGCWorker(mp *gmp.M, pp *gmp.P) *gmp.G { return take(&p.w.idle) }

func (p *sources) CheckIdleGCNoP(mp *gmp.M) (*gmp.P, *gmp.G) {
	w := p.w
	gp := take(&w.late)
	if gp == nil {
		return nil, nil
	}
	w.s.Lock.Lock()
	defer w.s.Lock.Unlock()
	pp, _ := w.Tape.Parts.Procs.Pidleget(1)
	return pp, gp
}

func (p *sources) Wakefing() *gmp.G { return take(&p.w.fing) }
