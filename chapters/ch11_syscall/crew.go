package ch11

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// This file has what the models are made of: Ms, Ps and Gs, and stand-ins for the parts of
// other chapters, in as few steps as they can be.

// A crew is a scheduler with some Ms and Ps.
type crew struct {
	m    *explore.Model
	s    *gmp.Sched
	runs check.Lives // what Gs do
}

// inCrew makes a crew with so many Ps, which belong to no M yet, and have room for one G
// each.
func inCrew(procs int32, play func(c *crew)) func(m *explore.Model, s *gmp.Sched) {
	return func(m *explore.Model, s *gmp.Sched) {
		c := &crew{m: m, s: s, runs: check.Lives{}}
		s.Threads = &crewThreads{s.Threads, c}
		s.Procs = &crewProcs{s.Procs, c}
		s.RunQueue = check.Slots{RunQueue: s.RunQueue}
		s.Finder = quick{s.Finder, c}
		s.Maxmcount.Set(10_000)
		s.Lastpoll.Store(1)
		check.MakePs(s, procs, 1)
		m.Show(check.Show)
		play(c)
	}
}

// p is a P.
func (c *crew) p(id int) *gmp.P { return c.s.Allp.Get()[id] }

// g makes a G in state st, which does what do says when it runs.
func (c *crew) g(st uint32, do func(mp *gmp.M)) *gmp.G { return c.runs.New(c.s, st, do) }

// mustRun makes a G that says at the end if it has not run.
func (c *crew) mustRun(st uint32) *gmp.G {
	ran := false
	gp := c.g(st, func(*gmp.M) { ran = true })
	c.m.Check(func() {
		if !ran {
			c.m.Errorf("%s is %s, and no M runs it: it waits for ever, %s", check.Name(gp), check.State(gp), check.Beside(c.s))
		}
	})
	return gp
}

// idle puts a P on the list of idle ones.
func (c *crew) idle(pp *gmp.P) { check.PutIdle(c.s, pp) }

// mstart adds an M that begins with begin.
func (c *crew) mstart(id int64, begin func(mp *gmp.M)) *gmp.M {
	mp := gmp.NewM(id)
	c.m.Daemon(fmt.Sprintf("M%d", id), func() { begin(mp) })
	return mp
}

// has gives gp to mp, which runs it.
func (c *crew) has(mp *gmp.M, gp *gmp.G) {
	mp.Curg.Set(gp)
	gp.M.Set(mp)
}

// returns adds an M that is in a call with gp, which it has entered with pp before the
// model begins, and returns. If pp is nil it has lost its P, and another M has that.
func (c *crew) returns(id int64, gp *gmp.G, pp *gmp.P) {
	mp := gmp.NewM(id)
	c.has(mp, gp)
	if pp != nil {
		check.Holding(mp, pp)
		c.s.Entersyscall(mp, gp)
	} else {
		gp.Atomicstatus.Store(gmp.Gsyscall)
	}
	c.m.Daemon(check.MName(mp), func() {
		c.s.Exitsyscall(mp, gp)
		c.goes(mp)
	})
}

// use does with the P of mp what any owner does.
func use(mp *gmp.M) {
	pp := mp.P.Get()
	pp.Schedtick.Set(pp.Schedtick.Get() + 1)
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
}

// goes is the life of an M from now on: it runs its G, and schedules, and so on.
func (c *crew) goes(mp *gmp.M) {
	s := c.s
	for {
		if mp.Curg.Get() == nil {
			s.Schedule(mp)
		}
		if mp.Curg.Get() == nil {
			return // the M has ended
		}
		use(mp)
		c.runs.Run(s, mp)
	}
}

// crewProcs hands Ps to Ms, as chapter 6 does. Whoever takes one uses it, so that the M
// that had it before is in a race if it still touches it.
type crewProcs struct {
	gmp.Procs
	c *crew
}

func (p *crewProcs) Acquirep(mp *gmp.M, pp *gmp.P) { p.Wirep(mp, pp) }

