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
	t       *check.T
	s       *gmp.Sched
	m0      *gmp.M
	wakeups gmp.Wakeups // under test

	*check.Tape
	then    map[string][]moment // of each call of a method
	clock   int64               // the time
	rounds  []int               // at which calls things begin anew; see order
	happens map[string]func()   // what happens when a method is called, before it does anything
	parked  func(mp *gmp.M)     // what happens while mp sleeps in MPark
	slept   func(mp *gmp.M)     // and in a Stopm that is called by another part; default: P0 is brought

	// What a finder finds; see scripted.
	nearby []*gmp.G  // what each call of Nearby returns; then what is in the global queue
	stolen []robbery // of StealWork
	timer  int64     // when the first timer of M0's P is due, for CheckTimers
	nop    int64     // and of all Ps, for CheckTimersNoP
	polled gmp.GList // what the network has, for Netpoll
	found  *gmp.P    // what CheckRunqsNoP returns
}

// A moment is what was so when a method was called.
type moment struct {
	spinning bool   // M0
	held     *gmp.P // by M0
	counted  int32  // s.Nmspinning
	stopping bool   // s.Gcwaiting
}

// last is the moment of the last call of a method.
func (w *world) last(method string) moment {
	if list := w.then[method]; len(list) > 0 {
		return list[len(list)-1]
	}
	return moment{}
}

// A robbery is what StealWork returns.
type robbery struct {
	gp        *gmp.G
	pollUntil int64
	newWork   bool
}

// newWorld makes a world with so many Ps. M0 holds P0; the others are busy, too.
func newWorld(t *check.T, procs int32) *world {
	w := &world{t: t, s: t.Bare(nil), m0: &gmp.M{}, then: map[string][]moment{}, happens: map[string]func(){}}
	s := w.s
	for id := range procs {
		pp := gmp.NewP(id, 4)
		pp.Status.Store(gmp.Prunning)
		s.Allp.Set(append(s.Allp.Get(), pp))
	}
	s.Gomaxprocs.Set(procs)
	s.Mnext.Set(1)
	s.Maxmcount.Set(10_000)
	s.Lastpoll.Store(1)
	check.Holding(w.m0, s.Allp.Get()[0])
	w.wakeups = s.Wakeups
	sc := &scripted{s.Sources, s.Wakeups, s.Timers, s.NetPoller, w}
	s.Sources, s.Wakeups, s.Stealing, s.Timers, s.NetPoller = sc, sc, sc, sc, sc
	w.Tape = check.NewTape(s)
	w.Before = w.before
	return w
}

// before lets things happen, and stands in for what a check of one thread cannot do. An
// M does not sleep when another part lets it, and none is started: for those two there
// are checks of their own, which call the methods themselves.
func (w *world) before(c *check.Call) (made bool) {
	const many = 1000
	if len(w.Calls) > many {
		w.t.Fatalf("after %d calls it has not come to an end, and goes round and round; the last calls are %s", many, w.latest())
	}
	if happens := w.happens[c.Method]; happens != nil {
		happens()
	}
	w.then[c.Method] = append(w.then[c.Method], moment{w.m0.Spinning.Get(), w.m0.P.Get(), w.s.Nmspinning.Load(), w.s.Gcwaiting.Load()})
	w.rules(c)
	switch c.Method {
	case "Acquirep":
		w.anew()
	case "Startm":
		if lockheld := check.Arg[bool](c.Call); lockheld != c.Locked {
			w.t.Errorf("Startm is called with lockheld %v, and s.Lock is held: %v", lockheld, c.Locked)
		}
		return false
	case "Stopm":
		mp := check.Arg[*gmp.M](c.Call)
		if w.slept == nil {
			w.t.Fatalf("%s goes to sleep (Stopm); only a finder that finds nothing lets it", check.MName(mp))
		}
		w.slept(mp)
		w.anew()
		return false
	case "MPark":
		if w.parked != nil {
			w.parked(check.Arg[*gmp.M](c.Call))
		}
		return false
	case "Gcstopm": // the world stops, and is started again at once
		w.s.Gcwaiting.Store(false)
		w.anew()
		return false
	case "Wakep", "Newm", "Checkdead", "NetpollBreak", "Injectglist":
		return false
	}
	return true
}

