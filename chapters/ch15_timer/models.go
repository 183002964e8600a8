package ch15

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// A crew is a model with two Ps, which M0 and M1 hold, and what its timers have done.
type crew struct {
	*check.Crew
	m0, m1 *gmp.M
	p0, p1 *gmp.P
	fired  map[*gmp.Timer]*machine.Uint32
}

// race explores a model in which Gs that are made ready run at once.
func race(t *check.T, play func(c *crew)) {
	t.Helper()
	t.Crew(explore.Options{}, func(inner *check.Crew) {
		inner.Queues()
		c := &crew{Crew: inner, fired: map[*gmp.Timer]*machine.Uint32{}}
		c.m0, c.m1 = c.NewM(), c.NewM()
		c.p0, c.p1 = c.m0.P.Get(), c.m1.P.Get()
		c.S.Allp.Set([]*gmp.P{c.p0, c.p1})
		c.S.Wakeups = atEase{c.S.Wakeups}
		play(c)
	})
}

// atEase wakes nobody.
type atEase struct{ gmp.Wakeups }

func (atEase) Wakep(mp *gmp.M) {}

// timer makes a timer that counts how often it fires, and is in the heap of a P if that is not
// nil.
func (c *crew) timer(pp *gmp.P, when int64) *gmp.Timer {
	n := new(machine.Uint32)
	t := c.S.NewTimer(func(*gmp.Sched, *gmp.M, any, int64) { n.Add(1) }, nil)
	c.fired[t] = n
	c.in(pp, t, when)
	return t
}

// sender makes one that sends on a channel, for which a G waits if it is in a heap.
func (c *crew) sender(pp *gmp.P, when int64) *gmp.Timer {
	t := c.S.NewTimer(nil, nil)
	t.C = newChan(t)
	t.F = func(*gmp.Sched, *gmp.M, any, int64) {
		c.Logf("sends")
		send(t.C)
	}
	if pp != nil {
		t.Blocked.Set(1)
	}
	c.in(pp, t, when)
	return t
}

func (c *crew) in(pp *gmp.P, t *gmp.Timer, when int64) {
	t.When.Set(when)
	if pp != nil {
		t.State.Set(gmp.TimerHeaped)
		t.Astate.Store(gmp.TimerHeaped)
		t.Ts.Set(&pp.Timers)
		put(pp, entry(t, when))
	}
}

// waitFor lets a G of mp wait for the channel of t.
func (c *crew) waitFor(mp *gmp.M, t *gmp.Timer) {
	t.C.Lock.Lock()
	c.S.BlockTimerChan(mp, t.C)
	t.C.Lock.Unlock()
}

// unwatched makes t, which is in a heap, one for whose channel no G waits any more.
func unwatched(t *gmp.Timer) {
	t.Blocked.Set(0)
	t.State.Set(t.State.Get() | gmp.TimerZombie)
	t.Astate.Store(t.State.Get())
	t.Ts.Get().Zombies.Add(1)
}

// raceStop: M1 runs the timers of P0, one of which sends on a channel, while G1 on M0 stops it,
// and G2 on M2 receives if there is something.
func raceStop(t *check.T) {
	race(t, func(c *crew) {
		a := c.sender(c.p0, 10)
		stopped, received := false, false
		c.Thread("M1", func() { c.S.CheckTimers(c.m1, c.p0, 10) })
		c.Thread("M0", func() { stopped = c.S.StopTimer(c.m0, a) })
		c.Thread("M2", func() {
			a.C.Lock.Lock()
			received = a.C.Qcount.Get() > 0
			a.C.Qcount.Set(0)
			a.C.Lock.Unlock()
		})
		c.Check(func() {
			switch {
			case a.C.Qcount.Get() > 0:
				c.Errorf("StopTimer has returned, and a value that the timer sent is in its channel: whoever receives from it next takes that for a new one")
			case !stopped && !received:
				c.Errorf("StopTimer reports that the timer had fired, and no G has received the value: whoever now waits for it waits for ever")
			case stopped && received:
				c.Errorf("StopTimer reports that the timer was stopped, and a G has received a value from it")
			}
		})
	})
}

