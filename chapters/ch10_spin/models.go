package ch10

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models: a few Ms run the parts under test, in every order of their steps. A G here
// is a few lines of Go. The one that matters makes another G ready, and does not let go
// of its P until that has run: somebody else must come for it. If nobody does, it waits
// for ever, and the explorer says so.

// A Model is one of them, for who wants to explore it for longer than a check may.
type Model struct {
	Name string                               // of the check
	Play func(m *explore.Model, s *gmp.Sched) // makes it, with a scheduler of its own
}

// Models are those of the checks, and the ones that are too large for a check.
var Models = []Model{
	{"race-submit", inCrew(2, 1, submitted)},
	{"race-global", inCrew(2, 1, submittedGlobally)},
	{"race-network", inCrew(2, 1, backFromNetwork)},
	{"race-two", inCrew(3, 1, twoSubmitted)},
	{"race-chain", inCrew(3, 2, oneNeedsTheOther)},
	{"race-new-m", aNewM},
	{"three-give-up", inCrew(4, 1, threeGiveUp)},
	{"two-back-from-network", inCrew(3, 1, twoBackFromNetwork)},
}

// race is the check that explores the model of that name.
func race(name string) func(t *check.T) {
	for _, model := range Models {
		if model.Name == name {
			return func(t *check.T) {
				t.Explore(explore.Options{}, func(m *explore.Model) { model.Play(m, t.Bare(m)) })
			}
		}
	}
	panic("there is no model " + name)
}

// A crew is a scheduler with some Ms and as many Ps.
type crew struct {
	m    *explore.Model
	s    *gmp.Sched
	runs map[*gmp.G]func(mp *gmp.M) // what Gs do
	gs   int64
}

// inCrew makes a crew with so many Ps, all of them idle, which have room for n Gs each.
func inCrew(procs int32, n int, play func(c *crew)) func(m *explore.Model, s *gmp.Sched) {
	return func(m *explore.Model, s *gmp.Sched) {
		c := newCrew(m, s, procs, n)
		s.Deadlock = check.AllMaySleep{} // in the end all Ms sleep
		play(c)
	}
}

func newCrew(m *explore.Model, s *gmp.Sched, procs int32, n int) *crew {
	c := &crew{m: m, s: s, runs: map[*gmp.G]func(mp *gmp.M){}}
	s.Threads = &crewThreads{s.Threads, c}
	s.Procs = &crewProcs{s.Procs, c}
	s.RunQueue = &slots{s.RunQueue}
	s.Sources = crewSources{s}
	s.Stealing = onePass{s}
	s.Timers = gmp.None.Timers(s)
	s.NetPoller = gmp.None.NetPoller(s)
	s.Mnext.Set(int64(procs))
	s.Maxmcount.Set(10_000)
	s.Gomaxprocs.Set(procs)
	s.Lastpoll.Store(1)
	for id := range procs {
		s.Allp.Set(append(s.Allp.Get(), gmp.NewP(id, n)))
	}
	for id := procs - 1; id >= 0; id-- {
		s.Pidleput(s.Allp.Get()[id], 1)
	}
	m.Show(show)
	return c
}

func show(v any) string {
	switch v := v.(type) {
	case *gmp.G:
		return check.Name(v)
	case *gmp.P:
		return check.PName(v)
	case *gmp.M:
		return check.MName(v)
	}
	return ""
}

// What other chapters do, and what has been explored there, takes as few steps here as it
// can: each one makes more orders, and a report longer.

// crewProcs hands the Ps to Ms, as chapter 6 does. A P is in one hand at a time, so all but
// their number is plain memory.
type crewProcs struct {
	gmp.Procs
	c *crew
}

func (p *crewProcs) Acquirep(mp *gmp.M, pp *gmp.P) {
	switch {
	case pp == nil:
		p.c.m.Errorf("%s wakes up, or begins, and nobody has given it a P", check.MName(mp))
		p.c.m.FailNow()
	case pp.M.Get() != nil:
		p.c.m.Errorf("%s takes %s, which %s has", check.MName(mp), check.PName(pp), check.MName(pp.M.Get()))
		p.c.m.FailNow()
	}
	mp.P.Set(pp)
	pp.M.Set(mp)
}

func (p *crewProcs) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	mp.P.Set(nil)
	pp.M.Set(nil)
	return pp
}

func (p *crewProcs) Pidleput(pp *gmp.P, now int64) int64 {
	s := p.c.s
	pp.Link.Set(s.Pidle.Get())
	s.Pidle.Set(pp)
	s.Npidle.Add(1)
	return now
}