// rules are what all callers must keep to.
func (w *world) rules(c *check.Call) {
	switch c.Method {
	case "Pidleget", "Pidleput", "PidlegetSpinning", "Globrunqget", "Globrunqgetlocal", "Mget", "Mput", "MReserveID":
		if !c.Locked {
			w.t.Fatalf("%s is called without s.Lock; another M may be at that list at the same time", c.Method)
		}
	case "Acquirep":
		if check.Arg[*gmp.P](c.Call) == nil {
			w.t.Fatalf("%s takes (Acquirep) a P that is nil", check.MName(check.Arg[*gmp.M](c.Call)))
		}
	}
	switch c.Method {
	case "Injectglist", "Wakep", "Nearby", "StealWork", "CheckRunqsNoP", "CheckTimers", "CheckTimersNoP", "Netpoll", "Gcstopm", "Stopm", "Newm":
		if c.Locked {
			w.t.Fatalf("%s is called with s.Lock held; it takes the lock itself, or may take a long time", c.Method)
		}
	}
	switch c.Method {
	case "Pidleget", "Pidleput", "PidlegetSpinning", "CheckTimers", "StealWork":
		if now := check.Arg[int64](c.Call); now != 0 && now != w.clock {
			w.t.Fatalf("%s is told that the time is %d, but it is %d; now is the time, or 0 if it is not known", c.Method, now, w.clock)
		}
	}
}

// anew says that a finder begins anew with its looks after the call that is made.
func (w *world) anew() { w.rounds = append(w.rounds, len(w.Calls)) }

// order lists those of some methods that were called, in the order of their first calls
// since things began anew: "Nearby, StealWork, Stopm, Nearby". To look twice is no mistake.
func (w *world) order(methods ...string) string {
	var names []string
	begin := 0
	for i, c := range w.Calls {
		if slices.Contains(w.rounds, i) {
			begin = len(names)
		}
		if slices.Contains(methods, c.Method) && !slices.Contains(names[begin:], c.Method) {
			names = append(names, c.Method)
		}
	}
	return list(names)
}

// latest lists the last few calls.
func (w *world) latest() string {
	const few = 8
	var names []string
	for _, c := range w.Calls[len(w.Calls)-few:] {
		names = append(names, c.Method)
	}
	return list(names)
}

// list writes names, of many the first ones.
func list(names []string) string {
	const most = 12
	if len(names) > most {
		names = append(names[:most:most], "…")
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

// newG makes a G that can run and is on no queue.
func (w *world) newG() *gmp.G { return check.NewG(w.s, gmp.Grunnable) }

// idle puts a P on the list of idle ones, by hand; M0 lets go of it.
func (w *world) idle(id int) *gmp.P {
	s, pp := w.s, w.s.Allp.Get()[id]
	if w.m0.P.Get() == pp {
		w.m0.P.Set(nil)
	}
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	pp.Link.Set(s.Pidle.Get())
	s.Pidle.Set(pp)
	s.Npidle.Add(1)
	return pp
}

// spare lets a P be in nobody's hands: about to be given to an M.
func (w *world) spare(id int) *gmp.P {
	pp := w.s.Allp.Get()[id]
	pp.Status.Store(gmp.Pidle)
	return pp
}

// spins lets M0 be one of n spinning Ms, if it is, and otherwise n be others.
func (w *world) spins(m0 bool, n int32) {
	w.m0.Spinning.Set(m0)
	w.s.Nmspinning.Store(n)
}

// global puts a G on the global queue.
func (w *world) global() *gmp.G {
	gp := w.newG()
	w.s.Runq.PushBack(gp)
	w.s.Runqsize.Store(w.s.Runq.Get().Size)
	return gp
}

// scripted has what the check has written down: for Nearby, chapters 9, 15 and 16, and the
// CheckRunqsNoP that a finder calls.
type scripted struct {
	gmp.Sources
	gmp.Wakeups
	gmp.Timers
	gmp.NetPoller
	w *world
}

func (p *scripted) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	w := p.w
	if len(w.nearby) > 0 {
		gp, w.nearby = w.nearby[0], w.nearby[1:]
		return gp, true
	}
	return w.s.Runq.Pop(), false
}

func (p *scripted) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	w := p.w
	var r robbery
	if len(w.stolen) > 0 {
		r, w.stolen = w.stolen[0], w.stolen[1:]
	}
	if r.newWork {
		w.anew()
	}
	return r.gp, false, now, r.pollUntil, r.newWork
}

func (p *scripted) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P { return p.w.found }

func (p *scripted) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	return now, p.w.timer, false
}

func (p *scripted) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	if nop := p.w.nop; nop != 0 && (pollUntil == 0 || nop < pollUntil) {
		return nop
	}
	return pollUntil
}

func (p *scripted) NetpollAnyWaiters() bool { return p.w.polled.Size > 0 }

func (p *scripted) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	w := p.w
	list := w.polled
	w.polled = gmp.GList{}
	w.timer, w.nop = 0, 0
	return list
}