// raceReset: the same, and G1 sets the timer to a later time, perhaps with a period; or to one that is
// due as well, and then M0 runs the timers, too.
func raceReset(t *check.T) {
	race(t, func(c *crew) {
		a := c.sender(c.p0, 10)
		c.Thread("M1", func() { c.S.CheckTimers(c.m1, c.p0, 10) })
		if c.Choose(2) == 0 {
			c.Thread("M0", func() {
				c.S.ModTimer(c.m0, a, 5, 0)
				c.S.CheckTimers(c.m0, c.p0, 10)
			})
			c.Check(func() {
				if a.C.Qcount.Get() != 1 {
					c.Errorf("the timer was set to 5; at 10 all timers were run, and there is nothing in its channel")
				}
				if n := a.IsSending.Load(); n != 0 {
					c.Errorf("nothing is on its way, and IsSending is %d: StopTimer will report that it was in time when it was not", n)
				}
			})
			return
		}
		pending, period := false, int64(7*c.Choose(2))
		c.Thread("M0", func() { pending = c.S.ModTimer(c.m0, a, 50, period) })
		c.Check(func() {
			if a.C.Qcount.Get() > 0 {
				c.Errorf("the timer was set to a later time, and a value that it sent before is in its channel")
			}
			if !pending {
				c.Errorf("ModTimer reports that the timer had fired, and no G has received the value")
			}
			for _, pp := range []*gmp.P{c.p0, c.p1} {
				c.S.CheckTimers(c.m0, pp, 50)
			}
			if a.C.Qcount.Get() != 1 {
				c.Errorf("the timer was set to 50; at 50 all timers were run, and there is nothing in its channel")
			}
			if n := a.IsSending.Load(); n != 0 {
				c.Errorf("the timer was set to another time, with a period of %d; nothing is on its way, and IsSending is %d", period, n)
			}
		})
	})
}

// raceThieves: two Ms run the timers of P0. Or one does, and finds a zombie, due at 50, for which a
// G begins to wait meanwhile.
func raceThieves(t *check.T) {
	race(t, func(c *crew) {
		if c.Choose(2) == 1 {
			z := c.sender(c.p0, 50)
			unwatched(z)
			ran := false
			c.Thread("M0", func() { _, _, ran = c.S.CheckTimers(c.m0, c.p0, 20) })
			c.Thread("M1", func() { c.waitFor(c.m1, z) })
			c.Check(func() {
				if check.Held(&z.Mu) {
					c.Errorf("a timer was a zombie when CheckTimers came to it, and a G waits for it when it is locked; afterwards it is still locked")
				}
				if ran && z.C.Qcount.Get() == 0 {
					c.Errorf("CheckTimers at 20 reports that a timer has fired, and the only one is due at 50")
				}
				if z.C.Qcount.Get() > 0 {
					c.Errorf("a timer is due at 50, and CheckTimers at 20 has fired it: it was a zombie, and a G began to wait for it before it was locked")
				}
			})
			return
		}
		a, b := c.timer(c.p0, 10), c.timer(c.p0, 11)
		c.Thread("M0", func() { c.S.CheckTimers(c.m0, c.p0, 20) })
		c.Thread("M1", func() { c.S.CheckTimers(c.m1, c.p0, 20) })
		c.Check(func() {
			for name, timer := range map[string]*gmp.Timer{"first": a, "second": b} {
				if n := c.fired[timer].Load(); n != 1 {
					c.Errorf("two Ms have run the timers of P0; the %s one has fired %d times; want 1", name, n)
				}
			}
		})
	})
}

// raceAdjust: M0 corrects its heap, in which a timer was set from 100 to 50. Meanwhile M1 looks
// when it must wake, and another M sets a timer from 200 to 30.
func raceAdjust(t *check.T) {
	race(t, func(c *crew) {
		a, b := c.timer(c.p0, 100), c.timer(c.p0, 200)
		modified(a, 50)
		ts := &c.p0.Timers
		c.Thread("M0", func() {
			ts.Lock()
			c.S.Adjust(ts, 60, false)
			ts.Unlock()
		})
		c.Thread("M1", func() {
			if when := ts.WakeTime(); when == 0 || when > 50 {
				c.Errorf("a timer is due at 50, and WakeTime is %d: an M that looks now sleeps too long", when)
			}
		})
		m2 := c.NewM()
		c.Thread("M2", func() { c.S.ModTimer(m2, b, 30, 0) })
		c.Check(func() {
			if when := ts.WakeTime(); when == 0 || when > 30 {
				c.Errorf("a timer was set to 30, and WakeTime is %d: it will be late", when)
			}
			if c.S.CheckTimers(c.m0, c.p0, 30); c.fired[b].Load() != 1 {
				c.Errorf("a timer was set to 30; at 30 the timers of P0 were run, and it has not fired")
			}
		})
	})
}

// A sleeper is the M that waits for the next timer.
type sleeper struct {
	gmp.NetPoller
	gmp.Wakeups
	c      *crew
	note   machine.Note
	broken machine.Bool
	looked bool  // an M was woken, and found the timer
	asleep bool  // it sleeps
	until  int64 // when it wakes by itself, 0 for never
}

