package ch17

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models: one M stops the world, or runs a function on each P, and others do meanwhile
// what Ms do, in every order of their steps.

// Models are those of the checks.
var Models = check.Races{
	"race-idle":         inCrew(2, becomesIdle),
	"race-last":         inCrew(3, twoAreLast),
	"race-enter":        inCrew(2, entersCall),
	"race-return":       inCrew(2, returnsFromCall),
	"race-retake":       inCrew(2, retaken),
	"race-startm":       inCrew(2, carriesP),
	"race-twice":        inCrew(2, stopsTwice),
	"race-work":         inCrew(2, workIsLeft),
	"race-spin":         inCrew(2, spins),
	"race-monitor":      inCrew(2, monitorSleeps),
	"race-suspend":      inCrew(2, suspended),
	"race-each-idle":    inCrew(2, eachBecomesIdle),
	"race-each-call":    inCrew(2, eachInCall),
	"race-each-enter":   inCrew(2, eachEntersCall),
	"race-each-carried": inCrew(2, eachCarried),
	"race-each-two":     inCrew(3, eachOfTwo),
	"race-pool":         inCrew(2, twoAsk),
	"race-idle-worker":  inCrew(2, twoAreIdle),
	"race-last-look":    inCrew(2, looksLast),
	"race-turn":         inCrew(2, twoTurns),
	"race-mark-done":    inCrew(2, lastWorkers),
	"race-found-late":   inCrew(2, foundLate),
}

// race is the check that explores the model of that name.
func race(name string) func(t *check.T) { return Models.Check(name) }

// stopper makes an M with P0, and without a G.
func (c *crew) stopper() *gmp.M {
	mp := gmp.NewM(c.s.Mnext.Get())
	c.s.Mnext.Set(mp.ID + 1)
	check.Holding(mp, c.p(0))
	c.s.Worldsema.Store(true)
	return mp
}

// runsOne adds an M with P1, which runs gp, and then looks for more.
func (c *crew) runsOne(gp *gmp.G) {
	c.has(c.mstartOn(1, c.goes), gp)
}

// becomesIdle: M1 has nothing to do, and becomes idle while the world stops. M0 is awake, so
// that is no deadlock.
func becomesIdle(c *crew) {
	c.s.Deadlock = c.s.Version().Deadlock(c.s)
	c.stops(c.stopper(), 1)
	c.mstartOn(1, c.goes)
}

// twoAreLast: M1 and M2, which spin, both stop for the world. Nobody need be woken at the end,
// since a third one spins.
func twoAreLast(c *crew) {
	s := c.s
	s.Nmspinning.Store(3)
	c.stops(c.stopper(), 1)
	for id := 1; id <= 2; id++ {
		c.mstartOn(id, func(mp *gmp.M) {
			if s.Gcwaiting.Load() {
				mp.Spinning.Set(true)
				s.Gcstopm(mp)
				return
			}
			s.Nmspinning.Add(-1)
			c.idles(mp)
		})
	}
	c.m.Check(func() {
		if n := s.Nmspinning.Load(); n != 1 {
			c.m.Errorf("M1 and M2 spin no more, and another M does; s.Nmspinning is %d", n)
		}
	})
}

// idles lets mp give its P back under the lock, unless the world is to stop by then.
func (c *crew) idles(mp *gmp.M) {
	s := c.s
	s.Lock.Lock()
	if s.Gcwaiting.Load() {
		s.Lock.Unlock()
		s.Gcstopm(mp)
		return
	}
	s.Pidleput(s.Releasep(mp), 1)
	s.Lock.Unlock()
}

// entersCall: M1 enters a system call that lasts for ever while the world stops, or while it
// stops once more: what M1 has seen may be from the first time.
func entersCall(c *crew) {
	c.stops(c.stopper(), 2)
	gp := c.g(gmp.Grunning, nil)
	c.has(c.mstartOn(1, func(mp *gmp.M) { c.s.Entersyscall(mp, gp) }), gp)
}

// inCall adds an M that has entered a call with P1 and its G, and returns from it.
func (c *crew) inCall(gp *gmp.G) {
	mp := gmp.NewM(c.s.Mnext.Get())
	c.s.Mnext.Set(mp.ID + 1)
	check.Holding(mp, c.p(1))
	c.has(mp, gp)
	c.s.Entersyscall(mp, gp)
	c.m.Daemon(check.MName(mp), func() {
		c.s.Exitsyscall(mp, gp)
		c.goes(mp)
	})
}