func (p *crewProcs) Wirep(mp *gmp.M, pp *gmp.P) {
	switch {
	case pp == nil:
		p.c.m.Errorf("%s wakes up, or starts, and has not been given a P", check.MName(mp))
		p.c.m.FailNow()
	case pp.M.Look() != nil:
		p.c.m.Errorf("%s takes %s, which %s has", check.MName(mp), check.PName(pp), check.MName(pp.M.Look()))
		p.c.m.FailNow()
	}
	pp.M.Set(mp)
	mp.P.Set(pp)
	pp.Status.Store(gmp.Prunning)
	use(mp)
}

func (p *crewProcs) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	return pp
}

func (p *crewProcs) Pidleput(pp *gmp.P, now int64) int64 {
	if take := pp.Runq[0].Load(); take != nil {
		p.c.m.Errorf("%s is put on the list of idle Ps, and %s is in its queue", check.PName(pp), check.Name(take))
	}
	p.c.idle(pp)
	return now
}

func (p *crewProcs) Pidleget(now int64) (*gmp.P, int64) {
	return check.TakeIdle(p.c.s), now
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
		t.c.s.Acquirep(newm, pp)
		t.c.goes(newm)
	})
}

// quick is the Finder of chapter 10 in few steps. An M asks others only if it was woken to
// do so, or is wanted to.
type quick struct {
	gmp.Finder
	c *crew
}

func (p quick) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	for gp == nil {
		if gp = p.look(mp); gp == nil {
			gp = p.giveUp(mp)
		}
	}
	return gp, false, false
}

func (p quick) look(mp *gmp.M) *gmp.G {
	if gp := check.TakeSlot(mp.P.Get()); gp != nil || !mp.Spinning.Get() {
		return gp
	}
	for _, p2 := range p.c.s.Allp.Get() {
		if gp := check.TakeSlot(p2); gp != nil {
			return gp
		}
	}
	return nil
}

// giveUp returns when mp has a P and may look again, or with a G.
func (p quick) giveUp(mp *gmp.M) *gmp.G {
	s := p.c.s
	s.Lock.Lock()
	if s.Gcwaiting.Load() {
		p.unspin(mp)
		p.c.stop(s.Releasep(mp))
		s.Lock.Unlock()
		s.Stopm(mp)
		return nil
	}
	gp := s.Globrunqget()
	switch {
	case gp != nil:
		s.Lock.Unlock()
	case !mp.Spinning.Get() && s.Needspinning.Load():
		s.BecomeSpinning(mp)
		s.Lock.Unlock()
	default:
		all := s.Allp.Get()
		s.Pidleput(s.Releasep(mp), 1)
		s.Lock.Unlock()
		p.sleep(mp, all)
	}
	return gp
}

func (p quick) unspin(mp *gmp.M) (spun bool) {
	if spun = mp.Spinning.Get(); spun {
		mp.Spinning.Set(false)
		p.c.s.Nmspinning.Add(-1)
	}
	return spun
}

// sleep lets mp, which has given back its P, look once more if it has spun, and sleep if
// there is nothing.
func (p quick) sleep(mp *gmp.M, all []*gmp.P) {
	s := p.c.s
	if p.unspin(mp) {
		if pp := s.CheckRunqsNoP(mp, all); pp != nil {
			s.Acquirep(mp, pp)
			s.BecomeSpinning(mp)
			return
		}
		s.Lock.Lock()
		var pp *gmp.P
		if s.Runq.Get().Size > 0 {
			pp, _ = s.PidlegetSpinning(mp, 1)
		}
		s.Lock.Unlock()
		if pp != nil {
			s.Acquirep(mp, pp)
			s.BecomeSpinning(mp)
			return
		}
	}
	s.Stopm(mp)
}

// stop stops a P for the world. s.Lock is held.
func (c *crew) stop(pp *gmp.P) {
	s := c.s
	pp.Status.Store(gmp.Pgcstop)
	s.Stopwait.Set(s.Stopwait.Get() - 1)
	if s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
}
