package ch10

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Whole are the models of chapter 18. They are made of the same Ms, Ps and Gs; what is new are the
// other things for which an M may be too late: a P that is masked, a timer, the network, a marker,
// the function of a ragged barrier.
var Whole = check.Races{
	"race-masks":  inCrew(2, 1, masked(submittedOnIdle)),
	"race-timer":  inCrew(2, 1, masked(timerLeft)),
	"race-sooner": inCrew(2, 1, masked(soonerTimer)),
	"race-poller": inCrew(2, 1, twoPoll),
	"race-marker": inCrew(2, 1, markerComes),
	"race-safe":   inCrew(2, 1, barrier),
}

// masked is play in a crew whose Ps keep the masks.
func masked(play func(c *crew)) func(c *crew) {
	return func(c *crew) {
		c.masks = true
		for pp := c.s.Pidle.Get(); pp != nil; pp = pp.Link.Get() {
			c.s.MaskIdle(pp)
		}
		play(c)
	}
}

// submittedOnIdle: M0 takes an idle P, and makes a G ready there, while M1 gives up.
func submittedOnIdle(c *crew) {
	c.mstart(0, c.submits(c.pidleget, c.locally))
	c.mstart(1, c.has(1))
}

// The times of timers.
const (
	soon  = gmp.MaxWhen / 4
	later = gmp.MaxWhen / 2
)

// A network is where Ms wait, for timers and for Gs that never come.
type network struct {
	gmp.NetPoller
	c       *crew
	waiters bool // Gs wait for the network

	broken  machine.Bool
	note    machine.Note
	waiting machine.Int32 // Ms
	looking machine.Int32
	until   int64 // of the M that waits: how long, 0 for ever, -1 for nobody
}

// on puts a network into the crew, and timers.
func (c *crew) on(n *network) *network {
	n.NetPoller, n.c, n.until = c.s.NetPoller, c, -1
	c.s.NetPoller = n
	c.s.Timers = crewTimers{c.s.Timers}
	return n
}

func (n *network) NetpollAnyWaiters() bool { return n.waiters }

func (n *network) NetpollBreak() {
	if n.broken.CompareAndSwap(false, true) {
		n.note.Wakeup()
	}
}

func (n *network) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	if delay == 0 {
		if n.looking.Add(1) > 1 {
			n.c.m.Errorf("two Ms look at the network at the same time, without waiting (Netpoll with delay 0)")
		}
		n.looking.Add(-1)
		return gmp.GList{}
	}
	if n.waiting.Add(1) > 1 {
		n.c.m.Errorf("two Ms wait for the network at the same time (Netpoll)")
		n.c.m.FailNow()
	}
	n.until = 0
	if delay > 0 {
		n.until = soon
		if delay > (soon+later)/2 {
			n.until = later
		}
	}
	n.note.Sleep()
	n.note.Clear()
	n.broken.Store(false)
	n.until = -1
	n.waiting.Add(-1)
	return gmp.GList{}
}

// crewTimers has when the first timer of each P is due; none fires.
type crewTimers struct{ gmp.Timers }

func (crewTimers) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	return 1, pp.Timers.MinWhenHeap.Load(), false
}

func (crewTimers) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	for _, pp := range allp {
		if when := pp.Timers.MinWhenHeap.Load(); when != 0 && (pollUntil == 0 || when < pollUntil) {
			pollUntil = when
		}
	}
	return pollUntil
}

// timer sets a timer on pp.
func timer(pp *gmp.P, when int64) {
	pp.Timers.MinWhenHeap.Store(when)
	pp.Timers.Len.Store(1)
}

// sets lets an M that has pp set a timer, tell others, and give back its P.
func (c *crew) sets(id int, when int64) func(mp *gmp.M) (more bool) {
	begin := c.has(id)
	s := c.s
	return func(mp *gmp.M) bool {
		begin(mp)
		timer(mp.P.Get(), when)
		c.wakenetpoller(mp, when)
		s.Lock.Lock()
		s.Pidleput(s.Releasep(mp), 1)
		s.Lock.Unlock()
		return false
	}
}

// wakenetpoller is Sched.Wakenetpoller.
func (c *crew) wakenetpoller(mp *gmp.M, when int64) {
	s := c.s
	if s.Lastpoll.Load() != 0 {
		s.Wakep(mp)
	} else if until := s.PollUntil.Load(); until == 0 || until > when {
		s.NetpollBreak()
	}
}

