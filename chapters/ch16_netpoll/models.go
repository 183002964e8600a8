package ch16

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// A crew is a model with a PollDesc, whose timers fire when the model says so.
type crew struct {
	*check.Crew
	pd     *gmp.PollDesc
	result gmp.PollError // of the PollWait of wait
}

// race explores a model in which Gs that are made ready run at once.
func race(t *check.T, play func(c *crew)) {
	t.Helper()
	t.Crew(explore.Options{}, func(inner *check.Crew) {
		inner.Queues()
		c := &crew{Crew: inner, pd: inner.S.Pollalloc(3)}
		c.S.Timers = never{c.S.Timers}
		machine.Usleep(1) // so that a deadline of 1 is over
		play(c)
	})
}

// never is timers that do not fire.
type never struct{ gmp.Timers }

func (never) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool { return false }
func (never) StopTimer(mp *gmp.M, t *gmp.Timer) bool                    { return false }

// wait adds a G that waits for the PollDesc.
func (c *crew) wait(mode int) *gmp.G {
	return c.calls(mode, c.Go(c.waits(mode), func(mp *gmp.M, gp *gmp.G) {
		c.result = gmp.PollError(c.Arg(gp, 2))
		c.Logf("PollWait is over: %s", pollError(c.result))
	}))
}

// calls gives gp, which the model has just made, the arguments of PollWait.
func (c *crew) calls(mode int, gp *gmp.G) *gmp.G {
	c.SetArg(gp, 0, c.pd.Number)
	c.SetArg(gp, 1, uint64(mode))
	c.SetArg(gp, 2, 99)
	return gp
}

// waits is a step of a G that has these arguments: it calls PollWait.
func (c *crew) waits(mode int) check.Step {
	return func(mp *gmp.M, gp *gmp.G) {
		if err, done := c.S.PollWait(mp, gp, c.pd, mode); done {
			c.SetArg(gp, 2, uint64(err))
		}
	}
}

func pollError(err gmp.PollError) string {
	switch err {
	case gmp.PollNoError:
		return "PollNoError"
	case gmp.PollErrClosing:
		return "PollErrClosing"
	case gmp.PollErrTimeout:
		return "PollErrTimeout"
	}
	return "no result"
}

// What others do with the PollDesc meanwhile.

func (c *crew) ready(mode int) func() {
	mp := c.NewM()
	return func() {
		list := c.S.Netpollready(gmp.GList{}, c.pd, mode)
		for gp := list.Pop(); gp != nil; gp = list.Pop() {
			c.S.Goready(mp, gp)
		}
	}
}

func (c *crew) closes() func() {
	mp := c.NewM()
	return func() { c.S.PollUnblock(mp, c.pd) }
}

func (c *crew) fires() func() {
	mp := c.NewM()
	c.pd.Rd.Set(c.S.Nanotime()) // at the latest, the timer fires now
	return func() { c.S.Netpolldeadline(mp, c.pd, 'r') }
}

func (c *crew) ends() func() {
	mp := c.NewM()
	return func() { c.S.PollSetDeadline(mp, c.pd, -1, 'r') }
}

// raceBlock: G1 begins to wait, and one thing happens.
func raceBlock(t *check.T) {
	race(t, func(c *crew) {
		c.wait('r')
		var other func()
		switch c.Choose(4) {
		case 0:
			other = c.ready('r')
		case 1:
			other = c.closes()
		case 2:
			other = c.fires()
		case 3:
			other = c.ends()
		}
		c.Thread("other", other)
	})
}

// raceReady: G1 begins to wait, the descriptor becomes ready, once, and something else ends
// the wait at the same time.
func raceReady(t *check.T) {
	race(t, func(c *crew) {
		g1 := c.wait('r')
		var other func()
		twice := false
		switch c.Choose(4) {
		case 0:
			other = c.closes()
		case 1:
			other = c.fires()
		case 2:
			other = c.ends()
		case 3:
			other, twice = c.ready('r'), true
		}
		c.Thread("ready", c.ready('r'))
		c.Thread("other", other)
		c.Check(func() {
			if !c.Ended(g1) || twice {
				return
			}
			if rg := c.pd.Rg.Load(); c.result != gmp.PollNoError && rg != gmp.PdReady {
				c.Errorf("the descriptor has become ready; the result of G1's PollWait is %s, and Rg is %s: nobody will ever know", pollError(c.result), check.Name(rg))
			} else if c.result == gmp.PollNoError && rg != nil {
				c.Errorf("the descriptor has become ready once, G1 has used that up, and Rg is %s", check.Name(rg))
			}
		})
	})
}

// raceEnds: G1 begins to wait, and two things end that.
func raceEnds(t *check.T) {
	race(t, func(c *crew) {
		c.wait('r')
		first, second := c.closes(), func() {}
		switch c.Choose(2) {
		case 0:
			second = c.fires()
		case 1:
			second = c.ends()
		}
		c.Thread("close", first)
		c.Thread("deadline", second)
		c.Check(func() {
			if rg := c.pd.Rg.Load(); rg != nil {
				c.Errorf("no event has come, and Rg is %s", check.Name(rg))
			}
		})
	})
}

// raceModes: G1 waits to read and G2 to write. An event says both, and the descriptor is
// closed.
func raceModes(t *check.T) {
	race(t, func(c *crew) {
		c.pd.Rg.Store(c.parked('r'))
		c.pd.Wg.Store(c.parked('w'))
		c.Thread("ready", c.ready('r'+'w'))
		c.Thread("close", c.closes())
	})
}