func (p *crewProcs) Pidleget(now int64) (*gmp.P, int64) {
	s := p.c.s
	pp := s.Pidle.Get()
	if pp != nil {
		s.Pidle.Set(pp.Link.Get())
		pp.Link.Set(nil)
		s.Npidle.Add(-1)
	}
	return pp, now
}

// crewSources has the own queue, and behind it the global one.
type crewSources struct{ s *gmp.Sched }

func (p crewSources) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	if gp := take(mp.P.Get()); gp != nil {
		return gp, false
	}
	if p.s.Runqsize.Load() == 0 {
		return nil, false
	}
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	return p.s.Globrunqget(), false
}

func (p crewSources) Globrunqgetlocal(pp *gmp.P) *gmp.G { return p.s.Globrunqget() }

// slots is a run queue of which each operation is one step for a slot. With no more than
// two Gs it is never thought empty when it is not.
type slots struct{ gmp.RunQueue }

func (slots) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	for i := range pp.Runq {
		if pp.Runq[i].CompareAndSwap(nil, gp) {
			return
		}
	}
	panic("a model queues more Gs on a P than it has room for")
}

func (slots) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue { return q }

func (slots) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) { return take(pp), false }

func (slots) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G { return take(p2) }

func (slots) Runqempty(pp *gmp.P) bool {
	for i := range pp.Runq {
		if pp.Runq[i].Load() != nil {
			return false
		}
	}
	return true
}

func take(pp *gmp.P) *gmp.G {
	for i := range pp.Runq {
		if gp := pp.Runq[i].Load(); gp != nil && pp.Runq[i].CompareAndSwap(gp, nil) {
			return gp
		}
	}
	return nil
}

// onePass is stealing with one look at each P, in order.
type onePass struct{ s *gmp.Sched }

func (p onePass) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	for _, p2 := range p.s.Allp.Get() {
		if p2 != mp.P.Get() {
			if gp := p.s.Runqsteal(mp.P.Get(), p2, false); gp != nil {
				return gp, false, now, 0, false
			}
		}
	}
	return nil, false, now, 0, false
}

// crewThreads starts new Ms as threads of the model. One is needed when a G comes, and
// the Ms that give up are not on the list of idle ones yet.
type crewThreads struct {
	gmp.Threads
	c *crew
}

func (t *crewThreads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := &gmp.M{ID: id}
	machine.Newosproc(fmt.Sprintf("M%d", id), func() {
		if fn != nil {
			fn(newm)
		}
		t.c.s.Acquirep(newm, pp)
		t.c.schedule(newm)
	})
}

// g makes a G, which waits, and does what do says when it runs.
func (c *crew) g(do func(mp *gmp.M)) *gmp.G {
	c.gs++
	gp := &gmp.G{Goid: machine.CellOf(c.gs)}
	gp.Atomicstatus.Store(gmp.Gwaiting)
	c.runs[gp] = do
	return gp
}

// mstart adds an M that begins with begin and then schedules, if more is set.
func (c *crew) mstart(id int64, begin func(mp *gmp.M) (more bool)) {
	c.m.Daemon(fmt.Sprintf("M%d", id), func() {
		mp := &gmp.M{ID: id}
		if begin(mp) {
			c.schedule(mp)
		}
	})
}

// schedule is the life of an M: it runs Gs, as many as there are; then the model has
// nothing more to say.
func (c *crew) schedule(mp *gmp.M) {
	for range c.gs {
		c.s.Schedule(mp)
		gp := mp.Curg.Get()
		c.runs[gp](mp)
		c.s.Dropg(mp)
		c.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	}
}

// pidleget gives mp an idle P, as to one that comes from the network. If there is none,
// it is not needed.
func (c *crew) pidleget(mp *gmp.M) (more bool) {
	c.s.Lock.Lock()
	pp, _ := c.s.Pidleget(1)
	c.s.Lock.Unlock()
	if pp == nil {
		return false
	}
	c.s.Acquirep(mp, pp)
	return true
}

// has gives mp the P number id before the model begins.
func (c *crew) has(id int) func(mp *gmp.M) (more bool) {
	pp := c.s.Allp.Get()[id]
	for at := &c.s.Pidle; at.Get() != nil; at = &at.Get().Link {
		if at.Get() == pp {
			at.Set(pp.Link.Get())
			c.s.Npidle.Add(-1)
			break
		}
	}
	return func(mp *gmp.M) bool {
		mp.P.Set(pp)
		pp.M.Set(mp)
		return true
	}
}