// waited says that an M waits for the timer that is due soon.
func (c *crew) waited(n *network) {
	c.m.Check(func() {
		switch {
		case n.until == 0 || n.until == later:
			c.m.Errorf("in the end a timer is set, and the M that waits for the network and the time would wait for longer than that")
		case n.until != soon:
			c.m.Errorf("in the end a timer is set, and no M waits for it")
		}
	})
}

// timerLeft: M0 sets a timer and gives its P back, while M1 gives up.
func timerLeft(c *crew) {
	c.waited(c.on(&network{}))
	c.mstart(0, c.sets(0, soon))
	c.mstart(1, c.has(1))
}

// soonerTimer is the same, and P1 has a timer that is due later, for which M1 waits.
func soonerTimer(c *crew) {
	c.waited(c.on(&network{}))
	timer(c.s.Allp.Get()[1], later)
	c.mstart(0, c.sets(0, soon))
	c.mstart(1, c.has(1))
}

// twoPoll: M0 and M1 give up while Gs wait for the network.
func twoPoll(c *crew) {
	n := c.on(&network{waiters: true})
	c.mstart(0, c.has(0))
	c.mstart(1, c.has(1))
	c.m.Check(func() {
		if n.until != 0 {
			c.m.Errorf("in the end a G waits for the network, all Ms sleep, and none of them waits there")
		}
	})
}

// markers is a collector that has one marker, once it marks.
type markers struct {
	gmp.GCWork
	c      *crew
	marks  machine.Bool
	worker machine.Pointer[gmp.G]
}

func (w *markers) take() *gmp.G {
	if !w.marks.Load() {
		return nil
	}
	gp := w.worker.Swap(nil)
	if gp != nil {
		w.c.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	}
	return gp
}

func (w *markers) FindRunnableGCWorker(mp *gmp.M, pp *gmp.P, now int64) (*gmp.G, int64) {
	return nil, now
}
func (w *markers) Wakefing() *gmp.G                         { return nil }
func (w *markers) IdleGCWorker(mp *gmp.M, pp *gmp.P) *gmp.G { return w.take() }

func (w *markers) CheckIdleGCNoP(mp *gmp.M) (*gmp.P, *gmp.G) {
	s := w.c.s
	if !w.marks.Load() {
		return nil, nil
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	pp, _ := s.PidlegetSpinning(mp, 1)
	if pp == nil {
		return nil, nil
	}
	worker := w.take()
	if worker == nil {
		s.Pidleput(pp, 1)
		return nil, nil
	}
	return pp, worker
}

// markerComes: a collection begins, and M0 wakes an M for it, if none spins, while M1 gives up.
func markerComes(c *crew) {
	w := &markers{GCWork: c.s.GCWork, c: c}
	c.s.GCWork = w
	ran := false
	w.worker.Store(c.g(func(*gmp.M) { ran = true }))
	begin := c.has(0)
	c.mstart(0, func(mp *gmp.M) bool {
		begin(mp)
		w.marks.Store(true)
		c.s.Wakep(mp)
		return false
	})
	c.mstart(1, c.has(1))
	c.m.Check(func() {
		if !ran && c.s.Npidle.Load() > 0 {
			c.m.Errorf("the collector marks, a P is idle, and no M runs the worker that marks then")
		}
	})
}

// barrier: all Ps are to run a function, while M1 gives up.
func barrier(c *crew) {
	s := c.s
	pp := s.Allp.Get()[1]
	called := false
	s.World = crewBarrier{s.World, func() { called = true }}
	c.mstart(1, c.has(1))
	c.m.Daemon("asker", func() {
		s.Lock.Lock()
		pp.RunSafePointFn.Store(1)
		for idle := s.Pidle.Get(); idle != nil; idle = idle.Link.Get() {
			if idle == pp {
				s.RunSafePointFn(pp, true)
			}
		}
		s.Lock.Unlock()
	})
	c.m.Check(func() {
		if !called {
			c.m.Errorf("P1 was to run a function at its next safe point (RunSafePointFn), and was put on the list of idle Ps without: whoever waits for that waits for ever")
		}
	})
}

// crewBarrier has one P that is asked.
type crewBarrier struct {
	gmp.World
	fn func()
}

func (p crewBarrier) RunSafePointFn(pp *gmp.P, lockheld bool) {
	if pp.RunSafePointFn.CompareAndSwap(1, 0) {
		p.fn()
	}
}