func (p *sleeper) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	p.asleep = true
	p.note.Sleep()
	p.asleep = false
	return gmp.GList{}
}

func (p *sleeper) NetpollBreak() {
	if p.broken.CompareAndSwap(false, true) {
		p.note.Wakeup()
	}
}

// Wakep lets another M look.
func (p *sleeper) Wakep(mp *gmp.M) {
	if when := p.c.S.CheckTimersNoP(mp, p.c.S.Allp.Get(), 0); when != 0 && when <= 20 {
		p.looked = true
	}
}

// raceSleep: M1 has nothing to do, looks when the first timer is due, and sleeps until then. M0
// sets one that is due earlier: a new one, or one of the heap of P1. Or a new one to a heap in which
// a timer that was stopped is due earlier still.
func raceSleep(t *check.T) {
	race(t, func(c *crew) {
		sl := &sleeper{NetPoller: c.S.NetPoller, Wakeups: c.S.Wakeups, c: c}
		c.S.NetPoller, c.S.Wakeups = sl, sl
		c.S.Lastpoll.Store(1)
		var a *gmp.Timer
		switch c.Choose(3) {
		case 0:
			a = c.timer(nil, 0)
			c.timer(c.p0, 100)
		case 1:
			a = c.timer(c.p1, 100)
		case 2:
			a = c.timer(nil, 0)
			stopped(c.timer(c.p0, 10))
		}
		m2 := c.NewM()
		c.Daemon("M2", func() {
			sl.until = c.S.CheckTimersNoP(m2, c.S.Allp.Get(), 0)
			c.S.Netpolluntil(m2, sl.until, 1)
		})
		c.Thread("M0", func() { c.S.ModTimer(c.m0, a, 20, 0) })
		c.Check(func() {
			if sl.asleep && !sl.looked && (sl.until == 0 || sl.until > 20) {
				c.Errorf("a timer was set to 20, and M2 sleeps until %d; no M was told: the timer will be late", sl.until)
			}
		})
	})
}

// raceWait: the timer of a channel is set. A G waits for it and goes on, another one waits on,
// and a third sets it to another time.
func raceWait(t *check.T) {
	race(t, func(c *crew) {
		a := c.sender(nil, 50)
		c.Thread("M0", func() {
			c.waitFor(c.m0, a)
			c.S.UnblockTimerChan(a.C)
		})
		c.Thread("M1", func() { c.waitFor(c.m1, a) })
		c.Check(func() {
			n := 0
			for _, pp := range []*gmp.P{c.p0, c.p1} {
				for _, tw := range pp.Timers.Heap.Get() {
					if tw.Timer == a {
						n++
					}
				}
			}
			if n != 1 || a.State.Get()&(gmp.TimerHeaped|gmp.TimerZombie) != gmp.TimerHeaped {
				c.Errorf("a G waits for the channel of a timer that is set; it is in %d heaps, and its State is %s; want one heap, and heaped", n, state(a.State.Get()))
			}
			if z := c.p0.Timers.Zombies.Load() + c.p1.Timers.Zombies.Load(); z != 0 {
				c.Errorf("there is no zombie, and the two heaps count %d", z)
			}
		})
	})
}

// raceChange: two Gs set the same timer, which is in no heap, to 50 and to 40; or one does, and
// the other one begins to wait for its channel. Or one stops the timer.
func raceChange(t *check.T) {
	race(t, func(c *crew) {
		var a *gmp.Timer
		block := func() { c.waitFor(c.m1, a) }
		other := func() { c.S.ModTimer(c.m1, a, 50, 5) }
		switch c.Choose(4) {
		case 0:
			a = c.timer(nil, 0)
		case 1:
			a = c.sender(nil, 50)
			a.Period.Set(5)
			other = block
		case 2:
			a = c.sender(nil, 50)
			c.Thread("M0", func() { c.S.StopTimer(c.m0, a) })
			c.Thread("M1", block)
			c.Check(func() {
				for _, pp := range []*gmp.P{c.p0, c.p1} {
					c.S.CheckTimers(c.m0, pp, 50)
				}
				if a.C.Qcount.Get() > 0 {
					c.Errorf("a timer was stopped while a G began to wait for it, and at 50 it has sent")
				}
			})
			return
		case 3:
			a = c.sender(c.p0, 100)
			c.Thread("M0", func() { c.S.StopTimer(c.m0, a) })
			c.Thread("M1", func() {
				c.S.ModTimer(c.m1, a, 5, 10)
				c.S.CheckTimers(c.m1, c.p0, 10)
			})
			c.Check(func() {
				if a.When.Get() > 0 && a.C.Qcount.Get() == 0 {
					c.Errorf("a timer was stopped, and then set to 5; at 10 the timers were run, and what it sent is not in its channel")
				}
			})
			return
		}
		c.Thread("M0", func() { c.S.ModTimer(c.m0, a, 40, 4) })
		c.Thread("M1", other)
		c.Check(func() {
			if n := len(c.p0.Timers.Heap.Get()) + len(c.p1.Timers.Heap.Get()); n != 1 {
				c.Errorf("a timer that is set must be in a heap; it is in %d; want 1", n)
			}
			if first, when := c.S.CheckTimersNoP(c.m0, c.S.Allp.Get(), 0), a.When.Get(); first == 0 || first > when {
				c.Errorf("a timer is set to %d, and the first of all is due at %d", when, first)
			}
			if when, period := a.When.Get(), a.Period.Get(); when != 10*period {
				c.Errorf("a timer was set to 50 and each 5, and to 40 and each 4; now it is set to %d and each %d", when, period)
			}
		})
	})
}

