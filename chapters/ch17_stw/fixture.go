package ch17

import (
	"errors"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of M0,
// which holds P0 and runs G1, and the world notes what they ask of each other. No thread is
// started, and none sleeps but on Stopnote and SafePointNote.
type world struct {
	t  *check.T
	s  *gmp.Sched
	m0 *gmp.M
	g1 *gmp.G

	*check.Tape
	network gmp.GList                      // what Netpoll finds
	happens map[string]func(c *check.Call) // what happens when a method is called, before it does anything
}

// newWorld makes a world with so many Ps. All but P0 are in nobody's hands.
func newWorld(t *check.T, procs int32) *world { return newWorldOf(t, t.Version(), procs) }

func newWorldOf(t *check.T, v gmp.Version, procs int32) *world {
	s, err := gmp.New(v, nil, gmp.Options{Machine: machine.Options{MemBytes: machine.MinMemBytes}})
	if err != nil {
		panic(err)
	}
	s.Begin() // so that the program's clock is not the machine's
	w := &world{t: t, s: s, m0: &gmp.M{}, happens: map[string]func(c *check.Call){}}
	for id := range procs {
		s.Allp.Set(append(s.Allp.Get(), gmp.NewP(id, 4)))
	}
	s.Gomaxprocs.Set(procs)
	s.Mnext.Set(1)
	s.Maxmcount.Set(10_000)
	s.Lastpoll.Store(1)
	check.Holding(w.m0, w.p(0))
	w.g1 = check.NewG(s, gmp.Grunning)
	check.Running(w.m0, w.g1)
	s.NetPoller = &scripted{s.NetPoller, w}
	w.Tape = check.NewTape(s)
	w.Before = w.before
	return w
}

// wantTime checks that now, of which what is said, is the time: that of s.Nanotime, which was before
// a moment ago. The message has no numbers, which would be others each time.
func (w *world) wantTime(what string, now, before int64) {
	w.t.Helper()
	const want = "want what s.Nanotime says at that moment"
	switch after := w.s.Nanotime(); {
	case now == 0:
		w.t.Errorf("%s 0; %s", what, want)
	case now < before:
		w.t.Errorf("%s a time that is over; %s", what, want)
	case now > after:
		w.t.Errorf("%s a time that is still to come; %s", what, want)
	}
}

// scripted has a network with what the check has written down.
type scripted struct {
	gmp.NetPoller
	w *world
}

func (p *scripted) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	list := p.w.network
	p.w.network = gmp.GList{}
	return list
}

// p returns the P number id.
func (w *world) p(id int) *gmp.P { return w.s.Allp.Get()[id] }

// idle puts a P on the list of idle ones, by hand.
func (w *world) idle(id int) *gmp.P {
	pp := w.p(id)
	pp.Status.Store(gmp.Pidle)
	pp.Link.Set(w.s.Pidle.Get())
	w.s.Pidle.Set(pp)
	w.s.Npidle.Add(1)
	return pp
}

// runs lets a P belong to a new M, which has no G at the moment.
func (w *world) runs(id int) *gmp.M {
	mp := &gmp.M{ID: int64(id)}
	check.Holding(mp, w.p(id))
	return mp
}

// inCall lets a P be one whose M is in a system call.
func (w *world) inCall(id int) *gmp.P {
	pp := w.p(id)
	pp.Status.Store(gmp.Psyscall)
	return pp
}

// stops lets P number id stop, as its M does in Gcstopm, while the part makes a call, with s.Lock or
// without.
func (w *world) stops(c *check.Call, id int) {
	s := w.s
	if !c.Locked {
		s.Lock.Lock()
		defer s.Lock.Unlock()
	}
	w.p(id).M.Set(nil)
	w.p(id).Status.Store(gmp.Pgcstop)
	if s.Stopwait.Set(s.Stopwait.Get() - 1); s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
}

// on sets what happens when a method is called.
func (w *world) on(method string, fn func(c *check.Call)) { w.happens[method] = fn }

// before lets things happen, and stands in for what a check of one thread cannot do.
func (w *world) before(c *check.Call) (made bool) {
	if len(w.Calls) > 500 {
		w.t.Fatalf("after 500 calls it has not come to an end, and goes round and round")
	}
	switch c.Method {
	case "Pidleget", "Pidleput", "GcstopSyscall", "Procresize":
		if !c.Locked {
			w.t.Fatalf("%s is called without s.Lock; another M may be there at the same time", c.Method)
		}
	case "Startm", "Stopm", "Wakep", "Handoffp", "Gopark", "Goready", "Netpoll", "Injectglist", "Gcstopm",
		"StopTheWorldWithSema", "StartTheWorldWithSema":
		if c.Locked {
			w.t.Fatalf("%s is called with s.Lock held; it takes the lock itself, or may take a long time", c.Method)
		}
	case "Casgstatus":
		if c.Locked {
			w.t.Fatalf("Casgstatus is called with s.Lock held; it waits while another M holds the G suspended, and then so do all that want the lock")
		}
	}
	if happens := w.happens[c.Method]; happens != nil {
		happens(c)
	}
	switch c.Method {
	case "Startm", "Stopm", "Wakep", "Handoffp", "Preemptall", "Injectglist", "Goready", "Gopark", "Checkdead":
		return false
	}
	return true
}

// skips lets the calls of some methods be noted only.
func (w *world) skips(methods ...string) {
	before := w.Before
	w.Before = func(c *check.Call) bool { return before(c) && !slices.Contains(methods, c.Method) }
}

// order lists those of some methods that were called, in order, each as often as it was.
func (w *world) order(methods ...string) string {
	var names []string
	for _, c := range w.Of(methods...) {
		names = append(names, c.Method)
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// patience is how long a part may sleep and ask again: many times 100 µs.
const patience = 5 * sim.Millisecond

// timed calls fn, which may sleep on a note for a while, on a simulated computer with a clock of
// its own. That it sleeps for ever, or again and again and asks nobody, is a failure.
func (w *world) timed(what string, fn func()) {
	w.t.Helper()
	_, err := check.OnComputer(sim.Options{CPUs: 1, Limit: patience}, fn)
	const again = "a request to stop may have come too early, and must be made again every 100 µs (Preemptall)"
	if check.ForEver(err) {
		w.t.Fatalf("%s, and M0 sleeps for ever: %s: %v", what, again, err)
	}
	if _, ok := errors.AsType[*sim.LimitError](err); ok {
		w.t.Fatalf("%s, and M0 still waits after %v: %s; requests made: %d", what, patience, again, len(w.Of("Preemptall")))
	}
	if err != nil {
		w.t.Fatalf("%v", err)
	}
}

// throws returns what fn throws, as timed calls it.
func (w *world) throws(what string, fn func()) (thrown string) {
	w.t.Helper()
	w.timed(what, func() { thrown = check.Thrown(w.t.Throws(fn)) })
	return thrown
}

// A rhythm is how long somebody has slept between two requests to stop.
type rhythm struct{ last int64 }

// beat checks that the last beat was 100 µs ago.
func (r *rhythm) beat(w *world) {
	now := w.s.Nanotime()
	if slept := now - r.last; r.last != 0 && (slept < 100_000 || slept > 110_000) {
		w.t.Errorf("M0 asks again after %d ns; want 100 µs, 100000 ns", slept)
	}
	r.last = now
}

// signalled reports whether a note is.
func signalled(n *machine.Note) bool {
	if !n.SleepTimeout(0) {
		return false
	}
	n.Clear()
	return true
}