// submits makes mp run a G, from its beginning on, that makes another one ready and
// waits for it, with its P. The M ends with that.
func (c *crew) submits(begin func(mp *gmp.M) bool, ready func(mp *gmp.M, gp *gmp.G)) func(mp *gmp.M) (more bool) {
	var done machine.Note
	ran := false
	gp := c.g(func(*gmp.M) {
		ran = true
		done.Wakeup()
	})
	c.m.Check(func() { c.came(ran) })
	return func(mp *gmp.M) bool {
		begin(mp)
		ready(mp, gp)
		done.Sleep()
		return false
	}
}

// locally makes gp ready as Goready does, on the queue of mp's P.
func (c *crew) locally(mp *gmp.M, gp *gmp.G) { c.s.Ready(mp, gp, false) }

// globally makes gp ready as Gosched does, on the global queue.
func (c *crew) globally(mp *gmp.M, gp *gmp.G) {
	c.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	c.s.Lock.Lock()
	c.s.Globrunqput(gp)
	c.s.Lock.Unlock()
	c.s.Wakep(mp)
}

// came says that somebody came for each G.
func (c *crew) came(ran bool) {
	if ran {
		return
	}
	beside := "and no P is idle"
	switch n := c.s.Npidle.Load(); {
	case n == 1:
		beside = "beside an idle P"
	case n > 1:
		beside = fmt.Sprintf("beside %d idle Ps", n)
	}
	c.m.Errorf("a G was made ready, and nobody came to run it: it waits for ever, %s", beside)
}

// submitted: M0 makes a G ready while M1 finds nothing and gives up.
func submitted(c *crew) {
	c.mstart(0, c.submits(c.has(0), c.locally))
	c.mstart(1, c.has(1))
}

// submittedGlobally is the same with the global queue.
func submittedGlobally(c *crew) {
	c.mstart(0, c.submits(c.has(0), c.globally))
	c.mstart(1, c.has(1))
}

// backFromNetwork: while M1 gives up its P, M2 comes from the network and takes one.
func backFromNetwork(c *crew) {
	submitted(c)
	c.mstart(2, c.pidleget)
}

// twoSubmitted: M0 and M2 make a G ready each while M1 gives up.
func twoSubmitted(c *crew) {
	submitted(c)
	c.mstart(2, c.submits(c.has(2), c.locally))
}

// oneNeedsTheOther: M0 makes two Gs ready, and the first of them does not end before the
// second has run. So the M that comes for the first must see to it that another one
// comes for the second.
func oneNeedsTheOther(c *crew) {
	begin := c.has(0)
	var first, second machine.Note
	ran := false
	g1 := c.g(func(*gmp.M) {
		second.Sleep()
		first.Wakeup()
	})
	g2 := c.g(func(*gmp.M) { second.Wakeup() })
	c.mstart(0, func(mp *gmp.M) bool {
		begin(mp)
		c.s.Ready(mp, g1, false)
		c.s.Ready(mp, g2, false)
		first.Sleep()
		ran = true
		return false
	})
	c.mstart(1, c.has(1))
	c.m.Check(func() { c.came(ran) })
}

// threeGiveUp: a G is made ready while three Ms give up.
func threeGiveUp(c *crew) {
	twoOthers := c.has(2)
	submitted(c)
	c.mstart(2, twoOthers)
	c.mstart(3, c.has(3))
}

// twoBackFromNetwork: one gives up, and two come from the network.
func twoBackFromNetwork(c *crew) {
	submitted(c)
	c.mstart(2, c.pidleget)
	c.mstart(3, c.pidleget)
}

// aNewM: the monitor, which does not count for deadlocks, starts an M for the one P,
// while M0 comes back from a system call and goes to sleep without it, as the last M.
func aNewM(m *explore.Model, s *gmp.Sched) {
	c := newCrew(m, s, 1, 1)
	s.Mnext.Set(2)
	s.Nmsys.Set(1)
	ran := false
	g1 := c.g(func(*gmp.M) { ran = true })
	g1.Atomicstatus.Store(gmp.Grunnable)
	s.Allgadd(g1)
	c.mstart(0, func(mp *gmp.M) bool {
		s.Lock.Lock()
		pp, _ := s.Pidleget(1)
		if pp == nil {
			s.Globrunqput(g1)
		}
		s.Lock.Unlock()
		if pp == nil {
			s.Stopm(mp)
		} else {
			s.Acquirep(mp, pp)
			s.Runqput(pp, g1, false)
		}
		return true
	})
	m.Daemon("monitor", func() { s.Startm(&gmp.M{ID: 1}, nil, false, false) })
	m.Check(func() { c.came(ran) })
}
