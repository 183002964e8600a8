package ch11

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The models: a few Ms run the parts under test, in every order of their steps.

// Models are those of the checks.
var Models = check.Races{
	"race-retake":         inCrew(1, retaken),
	"race-steal":          inCrew(1, twoReturn),
	"race-stop":           inCrew(1, theWorldStops),
	"race-stop-retake":    inCrew(1, stopsWhileRetaken),
	"race-idle":           inCrew(1, queuedOrIdle),
	"race-monitor":        inCrew(2, bothWake),
	"race-dead":           inCrew(1, nobodyAwake),
	"race-handoff":        inCrew(2, handedOff),
	"race-handoff-global": inCrew(2, handedOffGlobally),
	"race-handoff-count":  inCrew(2, bothCount),
	"race-handoff-stop":   inCrew(2, handedOffWhileStopping),
	"race-locked":         inCrew(2, foundByAnother),
	"race-exit":           inCrew(1, lastOneEnds),
}

// Wired are those that only Go 1.26 has; see chapter 18.
var Wired = check.Races{
	"race-stop-late": inCrew(1, theMonitorStopsIt),
	"race-again":     inCrew(1, reentered),
	"race-stop-both": inCrew(2, bothEnter),
}

// race is the check that explores the model of that name.
func race(name string) func(t *check.T) { return Models.Check(name) }

// monitor adds the monitor, which looks once.
func (c *crew) monitor(pp *gmp.P) {
	c.m.Daemon("monitor", func() { c.s.RetakeSyscall(gmp.NewM(-1), pp, 1, true) })
}

// retaken: M0 enters a call and returns, and the monitor takes its P, or does not.
func retaken(c *crew) {
	c.s.Deadlock = check.AllMaySleep{}
	c.s.Mnext.Set(1)
	gp, pp := c.mustRun(gmp.Grunning), c.p(0)
	c.mstart(0, func(mp *gmp.M) {
		check.Holding(mp, pp)
		c.has(mp, gp)
		c.s.Entersyscall(mp, gp)
		c.s.Exitsyscall(mp, gp)
		c.goes(mp)
	})
	c.monitor(pp)
}

// twoReturn: M0 has lost P0 to M1 in its call, and M1 is in a call, too. Both return.
func twoReturn(c *crew) {
	c.s.Deadlock = check.AllMaySleep{}
	c.s.Mnext.Set(2)
	pp := c.p(0)
	c.returns(0, c.mustRun(gmp.Grunning), pp)
	c.s.Lock.Lock()
	c.s.Stopwait.Set(2)
	c.s.GcstopSyscall(pp)
	c.s.Stopwait.Set(0)
	c.s.Lock.Unlock()
	c.returns(1, c.mustRun(gmp.Grunning), pp)
}

// theWorldStops: M0 enters a call that lasts for ever, and meanwhile the world stops.
func theWorldStops(c *crew) {
	c.s.Deadlock = check.AllMaySleep{}
	c.s.Mnext.Set(1)
	gp, pp := c.g(gmp.Grunning, func(*gmp.M) {}), c.p(0)
	c.mstart(0, func(mp *gmp.M) {
		check.Holding(mp, pp)
		c.has(mp, gp)
		c.s.Entersyscall(mp, gp)
	})
	c.stopper(pp)
}

// theMonitorStopsIt is theWorldStops in Go 1.26. Whoever stops the world may look at the P when
// M0 has seen no Gcwaiting, and its G is not Gsyscall yet. Then it is the monitor that takes
// the P, when it comes by and M0 is still in its call.
func theMonitorStopsIt(c *crew) {
	c.s.Deadlock = check.AllMaySleep{}
	c.s.Mnext.Set(1)
	gp, pp := c.g(gmp.Grunning, func(*gmp.M) {}), c.p(0)
	var entered machine.Note
	c.mstart(0, func(mp *gmp.M) {
		check.Holding(mp, pp)
		c.has(mp, gp)
		c.s.Entersyscall(mp, gp)
		entered.Wakeup()
	})
	c.m.Daemon("monitor", func() {
		entered.Sleep()
		c.s.RetakeSyscall(gmp.NewM(-1), pp, 1, true)
	})
	c.stopper(pp)
}