// returnsFromCall: M1 returns from a system call while the world stops.
func returnsFromCall(c *crew) {
	c.stops(c.stopper(), 1)
	c.inCall(c.mustRun(gmp.Grunning))
}

// retaken: M1 is in a call, and the monitor wants its P while the world stops.
func retaken(c *crew) {
	c.stops(c.stopper(), 1)
	gp := c.g(gmp.Grunning, nil)
	mp := gmp.NewM(1)
	c.s.Mnext.Set(2)
	check.Holding(mp, c.p(1))
	c.has(mp, gp)
	c.s.Entersyscall(mp, gp)
	c.m.Daemon("monitor", func() { c.s.RetakeSyscall(gmp.NewM(-1), c.p(1), 1, true) })
}

// carriesP: M1, which has no P, wakes an M for P1, which is idle, while the world stops.
func carriesP(c *crew) {
	c.idle(c.p(1))
	c.stops(c.stopper(), 1)
	c.mstart(func(mp *gmp.M) { c.s.Wakep(mp) })
	c.m.Check(func() {
		if n := c.s.Nmspinning.Load(); n != 0 {
			c.m.Errorf("in the end no M spins, and s.Nmspinning is %d", n)
		}
	})
}

// stopsTwice: M0 stops the world twice, and lets an M run P1 in between. M1 looks for a G
// meanwhile. Nobody else need be woken, since one M is counted as spinning.
func stopsTwice(c *crew) {
	s := c.s
	s.Nmspinning.Store(1)
	m0, between := c.stopper(), 0
	s.Wakeups = &secondWind{s.Wakeups, func() {
		if between++; between > 1 {
			return
		}
		s.Lock.Lock()
		pp, _ := s.Pidleget(1)
		s.Lock.Unlock()
		if pp != nil {
			s.Startm(m0, pp, false, false)
		}
	}}
	c.stops(m0, 2)
	c.mstartOn(1, c.goes)
}

// secondWind does something else at the end of each start.
type secondWind struct {
	gmp.Wakeups
	do func()
}

func (p *secondWind) Wakep(mp *gmp.M) { p.do() }

// workIsLeft: M1 runs G1, and G2 is on the queue of P1. The world stops, and goes on.
func workIsLeft(c *crew) {
	g1, g2 := c.mustRun(gmp.Grunning), c.mustRun(gmp.Grunnable)
	c.s.Runqput(c.p(1), g2, false)
	c.stops(c.stopper(), 1)
	c.runsOne(g1)
}

// spins: M0 runs a G, and has another one, G1, for which it has woken nobody, since M1 spins.
// Before M1 finds G1, M0 stops the world and starts it again; and then it waits for G1.
func spins(c *crew) {
	s := c.s
	var done machine.Note
	gp := c.g(gmp.Grunnable, func(*gmp.M) { done.Wakeup() })
	m0, ran := c.stopper(), false
	s.Nmspinning.Store(1)
	s.Runqput(c.p(0), gp, false)
	c.m.Daemon("M0", func() {
		s.StopTheWorldWithSema(m0, "test")
		s.StartTheWorldWithSema(m0, 1)
		done.Sleep()
		ran = true
	})
	c.mstartOn(1, func(mp *gmp.M) {
		mp.Spinning.Set(true)
		if s.Gcwaiting.Load() {
			s.Gcstopm(mp)
			c.goes(mp)
		}
		mp.Spinning.Set(false)
		s.Nmspinning.Add(-1)
		if check.TakeSlot(c.p(0)) != nil {
			done.Wakeup()
		}
		c.goes(mp)
	})
	c.m.Check(func() {
		if !ran {
			c.m.Errorf("G1 is on the queue of P0, and waits for ever: nobody was woken for it when it was queued, because M1 spun; M1 has stopped with the world, and sleeps; %d Ps are idle", s.Npidle.Load())
		}
	})
}

// monitorSleeps: M0 starts the world. The monitor sleeps, or is about to, since the world is
// stopped; and M1 is back from a system call, and takes P1 if it is idle.
func monitorSleeps(c *crew) {
	s := c.s
	s.Nmspinning.Store(1) // nobody need be woken
	m0 := c.stopper()
	for _, pp := range s.Allp.Get() {
		pp.Status.Store(gmp.Pgcstop)
	}
	s.Gcwaiting.Store(true)
	c.m.Daemon("M0", func() {
		s.StartTheWorldWithSema(m0, 1)
		s.Lock.Lock()
		if s.Sysmonwait.Load() {
			c.m.Errorf("M0 has started the world, and runs on P0; the monitor sleeps, and no M will wake it")
		}
		s.Lock.Unlock()
	})
	c.mstart(func(mp *gmp.M) { s.ExitsyscallPidle(mp) })
	c.m.Daemon("monitor", func() { s.SysmonSleep(gmp.NewM(-1)) })
}

