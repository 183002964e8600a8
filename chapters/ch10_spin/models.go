package ch10

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models: a few Ms run the parts under test, in every order of their steps. A G here
// is a few lines of Go. The one that matters makes another G ready, and does not let go
// of its P until that has run: somebody else must come for it. If nobody does, it waits
// for ever, and the explorer says so.

// Models are those of the checks, and the ones that are too large for a check.
var Models = check.Races{
	"race-submit":           inCrew(2, 1, submitted),
	"race-global":           inCrew(2, 1, submittedGlobally),
	"race-unspun":           inCrew(2, 1, queuedUnderLock),
	"race-network":          inCrew(2, 1, backFromNetwork),
	"race-both":             inCrew(2, 1, bothQueued),
	"race-wake":             inCrew(2, 1, twoWake),
	"race-two":              inCrew(3, 1, twoSubmitted),
	"race-chain":            inCrew(3, 2, oneNeedsTheOther),
	"race-new-m":            aNewM,
	"race-stop":             inCrew(1, 1, theWorldStops),
	"three-give-up":         inCrew(4, 1, threeGiveUp),
	"two-back-from-network": inCrew(3, 1, twoBackFromNetwork),
}

// race is the check that explores the model of that name.
func race(name string) func(t *check.T) { return Models.Check(name) }

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

// bothQueued: M0, which has no P, puts two Gs on the global queue while M1 gives up. If M1
// does not spin any more M0 takes back what is still there: that M0 would wake somebody is
// for the other models.
func bothQueued(c *crew) {
	finder := &quick{Finder: c.s.Finder, c: c}
	c.s.Finder = finder
	begin := c.spins(1)
	c.mstart(1, func(mp *gmp.M) bool {
		finder.tested = mp
		return begin(mp)
	})
	first, second := c.pair()
	c.mstart(0, c.queues(first, second))
}

// queues lets an M without a P put two Gs on the global queue, and take them back if nobody
// spins.
func (c *crew) queues(first, second *gmp.G) func(mp *gmp.M) (more bool) {
	s := c.s
	return func(mp *gmp.M) bool {
		s.Lock.Lock()
		for _, gp := range []*gmp.G{first, second} {
			gp.Atomicstatus.Store(gmp.Grunnable)
			s.Globrunqput(gp)
		}
		s.Lock.Unlock()
		if s.Nmspinning.Load() > 0 {
			return false
		}
		s.Lock.Lock()
		defer s.Lock.Unlock()
		for gp := s.Globrunqget(); gp != nil; gp = s.Globrunqget() {
			defer c.runs[gp](mp) // the second one first
		}
		return false
	}
}

// oneNeedsTheOther: M0 has made a G ready, M1 spins, and M0 makes another one ready.
func oneNeedsTheOther(c *crew) {
	c.s.Finder = &quick{c: c}
	begin := c.has(0)
	first, second := c.pair()
	first.Atomicstatus.Store(gmp.Grunnable)
	c.s.Runqput(c.s.Allp.Get()[0], first, false)
	c.mstart(0, c.readies(begin, second))
	c.mstart(1, c.spins(1))
}

// readies lets an M make gp ready, and end with its P in its hands.
func (c *crew) readies(begin func(mp *gmp.M) bool, gp *gmp.G) func(mp *gmp.M) (more bool) {
	return func(mp *gmp.M) bool {
		begin(mp)
		c.s.Ready(mp, gp, false)
		return false
	}
}

// pair makes two Gs. The first of them does not end before the second has run; so the M
// that comes for the first must see to it that another one comes for the second.
func (c *crew) pair() (first, second *gmp.G) {
	var done machine.Note
	ran := false
	c.turns = 1
	first = c.g(func(*gmp.M) {
		done.Sleep()
		ran = true
	})
	second = c.g(func(*gmp.M) { done.Wakeup() })
	c.m.Check(func() { c.came(ran) })
	return first, second
}

// twoWake: M0 and M1 wake somebody at the same time. An M that is made does not come to
// look for work before the end.
func twoWake(c *crew) {
	c.begins = func(*gmp.M) {}
	c.mstart(0, c.wakesSomebody)
	c.mstart(1, c.wakesSomebody)
	c.m.Check(func() {
		if n := len(c.ms) - 2; n != 1 {
			c.m.Errorf("two Ms call Wakep at the same time, two Ps are idle, and no M spins: %d Ms are woken; want one, which wakes the next if it finds work", n)
		}
	})
}

func (c *crew) wakesSomebody(mp *gmp.M) (more bool) {
	c.s.Wakep(mp)
	return false
}

// twoSubmitted: M0 and M2 make a G ready each while M1 gives up, which has not spun.
func twoSubmitted(c *crew) {
	c.s.Finder = &quick{c: c}
	submitted(c)
	c.mstart(2, c.submits(c.has(2), c.locally))
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
	m.Daemon("monitor", func() { s.Startm(gmp.NewM(1), nil, false, false) })
	m.Check(func() { c.came(ran) })
}

// theWorldStops: while M0, which holds the only P, gives up, the world is stopped, and there
// are two Ps from then on.
func theWorldStops(c *crew) {
	s := c.s
	s.World = crewWorld{s.World, c}
	stopped := false
	c.mstart(0, c.has(0))
	c.m.Daemon("stopper", func() {
		s.Lock.Lock()
		s.Gcwaiting.Store(true)
		if pp, _ := s.Pidleget(1); pp == nil {
			s.Stopwait.Set(1)
			s.Lock.Unlock()
			s.Stopnote.Sleep()
			s.Lock.Lock()
		}
		s.Allp.Set([]*gmp.P{s.Allp.Get()[0], gmp.NewP(1, 1)})
		s.Gomaxprocs.Set(2)
		s.Lock.Unlock()
		stopped = true
	})
	c.m.Check(func() {
		if !stopped {
			c.m.Errorf("the world never stops: the M that stops it has set Gcwaiting and looked for idle Ps, and waits for M0 to stop; M0 put its P on the list of idle Ps after that look, and sleeps")
		}
	})
}

// queuedUnderLock: M0 puts a G on the global queue, and looks for an idle P for it under the
// same lock, while M1 gives up, which may not spin.
func queuedUnderLock(c *crew) {
	s := c.s
	begin := c.has(1)
	c.other()
	ran := false
	gp := c.g(func(*gmp.M) { ran = true })
	gp.Atomicstatus.Store(gmp.Grunnable)
	c.has(0)
	c.mstart(1, begin)
	c.mstart(0, func(mp *gmp.M) bool {
		s.Lock.Lock()
		s.Globrunqput(gp)
		pp, _ := s.Pidleget(1)
		s.Lock.Unlock()
		if pp != nil {
			s.Startm(mp, pp, false, false)
		}
		return false
	})
	c.m.Check(func() { c.came(ran) })
}