// bothEnter: the world waits for two Ps when their Ms enter calls. Each counts its own, and the
// last one wakes the M that waits.
func bothEnter(c *crew) {
	s := c.s
	s.Deadlock = check.AllMaySleep{}
	s.Mnext.Set(2)
	s.Stopwait.Set(2)
	s.Gcwaiting.Store(true)
	stopped := false
	c.m.Daemon("stopper", func() {
		s.Stopnote.Sleep()
		stopped = true
	})
	for id := range int64(2) {
		gp, pp := c.g(gmp.Grunning, func(*gmp.M) {}), c.p(int(id))
		c.mstart(id, func(mp *gmp.M) {
			check.Holding(mp, pp)
			c.has(mp, gp)
			s.Entersyscall(mp, gp)
		})
	}
	c.m.Check(func() {
		for _, pp := range s.Allp.Get() {
			if st := pp.Status.Load(); st != gmp.Pgcstop {
				c.m.Errorf("the M of %s is in a call, and the world is to stop; %s is %s", check.PName(pp), check.PName(pp), check.PState(pp))
			}
		}
		if n := s.Stopwait.Get(); n != 0 || !stopped {
			c.m.Errorf("both Ms are in calls, s.Stopwait is %d, and whether the M that stops the world was woken is %v", n, stopped)
		}
	})
}

// reentered: M0 is back from its call, loses P0 to M1, and is in another call, for which it has no P;
// all of this by hand. Meanwhile the world stops, and P0 is looked at.
func reentered(c *crew) {
	s := c.s
	s.Deadlock = check.AllMaySleep{}
	s.Mnext.Set(2)
	gp, pp := c.g(gmp.Grunning, func(*gmp.M) {}), c.p(0)
	m0, m1 := gmp.NewM(0), gmp.NewM(1)
	c.has(m0, gp)
	check.Holding(m0, pp)
	gp.Atomicstatus.Store(gmp.Gsyscall)
	taken, kept := false, false
	c.m.Daemon("M0", func() {
		s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
		if m0.P.Get() != nil {
			kept = true
			use(m0)
			s.Wirep(m1, s.Releasep(m0))
		}
		s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	})
	c.m.Daemon("stopper", func() {
		s.Lock.Lock()
		s.Stopwait.Set(1)
		s.Gcwaiting.Store(true)
		taken = s.GcstopSyscall(pp)
		s.Lock.Unlock()
	})
	c.m.Check(func() {
		switch {
		case taken && kept:
			c.m.Errorf("GcstopSyscall takes P0, with which M0 was back from its call, and which is M1's by now")
		case taken && (s.Stopwait.Get() != 0 || pp.Status.Load() != gmp.Pgcstop):
			c.m.Errorf("GcstopSyscall takes P0; then P0 is %s, and s.Stopwait %d", check.PState(pp), s.Stopwait.Get())
		case !taken && s.Stopwait.Get() != 1:
			c.m.Errorf("GcstopSyscall does not take P0; then s.Stopwait is %d, want 1, as before", s.Stopwait.Get())
		}
		if st := gp.Atomicstatus.Load(); st != gmp.Gsyscall {
			c.m.Errorf("in the end %s is in its second call, and %s: want syscall, without a scan bit", check.Name(gp), check.State(gp))
		}
	})
}

// stopsWhileRetaken: M0 is in a call, the world stops, and the monitor wants the P, too.
func stopsWhileRetaken(c *crew) {
	c.s.Deadlock = check.AllMaySleep{}
	c.s.Mnext.Set(1)
	pp := c.p(0)
	c.returns(0, c.g(gmp.Grunning, func(*gmp.M) {}), pp)
	c.monitor(pp)
	c.stopper(pp)
}