// raceSema is a check: two Gs, on as many Ms, stop the world, and start it.
func raceSema(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		c.Queues() // so that each M has a P
		c.S.World = &turns{World: c.S.World, c: c}
		for range 2 {
			c.Go(func(mp *gmp.M, gp *gmp.G) {
				c.S.StopTheWorld(mp, gp, "test", func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
					if cur := mp.Curg.Get(); cur != gp {
						c.Errorf("then is called for %s on %s, which runs %s", check.Name(gp), check.MName(mp), check.Name(cur))
					}
					s.StartTheWorld(mp)
				})
			})
		}
		c.Check(func() {
			if c.S.Worldsema.Load() {
				c.Errorf("all have had their turn, and s.Worldsema is still set")
			}
		})
	})
}

// turns stops no world, and sees that one does so at a time.
type turns struct {
	gmp.World
	c    *check.Crew
	turn machine.Cell[*gmp.M]
}

func (p *turns) StopTheWorldWithSema(mp *gmp.M, reason string) {
	if by := p.turn.Get(); by != nil {
		p.c.Errorf("%s stops the world, which %s has stopped", check.MName(mp), check.MName(by))
	}
	p.turn.Set(mp)
}

func (p *turns) StartTheWorldWithSema(mp *gmp.M, now int64) int64 {
	p.turn.Set(nil)
	return now
}

// suspended: M1, which has P1, suspends G1, which stops the world on M0.
func suspended(c *crew) {
	s := c.s
	g1 := c.g(gmp.Grunning, nil)
	m0 := c.stopper()
	c.has(m0, g1)
	s.Signals = unheard{s.Signals}
	c.stops(m0, 1)
	c.mstartOn(1, func(mp *gmp.M) {
		state := s.SuspendG(mp, g1)
		if g1.Atomicstatus.Load() == gmp.Gwaiting|gmp.Gscan {
			c.m.Logf("G1 waits: %s", g1.Waitreason.Get())
		}
		s.ResumeG(mp, state)
		c.goes(mp)
	})
}

// unheard sends no signals.
type unheard struct{ gmp.Signals }

func (unheard) PreemptM(mp, target *gmp.M) {}

// eachBecomesIdle: M1 becomes idle while M0 runs a function on each P.
func eachBecomesIdle(c *crew) {
	c.each(c.stopper())
	c.mstartOn(1, c.goes)
}

// eachInCall: M1 returns from a system call meanwhile.
func eachInCall(c *crew) {
	c.each(c.stopper())
	c.inCall(c.mustRun(gmp.Grunning))
}

// eachEntersCall: M1 enters a system call meanwhile, which lasts for ever.
func eachEntersCall(c *crew) {
	c.each(c.stopper())
	gp := c.g(gmp.Grunning, nil)
	c.has(c.mstartOn(1, func(mp *gmp.M) { c.s.Entersyscall(mp, gp) }), gp)
}

// eachCarried: M1 takes the idle P1 meanwhile, and gives it to a new M.
func eachCarried(c *crew) {
	c.idle(c.p(1))
	c.each(c.stopper())
	c.mstart(func(mp *gmp.M) { c.s.Wakep(mp) })
}

// eachOfTwo: M1 is in a system call that lasts for ever, and M2 becomes idle meanwhile.
func eachOfTwo(c *crew) {
	c.each(c.stopper())
	g1, m1 := c.g(gmp.Grunning, nil), gmp.NewM(1)
	c.s.Mnext.Set(2)
	check.Holding(m1, c.p(1))
	c.has(m1, g1)
	c.s.Entersyscall(m1, g1)
	c.mstartOn(2, func(mp *gmp.M) {
		if c.p(2).RunSafePointFn.Load() != 0 {
			c.s.RunSafePointFn(c.p(2), false)
			return
		}
		c.s.Lock.Lock()
		c.s.Pidleput(c.s.Releasep(mp), 1)
		c.s.Lock.Unlock()
	})
}
