package ch17

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
	runs check.Lives         // what Gs do
	ran  []machine.Cell[int] // by ID of a P: how often the function of ForEachP was called
}

// inCrew makes a crew with so many Ps, which belong to no M yet.
func inCrew(procs int32, play func(c *crew)) func(m *explore.Model, s *gmp.Sched) {
	return func(m *explore.Model, s *gmp.Sched) {
		c := &crew{m: m, s: s, runs: check.Lives{}, ran: make([]machine.Cell[int], procs)}
		s.Threads = &crewThreads{s.Threads, c}
		s.Procs = &crewProcs{s.Procs, c}
		s.RunQueue = check.Slots{RunQueue: s.RunQueue}
		s.Finder = quick{s.Finder, c}
		s.Monitor = &deaf{Monitor: s.Monitor}
		s.NetPoller = gmp.None.NetPoller(s)
		s.Deadlock = check.AllMaySleep{}
		s.Maxmcount.Set(10_000)
		s.Lastpoll.Store(0) // an M waits for the network, so that Ps may become idle
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
			c.m.Errorf("%s is %s, and no M runs it: it waits for ever, and %d Ps are idle", check.Name(gp), check.State(gp), c.s.Npidle.Load())
		}
	})
	return gp
}

// idle puts a P on the list of idle ones.
func (c *crew) idle(pp *gmp.P) { check.PutIdle(c.s, pp) }

// mstart adds an M that begins with begin. It may be asleep at the end.
func (c *crew) mstart(begin func(mp *gmp.M)) *gmp.M {
	mp := gmp.NewM(c.s.Mnext.Get())
	c.s.Mnext.Set(mp.ID + 1)
	c.m.Daemon(check.MName(mp), func() { begin(mp) })
	return mp
}

// mstartOn adds an M that holds P number id from the start: whoever finds that P idle, or takes
// it, is wrong, and not early.
func (c *crew) mstartOn(id int, begin func(mp *gmp.M)) *gmp.M {
	mp := c.mstart(begin)
	check.Holding(mp, c.p(id))
	return mp
}

// has gives gp to mp, which runs it.
func (c *crew) has(mp *gmp.M, gp *gmp.G) {
	mp.Curg.Set(gp)
	gp.M.Set(mp)
}

// use does with a P what any owner does: another M that does so, too, is in a race.
func use(pp *gmp.P) {
	pp.Schedtick.Set(pp.Schedtick.Get() + 1)
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	pp.GcMarkWorkerMode.Set(gmp.GcMarkWorkerNotWorker)
}

// goes is the life of an M from now on: it runs its G, and schedules, and so on.
func (c *crew) goes(mp *gmp.M) {
	s := c.s
	for {
		if mp.Curg.Get() == nil {
			s.Schedule(mp)
		}
		use(mp.P.Get())
		c.runs.Run(s, mp)
	}
}

// stops lets mp stop the world, use all Ps, and let it go on, so many times.
func (c *crew) stops(mp *gmp.M, times int) {
	s, done := c.s, 0
	c.m.Daemon(check.MName(mp), func() {
		for range times {
			s.StopTheWorldWithSema(mp, "test")
			for _, pp := range s.Allp.Get() {
				if pp.Status.Load() != gmp.Pgcstop {
					c.m.Errorf("%s has stopped the world, and %s is %s", check.MName(mp), check.PName(pp), check.PState(pp))
				}
				use(pp)
			}
			if pp := s.Pidle.Get(); pp != nil {
				c.m.Errorf("%s has stopped the world, and %s is on the list of idle Ps", check.MName(mp), check.PName(pp))
			}
			s.StartTheWorldWithSema(mp, 1)
			done++
		}
	})
	c.m.Check(func() {
		if done < times {
			c.m.Errorf("%s waits for ever: s.Stopwait is %d, %s", check.MName(mp), s.Stopwait.Get(), c.states())
		}
	})
}

// states says how the Ps are.
func (c *crew) states() string {
	text := ""
	for i, pp := range c.s.Allp.Get() {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s is %s", check.PName(pp), check.PState(pp))
	}
	return text
}