// stopper stops a world with these Ps, and then uses them, since no M may have one.
func (c *crew) stopper(all ...*gmp.P) {
	s, stopped := c.s, false
	c.m.Daemon("stopper", func() {
		s.Lock.Lock()
		s.Stopwait.Set(int32(len(all)))
		s.Gcwaiting.Store(true)
		for _, pp := range all {
			s.GcstopSyscall(pp)
		}
		for idle, _ := s.Pidleget(1); idle != nil; idle, _ = s.Pidleget(1) {
			idle.Status.Store(gmp.Pgcstop)
			s.Stopwait.Set(s.Stopwait.Get() - 1)
		}
		wait := s.Stopwait.Get()
		s.Lock.Unlock()
		if wait > 0 {
			s.Stopnote.Sleep()
		}
		for _, pp := range all {
			if st := pp.Status.Load(); st != gmp.Pgcstop {
				c.m.Errorf("s.Stopwait is 0, and so the world has stopped; but %s is %s", check.PName(pp), check.PState(pp))
			}
			pp.Schedtick.Set(0)
			pp.Syscalltick.Set(0)
			pp.M.Set(nil)
		}
		stopped = true
	})
	c.m.Check(func() {
		switch {
		case !stopped:
			c.m.Errorf("the world never stops: s.Stopwait is %d, and P0 is %s", s.Stopwait.Get(), check.PState(c.p(0)))
		case s.Stopwait.Get() != 0:
			c.m.Errorf("in the end s.Stopwait is %d; want 0: each P must be counted once", s.Stopwait.Get())
		}
	})
}

// queuedOrIdle: M0 is back with G1 and finds no P, while M1 gives up the only one. Whoever
// runs G1 locks it to itself; and then G1 makes G2, and is in another call, which lasts for
// ever; and all that belongs to it is written once more.
func queuedOrIdle(c *crew) {
	s := c.s
	s.Deadlock = check.AllMaySleep{}
	s.Mnext.Set(2)
	ran := false
	var gp *gmp.G
	gp = c.g(gmp.Grunning, func(mp *gmp.M) {
		ran = true
		s.LockOSThread(mp, gp)
		s.UnlockOSThread(mp, gp)
		s.Lock.Lock()
		s.Globrunqput(c.mustRun(gmp.Grunnable))
		s.Lock.Unlock()
		s.Entersyscallblock(mp, gp)
		check.BeginAnew(gp)
		gp.SyscallSP.Set(0)
		new(machine.Note).Sleep()
	})
	c.returns(0, gp, nil)
	c.mstart(1, func(mp *gmp.M) {
		check.Holding(mp, c.p(0))
		c.goes(mp)
	})
	c.m.Check(func() {
		if !ran {
			c.m.Errorf("%s is back from its call and waits for ever, %s", check.Name(gp), check.Beside(c.s))
		}
	})
}

// bothWake: M0 enters a call, and M1 is back from one and finds an idle P, while the
// monitor sleeps.
func bothWake(c *crew) {
	s := c.s
	s.Deadlock = check.AllMaySleep{}
	s.Mnext.Set(2)
	s.Sysmonwait.Store(true)
	gp := c.g(gmp.Grunning, func(*gmp.M) {})
	c.idle(c.p(1))
	c.mstart(0, func(mp *gmp.M) {
		check.Holding(mp, c.p(0))
		c.has(mp, gp)
		s.Entersyscall(mp, gp)
	})
	c.mstart(1, func(mp *gmp.M) { s.ExitsyscallPidle(mp) })
	awake := false
	c.m.Daemon("monitor", func() {
		s.Sysmonnote.Sleep()
		awake = true
	})
	c.m.Check(func() {
		if !awake {
			c.m.Errorf("M0 is in a call, and the monitor, which is to look after it, still sleeps")
		}
	})
}

// nobodyAwake: M0, the only M, is in a call, and the monitor takes its P, while it comes
// back and finds none. None of them may take this for a deadlock.
func nobodyAwake(c *crew) {
	c.s.Mnext.Set(1)
	pp := c.p(0)
	c.s.Deadlock = notAtTheEnd{c.s.Deadlock, c}
	c.returns(0, c.mustRun(gmp.Grunning), pp)
	c.monitor(pp)
}

// notAtTheEnd is Checkdead, until all Gs have run.
type notAtTheEnd struct {
	gmp.Deadlock
	c *crew
}

func (p notAtTheEnd) Checkdead() {
	for gp := range p.c.runs {
		if gp.Atomicstatus.Load() != gmp.Gdead {
			p.Deadlock.Checkdead()
			return
		}
	}
}

