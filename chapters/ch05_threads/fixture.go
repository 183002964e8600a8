package ch05

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler on which nothing runs: a check calls the parts, in the name
// of M0, and the world notes what they ask of each other. No thread is started, and
// none sleeps, unless a check wants it.
type world struct {
	t  *check.T
	s  *gmp.Sched
	m0 *gmp.M

	*check.Tape
	parked func(mp *gmp.M)         // what happens while mp sleeps; nil if it must not
	dead   func()                  // what Checkdead does; nil for nothing
	made   map[machine.Addr]*gmp.G // by Newproc1
}

// newWorld makes a world in which M0 runs and up to procs may.
func newWorld(t *check.T, procs int32) *world {
	w := &world{t: t}
	w.s, w.m0 = t.Sched()
	s := w.s
	s.Mnext.Set(1)
	s.Maxmcount.Set(10_000)
	s.Mcpu.Set(1)
	s.Mcpumax.Set(procs)
	w.made = check.NewMaker(s)
	w.Tape = check.NewTape(s)
	w.Before = w.before
	return w
}

// before stands in for what a check of one thread cannot do.
func (w *world) before(c *check.Call) (made bool) {
	switch c.Method {
	case "Schedule", "Newm":
		return false
	case "MPark":
		mp := check.Arg[*gmp.M](c.Call)
		if mp.Park.SleepTimeout(0) {
			return true // it was woken before: MPark returns at once
		}
		if w.parked == nil {
			w.t.Fatalf("M%d goes to sleep (MPark), although there is a G that it may run", mp.ID)
		}
		w.parked(mp)
		return false
	case "Checkdead":
		if w.dead != nil {
			w.dead()
		}
		return false
	}
	return true
}

// schedule is a call of the Schedule under test.
func (w *world) schedule(mp *gmp.M) { w.Loop.Schedule(mp) }

// queued makes n Gs and puts them on the global queue. The tape begins behind that.
func (w *world) queued(n int) []*gmp.G {
	gs := make([]*gmp.G, n)
	w.s.Lock.Lock()
	for i := range gs {
		gs[i] = check.NewG(w.s, gmp.Grunnable)
		w.s.Globrunqput(gs[i])
	}
	w.s.Lock.Unlock()
	w.Calls = nil
	return gs
}

// idle makes n Ms, from M1, which are on the list of idle Ms. The one made last is
// its first.
func (w *world) idle(n int) []*gmp.M {
	ms := make([]*gmp.M, n)
	for i := range ms {
		ms[i] = check.IdleM(w.s)
	}
	return ms
}