// raceMarks: two Ms change timers of P0, without the lock of its list, or M1 changes one while M0
// cleans up.
func raceMarks(t *check.T) {
	race(t, func(c *crew) {
		ts := &c.p0.Timers
		a, b, z := c.timer(c.p0, 100), c.timer(c.p0, 200), c.sender(c.p0, 300)
		stopped(z)
		z.When.Set(300) // no G waits, and it is not stopped
		z.Blocked.Set(0)
		adjust := func() {
			ts.Lock()
			c.S.Adjust(ts, 0, true)
			ts.Unlock()
		}
		block := func() { c.waitFor(c.m1, z) }
		add := c.timer(nil, 400)
		first, second := func() { c.S.StopTimer(c.m0, a) }, func() { c.S.StopTimer(c.m1, b) }
		switch c.Choose(10) {
		case 1:
			first, second = func() { c.S.ModTimer(c.m0, a, 30, 0) }, func() { c.S.ModTimer(c.m1, b, 20, 0) }
		case 2:
			stopped(a)
			stopped(b)
			first, second = func() { c.S.ModTimer(c.m0, a, 30, 0) }, func() { c.S.ModTimer(c.m1, b, 20, 0) }
		case 3:
			first = adjust
		case 4:
			first, second = adjust, block
		case 5:
			first, second = func() { c.S.MaybeAdd(c.m0, add) }, block
		case 6:
			stopped(a)
			first, second = func() { c.S.MaybeAdd(c.m0, add) }, func() { c.S.StopTimer(c.m1, b) }
		case 7:
			stopped(a)
			first, second = func() { c.S.MaybeAdd(c.m0, add) }, func() { c.S.ModTimer(c.m1, a, 30, 0) }
		case 8: // two Gs that waited go on
			y := c.sender(c.p0, 150)
			y.Blocked.Set(2)
			first, second = func() { c.S.UnblockTimerChan(y.C) }, func() { c.S.UnblockTimerChan(y.C) }
		case 9: // two Gs begin to wait, for two channels
			y := c.sender(c.p0, 150)
			stopped(y)
			y.When.Set(150)
			y.Blocked.Set(0)
			first, second = block, func() { c.waitFor(c.m0, y) }
		}
		c.Thread("M0", first)
		c.Thread("M1", second)
		c.Check(func() {
			for _, pp := range []*gmp.P{c.p0, c.p1} {
				zombies, earliest := int32(0), int64(0)
				for _, tw := range pp.Timers.Heap.Get() {
					timer := tw.Timer
					if timer.State.Get()&gmp.TimerZombie != 0 {
						zombies++
					} else if when := timer.When.Get(); earliest == 0 || when < earliest {
						earliest = when
					}
					if zombie := timer.State.Get()&gmp.TimerZombie != 0; timer.C != nil && timer.When.Get() > 0 && zombie != (timer.Blocked.Get() == 0) {
						c.Errorf("for the channel of a timer that is set %d Gs wait, and its State is %s", timer.Blocked.Get(), state(timer.State.Get()))
					}
					if timer.Ts.Get() != &pp.Timers || timer.State.Get()&gmp.TimerHeaped == 0 {
						c.Errorf("a timer is in the heap of %s, and its own Ts or State says something else", check.PName(pp))
					}
				}
				if n := pp.Timers.Zombies.Load(); n != zombies {
					c.Errorf("in the heap of %s the number of zombies is %d, and Zombies says %d", check.PName(pp), zombies, n)
				}
				if when := pp.Timers.WakeTime(); earliest != 0 && (when == 0 || when > earliest) {
					c.Errorf("the first timer of %s is due at %d, and WakeTime is %d", check.PName(pp), earliest, when)
				}
			}
			if st := z.State.Get(); z.Blocked.Get() > 0 && st&(gmp.TimerHeaped|gmp.TimerZombie) != gmp.TimerHeaped {
				c.Errorf("a G waits for the channel of a timer that is set, and its State is %s; want heaped", state(st))
			}
		})
	})
}