// handedOffGlobally: M0 hands off its P. Two are back from calls: M2 takes the idle P if it
// can, and M1 wants any P for its G.
func handedOffGlobally(c *crew) {
	s := c.s
	s.Deadlock = check.AllMaySleep{}
	s.Mnext.Set(3)
	c.idle(c.p(1))
	c.mstart(0, func(mp *gmp.M) { s.Handoffp(mp, c.p(0)) })
	c.returns(1, c.mustRun(gmp.Grunning), nil)
	c.mstart(2, func(mp *gmp.M) { s.ExitsyscallPidle(mp) })
}

// handedOff: M0 hands off its P while M1 makes a G ready, and does not let go of its own P
// until that has run.
func handedOff(c *crew) {
	s := c.s
	s.Deadlock = check.AllMaySleep{}
	s.Mnext.Set(2)
	var done machine.Note
	ran := false
	gp := c.g(gmp.Grunnable, func(*gmp.M) {
		ran = true
		done.Wakeup()
	})
	c.mstart(0, func(mp *gmp.M) { s.Handoffp(mp, c.p(0)) })
	c.mstart(1, func(mp *gmp.M) {
		check.Holding(mp, c.p(1))
		s.Runqput(c.p(1), gp, false)
		s.Wakep(mp)
		done.Sleep()
	})
	c.m.Check(func() {
		if !ran {
			c.m.Errorf("M1 has made %s ready, and called Wakep; M0 has handed off P0; and no M runs %[1]s: it waits for ever, %[2]s", check.Name(gp), check.Beside(c.s))
		}
	})
}

// bothCount: M0 hands off its P, and an M was wanted (Needspinning); and M1 calls Wakep, which
// finds an idle P.
func bothCount(c *crew) {
	s := c.s
	s.Deadlock = check.AllMaySleep{}
	s.Mnext.Set(2)
	s.Needspinning.Store(true)
	s.Lastpoll.Store(0)
	c.idle(c.p(1))
	c.mstart(0, func(mp *gmp.M) { s.Handoffp(mp, c.p(0)) })
	c.mstart(1, func(mp *gmp.M) { s.Wakep(mp) })
	c.m.Check(func() {
		if n := s.Nmspinning.Load(); n != 0 {
			c.m.Errorf("in the end no M spins, and s.Nmspinning is %d", n)
		}
	})
}

// handedOffWhileStopping: M0 and M1 hand off both Ps while the world is to stop. Another M
// spins, and one waits for the network, so that the Ps may become idle.
func handedOffWhileStopping(c *crew) {
	c.s.Deadlock = check.AllMaySleep{}
	c.s.Mnext.Set(3)
	c.s.Nmspinning.Store(1)
	c.s.Lastpoll.Store(0)
	c.mstart(0, func(mp *gmp.M) { c.s.Handoffp(mp, c.p(0)) })
	c.mstart(1, func(mp *gmp.M) { c.s.Handoffp(mp, c.p(1)) })
	c.stopper(c.p(0), c.p(1))
}

// foundByAnother: M0 is locked to G1, which is on the global queue, and goes to sleep,
// while M1 finds G1.
func foundByAnother(c *crew) {
	s := c.s
	s.Mnext.Set(2)
	s.Deadlock = notAtTheEnd{s.Deadlock, c}
	gp := c.mustRun(gmp.Grunnable)
	m0 := gmp.NewM(0)
	lock(m0, gp)
	run := c.runs[gp]
	c.runs[gp] = func(mp *gmp.M) {
		if mp != m0 {
			c.m.Errorf("%s is locked to M0, and %s runs it", check.Name(gp), check.MName(mp))
		}
		run(mp)
		s.UnlockOSThread(mp, gp)
	}
	c.m.Daemon("M0", func() {
		check.Holding(m0, c.p(0))
		c.goes(m0)
	})
	s.Runq.PushBack(gp)
	s.Runqsize.Store(1)
	c.mstart(1, func(mp *gmp.M) {
		check.Holding(mp, c.p(1))
		c.goes(mp)
	})
}

// lastOneEnds: M0, whose locked G has ended, ends, while the last G is back from a call on
// M1.
func lastOneEnds(c *crew) {
	s := c.s
	s.Mnext.Set(2)
	s.Deadlock = notAtTheEnd{s.Deadlock, c}
	c.returns(1, c.mustRun(gmp.Grunning), nil)
	c.mstart(7, func(mp *gmp.M) {
		check.Holding(mp, c.p(0))
		mp.LockedExt.Set(1)
		c.goes(mp)
	})
}