// parked makes a G that waits in PollWait.
func (c *crew) parked(mode int) *gmp.G {
	gp := c.calls(mode, c.Parked())
	gp.Cont.Set((*gmp.Sched).PollWaitDone)
	return gp
}

// raceMoved: the timer of a deadline fires while G1 moves the deadline, or closes the
// descriptor and opens another one with the same PollDesc, and waits then.
func raceMoved(t *check.T) {
	race(t, func(c *crew) {
		moves, d := "a deadline was moved to a later time", int64(1e15)
		change := func(mp *gmp.M, gp *gmp.G) { c.S.PollSetDeadline(mp, c.pd, d, 'r') }
		if c.Choose(2) == 1 {
			moves, d = "a descriptor was closed, and its PollDesc given to another one", 0
			change = func(mp *gmp.M, gp *gmp.G) {
				c.S.PollUnblock(mp, c.pd)
				c.S.Pollfree(c.pd)
				c.S.Pollalloc(4)
			}
		}
		g1 := c.calls('r', c.Go(change, c.waits('r')))
		c.MayWait(g1)
		c.Thread("timer", c.fires())
		c.Check(func() {
			if now := c.pd.Rd.Get(); now < d {
				c.Errorf("%s while the timer of the deadline fired; and now the deadline is %d", moves, now)
			}
			if c.Ended(g1) {
				c.Errorf("%s while the timer of the deadline fired; then G1 waited, and its wait is over", moves)
			}
		})
	})
}

// raceBreak: M1 waits for the network, and looks each time what there is to do. Two others
// give it something, and break its wait; or one does, and another one polls without waiting.
func raceBreak(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		m1, m2 := c.NewM(), c.NewM()
		work := [2]machine.Bool{}
		looks := c.Choose(2)
		c.S.Netpollinit() // which breaks, too: there is a break at the beginning
		c.Thread("M1", func() {
			for !work[0].Load() || !work[1].Load() {
				c.S.Netpoll(m1, -1)
			}
		})
		if looks == 0 {
			for i := range work {
				c.Thread("breaker", func() {
					work[i].Store(true)
					c.S.NetpollBreak()
				})
			}
			return
		}
		work[1].Store(true)
		c.Thread("breaker", func() {
			work[0].Store(true)
			c.S.NetpollBreak()
		})
		c.Thread("M2", func() { c.S.Netpoll(m2, 0) })
	})
}

// raceInit: M1 waits, and another M makes the Epoll meanwhile, and a third one breaks.
func raceInit(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		m1 := c.NewM()
		var work machine.Bool
		c.Thread("M1", func() {
			for !work.Load() {
				c.S.Netpoll(m1, -1)
			}
		})
		c.Thread("breaker", func() {
			work.Store(true)
			c.S.NetpollBreak()
		})
		c.Thread("opens", func() { c.S.Netpollinit() })
	})
}

// event explores a model in which G1 begins to wait for a socket that can be written to, and
// mp is an M that may fetch the event.
func event(t *check.T, play func(c *crew, mp *gmp.M)) {
	t.Helper()
	t.Crew(explore.Options{}, func(inner *check.Crew) {
		inner.Queues()
		c := &crew{Crew: inner}
		c.S.Timers = never{c.S.Timers}
		mp := c.NewM()
		a, _ := sockets(c.S, mp.Thread)
		pd, errno := c.S.PollOpen(mp, a)
		if errno != 0 {
			c.Errorf("PollOpen fails: %d", errno)
			return
		}
		c.pd = pd
		play(c, mp)
	})
}

// fetch fetches what there is, and makes it ready; the Gs are in mp's hands between.
func (c *crew) fetch(mp *gmp.M, between func()) {
	list := c.S.Netpoll(mp, 0)
	if list.Head == nil {
		return
	}
	between()
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		c.S.Goready(mp, gp)
	}
}

// raceEvent: G1 begins to wait while its event is fetched by M1.
func raceEvent(t *check.T) {
	event(t, func(c *crew, mp *gmp.M) {
		c.wait('w')
		c.Thread("M1", func() { c.fetch(mp, func() {}) })
	})
}

// raceDeadlock: G1 begins to wait on M1, which then has nothing to do. The monitor fetches the
// event.
func raceDeadlock(t *check.T) {
	event(t, func(c *crew, mp *gmp.M) {
		var counted machine.Bool // the monitor counts itself as one more M that is awake
		g1 := c.wait('w')
		c.S.Loop = idles{c.S.Loop, func(mp *gmp.M) {
			if c.S.NetpollAnyWaiters() || counted.Load() || g1.Atomicstatus.Load() != gmp.Gwaiting {
				return
			}
			c.Errorf("%[1]s has nothing to do. No G counts as one that waits for the network (NetpollAnyWaiters), so %[1]s does not wait for it, and sleeps; no other M is awake, so it finds a deadlock. But G1 waits, and %[2]s", check.MName(mp), c.whereIs(g1))
		}}
		c.Thread("monitor", func() { c.fetch(mp, func() { counted.Store(true) }) })
	})
}

// whereIs says where a G is that waits.
func (c *crew) whereIs(gp *gmp.G) string {
	if c.pd.Rg.Load() == gp || c.pd.Wg.Load() == gp {
		return "is in its half"
	}
	return "the monitor is about to make it ready"
}

// idles is a Loop in which an M without a G looks whether it may sleep, and ends.
type idles struct {
	gmp.Loop
	look func(mp *gmp.M)
}

func (p idles) Schedule(mp *gmp.M) {
	p.look(mp)
	p.Loop.Schedule(mp)
}