// A lookout sees which timers are fired by a look at their channel.
type lookout struct {
	gmp.TimerHeap
	c *crew
}

func (p lookout) UnlockAndRun(mp *gmp.M, t *gmp.Timer, now int64) {
	if mp == p.c.m0 && t.Ts.Get() != nil {
		p.c.Errorf("MaybeRunChan fires a timer that is in a heap, and has not locked that heap: the timer was in none when Astate was read, and is in one by now; only under the timer's lock does State say whether it is")
	}
	p.TimerHeap.UnlockAndRun(mp, t, now)
}

// raceLook: the timer of a channel is due and in no heap. A G looks at the channel on M0, and
// another one begins to wait on M1, or stops the timer.
func raceLook(t *check.T) {
	race(t, func(c *crew) {
		a := c.sender(nil, 1)
		c.S.TimerHeap = lookout{c.S.TimerHeap, c}
		sends := 0
		a.F = func(*gmp.Sched, *gmp.M, any, int64) {
			sends++
			send(a.C)
		}
		machine.Usleep(1)
		c.Thread("M0", func() { c.S.MaybeRunChan(c.m0, a.C) })
		if c.Choose(2) == 0 {
			c.Thread("M1", func() { c.S.StopTimer(c.m1, a) })
			c.Check(func() {
				if a.C.Qcount.Get() > 0 {
					c.Errorf("StopTimer has returned, and a value that the timer sent is in its channel")
				}
			})
			return
		}
		c.Thread("M1", func() { c.waitFor(c.m1, a) })
		c.Check(func() {
			if c.S.CheckTimers(c.m1, c.p1, 10); sends != 1 {
				c.Errorf("a timer was due, a G has looked, and another one waits; the timer has sent %d times; want 1", sends)
			}
		})
	})
}

// raceLen: P0 has one timer at any moment: M0 replaces one that was stopped by another one, or
// runs one that ticks. M1 looks whether there is any, as Checkdead does.
func raceLen(t *check.T) {
	race(t, func(c *crew) {
		a := c.timer(c.p0, 10)
		run := func() { c.S.CheckTimers(c.m0, c.p0, 10) }
		if c.Choose(2) == 0 {
			stopped(a)
			b := c.timer(nil, 20)
			run = func() { c.S.MaybeAdd(c.m0, b) }
		} else {
			a.Period.Set(10)
		}
		c.Thread("M0", run)
		c.Thread("M1", func() {
			if c.p0.Timers.Len.Load() == 0 {
				c.Errorf("P0 has a timer at any moment, and Len is 0: an M that looks now reports a deadlock")
			}
		})
	})
}

// raceTake: P1 goes away, and P0 gets its timers, one of which may have been set to an earlier
// time, while M2, which has no P, looks when the first one is due.
func raceTake(t *check.T) {
	race(t, func(c *crew) {
		c.timer(c.p1, 20)
		b, first := c.timer(c.p1, 30), int64(20)
		if c.Choose(2) == 1 {
			first = 10
			modified(b, first)
		}
		m2 := c.NewM()
		c.Thread("M0", func() { c.S.TakeTimers(&c.p0.Timers, &c.p1.Timers) })
		c.Thread("M2", func() {
			when := c.S.CheckTimersNoP(m2, []*gmp.P{c.p1}, 0)
			if when = c.S.CheckTimersNoP(m2, []*gmp.P{c.p0}, when); when == 0 || when > first {
				c.Errorf("a timer is due at %d, and M2, which looks at P1 and then at P0, finds %d", first, when)
			}
		})
	})
}

// raceNap: G1 sleeps for a moment, and M1 looks at the timers of its P meanwhile.
func raceNap(t *check.T) {
	race(t, func(c *crew) {
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.TimeSleep(mp, gp, 1) })
		pp := g1.M.Get().P.Get()
		c.MayWait(g1)
		c.Thread("M1", func() { c.S.CheckTimers(c.m1, pp, 1<<62) })
		c.Check(func() {
			if !c.Ended(g1) && len(pp.Timers.Heap.Get()) != 1 {
				c.Errorf("G1 sleeps, and its timer is in no heap: it sleeps for ever")
			}
		})
	})
}
