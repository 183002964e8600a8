package ch10

import (
	"cmp"
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// This file has what the models are made of: Ms, Ps and Gs, and stand-ins for the parts of
// other chapters.

// A crew is a scheduler with some Ms and as many Ps.
type crew struct {
	m      *explore.Model
	s      *gmp.Sched
	runs   check.Lives     // what Gs do
	ms     []*gmp.M        // those that have begun
	turns  int             // how many Gs an M runs at most, 0 for all
	masks  bool            // the Ps keep the masks of chapter 18
	begins func(mp *gmp.M) // the life of a new M; schedule, unless a model says otherwise
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
	c := &crew{m: m, s: s, runs: check.Lives{}}
	s.Threads = &crewThreads{s.Threads, c}
	s.Procs = &crewProcs{s.Procs, c}
	s.RunQueue = check.Slots{RunQueue: s.RunQueue}
	s.Sources = crewSources{s}
	s.Stealing = onePass{s}
	s.Timers = gmp.None.Timers(s)
	s.NetPoller = gmp.None.NetPoller(s)
	s.Mnext.Set(int64(procs))
	s.Maxmcount.Set(10_000)
	s.Lastpoll.Store(1)
	check.MakePs(s, procs, n)
	s.Resizemasks(procs)
	for id := procs - 1; id >= 0; id-- {
		s.Pidleput(s.Allp.Get()[id], 1)
	}
	c.begins = c.schedule
	m.Show(check.Show)
	m.Check(c.counted)
	return c
}

// What other chapters do, and what has been explored there, takes as few steps here as it
// can: each one makes more orders, and a report longer.

// crewProcs hands the Ps to Ms, as chapter 6 does. A P is in one hand at a time, so all but
// their number is plain memory; whoever takes one uses it, so that the M that had it before
// is in a race if it still touches it.
type crewProcs struct {
	gmp.Procs
	c *crew
}

func (p *crewProcs) Acquirep(mp *gmp.M, pp *gmp.P) {
	switch {
	case pp == nil:
		p.c.m.Errorf("%s wakes up, or starts, and has not been given a P", check.MName(mp))
		p.c.m.FailNow()
	case pp.M.Get() != nil:
		p.c.m.Errorf("%s takes %s, which %s has", check.MName(mp), check.PName(pp), check.MName(pp.M.Get()))
		p.c.m.FailNow()
	}
	mp.P.Set(pp)
	pp.M.Set(mp)
	pp.Schedtick.Set(pp.Schedtick.Get() + 1)
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
}

func (p *crewProcs) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	mp.P.Set(nil)
	pp.M.Set(nil)
	return pp
}

func (p *crewProcs) Pidleput(pp *gmp.P, now int64) int64 {
	s := p.c.s
	if p.c.masks {
		s.MaskIdle(pp)
	}
	check.PutIdle(s, pp)
	return now
}

func (p *crewProcs) Pidleget(now int64) (*gmp.P, int64) {
	pp := check.TakeIdle(p.c.s)
	if pp != nil && p.c.masks {
		p.c.s.MaskBusy(pp)
	}
	return pp, now
}

// crewWorld lets an M stop for good.
type crewWorld struct {
	gmp.World
	c *crew
}

func (p crewWorld) Gcstopm(mp *gmp.M) {
	s := p.c.s
	if mp.Spinning.Get() {
		mp.Spinning.Set(false)
		s.Nmspinning.Add(-1)
	}
	s.Lock.Lock()
	s.Releasep(mp)
	s.Stopnote.Wakeup()
	s.Lock.Unlock()
	s.Stopm(mp)
}

// crewSources has the own queue, and behind it the global one.
type crewSources struct{ s *gmp.Sched }