// each lets mp run a function on each P, and says at the end if that was not done.
func (c *crew) each(mp *gmp.M) {
	s, done := c.s, false
	c.m.Daemon(check.MName(mp), func() {
		s.ForEachP(mp, gmp.WaitReasonGCWorkerIdle, func(pp *gmp.P) {
			use(pp)
			n := &c.ran[pp.ID]
			if n.Set(n.Get() + 1); n.Get() > 1 {
				c.m.Errorf("the function is called for %s a second time", check.PName(pp))
			}
		})
		for id := range c.ran {
			if c.ran[id].Get() == 0 {
				c.m.Errorf("ForEachP has returned, and the function was not called for P%d", id)
			}
		}
		done = true
	})
	c.m.Check(func() {
		if !done {
			c.m.Errorf("%s waits for ever: s.SafePointWait is %d, %s", check.MName(mp), s.SafePointWait.Get(), c.states())
		}
	})
}

// deaf is a monitor whose requests to stop nobody hears: an M stops when it looks for a G.
// The first request takes a while. Later ones may come with s.Lock held, and in each round of a loop.
type deaf struct {
	gmp.Monitor
	asked bool
}

func (p *deaf) Preemptall(mp *gmp.M) bool {
	if !p.asked {
		p.asked = true
		machine.Osyield()
	}
	return false
}

// crewProcs hands Ps to Ms, as chapter 6 does. Whoever takes one uses it.
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
	case pp.Status.Load() != gmp.Pidle:
		p.c.m.Errorf("%s takes %s, which is %s", check.MName(mp), check.PName(pp), check.PState(pp))
		p.c.m.FailNow()
	}
	pp.M.Set(mp)
	mp.P.Set(pp)
	pp.Status.Store(gmp.Prunning)
	use(pp)
}

func (p *crewProcs) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	return pp
}

func (p *crewProcs) Pidleput(pp *gmp.P, now int64) int64 {
	if pp.RunSafePointFn.Load() != 0 {
		p.c.s.RunSafePointFn(pp, true)
	}
	p.c.idle(pp)
	return now
}

func (p *crewProcs) Pidleget(now int64) (*gmp.P, int64) {
	return check.TakeIdle(p.c.s), now
}

// Procresize gives all Ps out again. Their number stays.
func (p *crewProcs) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	s := p.c.s
	mp.P.Get().Status.Store(gmp.Prunning)
	var work *gmp.P
	for _, pp := range s.Allp.Get() {
		if pp == mp.P.Get() {
			continue
		}
		pp.Status.Store(gmp.Pidle)
		if s.Runqempty(pp) {
			p.c.idle(pp)
			continue
		}
		pp.Link.Set(work)
		work = pp
	}
	return work
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

// quick is the Finder of chapter 10 in few steps. An M that spins looks at all Ps, once.
type quick struct {
	gmp.Finder
	c *crew
}

func (p quick) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	for {
		if gp := p.look(mp); gp != nil {
			return gp, false, false
		}
	}
}

func (p quick) look(mp *gmp.M) *gmp.G {
	s, pp := p.c.s, mp.P.Get()
	if s.Gcwaiting.Load() {
		s.Gcstopm(mp)
		return nil
	}
	if pp.RunSafePointFn.Load() != 0 {
		s.RunSafePointFn(pp, false)
	}
	if gp := check.TakeSlot(pp); gp != nil {
		return gp
	}
	if mp.Spinning.Get() {
		for _, p2 := range s.Allp.Get() {
			if gp := check.TakeSlot(p2); gp != nil {
				return gp
			}
		}
	}
	s.Lock.Lock()
	if s.Gcwaiting.Load() {
		s.Lock.Unlock()
		return nil
	}
	if gp := s.Globrunqget(); gp != nil {
		s.Lock.Unlock()
		return gp
	}
	s.Pidleput(s.Releasep(mp), 1)
	s.Lock.Unlock()
	if mp.Spinning.Get() {
		mp.Spinning.Set(false)
		s.Nmspinning.Add(-1)
		if pp := s.CheckRunqsNoP(mp, s.Allp.Get()); pp != nil {
			s.Acquirep(mp, pp)
			s.BecomeSpinning(mp)
			return nil
		}
	}
	s.Stopm(mp)
	return nil
}