func (p crewSources) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	if gp := check.TakeSlot(mp.P.Get()); gp != nil {
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

// crewThreads starts new Ms as threads of the model.
type crewThreads struct {
	gmp.Threads
	c *crew
}

func (t *crewThreads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := gmp.NewM(id)
	machine.Newosproc(check.MName(newm), func() {
		if fn != nil {
			fn(newm)
		}
		t.c.ms = append(t.c.ms, newm)
		t.c.s.Acquirep(newm, pp)
		t.c.begins(newm)
	})
}

// g makes a G, which waits, and does what do says when it runs.
func (c *crew) g(do func(mp *gmp.M)) *gmp.G {
	return c.runs.New(c.s, gmp.Gwaiting, do)
}

// mstart adds an M that begins with begin and then schedules, if more is set.
func (c *crew) mstart(id int64, begin func(mp *gmp.M) (more bool)) {
	c.m.Daemon(fmt.Sprintf("M%d", id), func() {
		mp := gmp.NewM(id)
		c.ms = append(c.ms, mp)
		if begin(mp) {
			c.schedule(mp)
		}
	})
}

// schedule is the life of an M: it runs Gs, as many as there are or may be; then the model
// has nothing more to say.
func (c *crew) schedule(mp *gmp.M) {
	turns := cmp.Or(c.turns, len(c.runs), 1)
	for range turns {
		c.s.Schedule(mp)
		c.runs.Run(c.s, mp)
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
			if c.masks {
				c.s.MaskBusy(pp)
			}
			break
		}
	}
	return func(mp *gmp.M) bool {
		mp.P.Set(pp)
		pp.M.Set(mp)
		return true
	}
}

// spins is has for an M that spins already.
func (c *crew) spins(id int) func(mp *gmp.M) (more bool) {
	begin := c.has(id)
	c.s.Nmspinning.Add(1)
	return func(mp *gmp.M) bool {
		mp.Spinning.Set(true)
		return begin(mp)
	}
}

// other is an M of which nothing is seen but that it spins: as long as it does no other one
// may begin to.
func (c *crew) other() {
	c.ms = append(c.ms, &gmp.M{ID: -1, Spinning: machine.CellOf(true)})
	c.s.Nmspinning.Add(1)
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
	if !ran {
		c.m.Errorf("a G was made ready, and no M came to run it: it waits for ever, %s", check.Beside(c.s))
	}
}

// counted says that Nmspinning is the number of those that spin.
func (c *crew) counted() {
	spin := int32(0)
	for _, mp := range c.ms {
		if mp.Spinning.Get() {
			spin++
		}
	}
	if n := c.s.Nmspinning.Load(); n != spin {
		c.m.Errorf("in the end s.Nmspinning is %d, and the number of Ms with Spinning set is %d", n, spin)
	}
}

// quick is a Finder in few steps, for Ms that a model is not about: they ask others only if
// they were woken to do so, or are wanted to.
type quick struct {
	gmp.Finder // the one under test
	c          *crew
	tested     *gmp.M // the M that uses that one, nil for none
}

func (p *quick) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	if mp == p.tested {
		return p.Finder.FindRunnable(mp)
	}
	for gp == nil {
		if gp = p.look(mp); gp == nil {
			gp = p.giveUp(mp)
		}
	}
	return gp, false, false
}

// look looks nearby and, if mp spins, at the queues of others.
func (p *quick) look(mp *gmp.M) *gmp.G {
	gp, _ := p.c.s.Nearby(mp)
	if gp == nil && mp.Spinning.Get() {
		gp, _, _, _, _ = p.c.s.StealWork(mp, 1)
	}
	return gp
}

// giveUp returns when mp has a P and may look again, or with a G.
func (p *quick) giveUp(mp *gmp.M) *gmp.G {
	s := p.c.s
	s.Lock.Lock()
	gp := s.Globrunqget()
	if gp == nil && !mp.Spinning.Get() && s.Needspinning.Load() {
		s.BecomeSpinning(mp)
	} else if gp == nil {
		defer p.sleep(mp, s.Allp.Get())
		s.Pidleput(s.Releasep(mp), 1)
	}
	s.Lock.Unlock()
	return gp
}

// sleep lets mp, which has given back its P, look once more if it has spun, and sleep if
// there is nothing.
func (p *quick) sleep(mp *gmp.M, all []*gmp.P) {
	s := p.c.s
	if mp.Spinning.Get() {
		mp.Spinning.Set(false)
		s.Nmspinning.Add(-1)
		if pp := p.again(mp, all); pp != nil {
			s.Acquirep(mp, pp)
			s.BecomeSpinning(mp)
			return
		}
	}
	s.Stopm(mp)
}

// again returns a P if there is work.
func (p *quick) again(mp *gmp.M, all []*gmp.P) *gmp.P {
	s := p.c.s
	if s.Runqsize.Load() > 0 {
		s.Lock.Lock()
		defer s.Lock.Unlock()
		pp, _ := s.PidlegetSpinning(mp, 1)
		return pp
	}
	return s.CheckRunqsNoP(mp, all)
}
