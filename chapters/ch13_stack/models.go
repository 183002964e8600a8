package ch13

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models. A G of a crew has a stack on which no program runs; what it sends or receives
// stands in its slot.

// crew explores a model in which Gs yield to an M that comes for them at once.
func crew(t *check.T, play func(c *check.Crew)) {
	t.Helper()
	t.Crew(explore.Options{}, func(c *check.Crew) {
		c.Queues() // so that each M has a P
		c.S.Loop = crewLoop{c.S.Loop}
		play(c)
	})
}

// crewLoop ends requests to stop, as the Loop of chapter 8 does.
type crewLoop struct{ gmp.Loop }

func (p crewLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	request := &gp.Preempt
	request.Set(false)
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	p.Loop.Execute(mp, gp, inheritTime)
}

// raceAsk lets an M ask G1 to stop while the stack of G1 grows. Either G1 stops, or it will
// at its next prologue.
func raceAsk(t *check.T) {
	crew(t, func(c *check.Crew) {
		stopped := false
		c.S.Submission = &stops{c.S.Submission, &stopped}
		var asked machine.Note
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Newstack(mp, gp) }, func(mp *gmp.M, gp *gmp.G) {
			asked.Sleep()
			if !stopped && gp.Sched.Guard.Load() != machine.StackPreempt {
				c.Errorf("G1 was asked to stop, it has not stopped, and its guard is not StackPreempt: the request is lost, and G1 runs on")
				c.FailNow() // the end of G1 would only make the report longer
			}
		})
		c.Thread("asker", func() {
			g1.Ask()
			asked.Wakeup()
		})
	})
}

// stops notes whether a G yields.
type stops struct {
	gmp.Submission
	stopped *bool
}

func (p *stops) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	*p.stopped = true
	p.Submission.GoschedImpl(mp, gp, preempted)
}

// raceNotNow is raceAsk for an M that may not be interrupted: G1 goes on, whenever the request
// comes.
func raceNotNow(t *check.T) {
	crew(t, func(c *check.Crew) {
		c.S.Submission = refuses{c.S.Submission, c}
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) {
			mp.Locks.Set(1)
			c.S.Newstack(mp, gp)
			mp.Locks.Set(0)
		})
		c.Thread("asker", func() { g1.Ask() })
	})
}

// refuses lets no G stop whose M may not be interrupted.
type refuses struct {
	gmp.Submission
	c *check.Crew
}

func (p refuses) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	if mp.Locks.Get() > 0 {
		p.c.Errorf("%s.Locks is 1, so that it may hold a lock of the runtime, and Newstack stops %s on it. The request came while Newstack was under way, after it had read the guard for the first time: what that reading said decides, and the next prologue sees the request", check.MName(mp), check.Name(gp))
		p.c.FailNow()
	}
	p.Submission.GoschedImpl(mp, gp, preempted)
}

// raceYield lets G1 stop because it was asked to. As soon as it is queued it runs on another
// M, where it is asked again.
func raceYield(t *check.T) {
	crew(t, func(c *check.Crew) {
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Newstack(mp, gp) }, func(mp *gmp.M, gp *gmp.G) {
			c.Logf("%s runs again, and is asked again", check.Name(gp))
			gp.Ask()
		}, func(mp *gmp.M, gp *gmp.G) {
			if !gp.Preempt.Get() || gp.Sched.Guard.Load() != machine.StackPreempt {
				c.Errorf("G1 has stopped and runs again, on another M; there it was asked a second time, and this request was taken away by the M that had let go of G1 before")
			}
		})
		g1.Ask()
	})
}

// shrinks lets an M that looks at Gs move the stack of gp, if it waits.
func shrinks(c *check.Crew, gp *gmp.G, newsize uint64) {
	c.Thread("shrinker", func() {
		if !gp.Atomicstatus.CompareAndSwap(gmp.Gwaiting, gmp.Gwaiting|gmp.Gscan) {
			return
		}
		c.S.Copystack(gp, newsize)
		gp.Atomicstatus.Store(gmp.Gwaiting)
	})
}

// raceChan lets G2 send to G1, which waits, while the stack of G1 moves.
func raceChan(t *check.T) {
	crew(t, func(c *check.Crew) {
		ch := c.S.NewHchan(c.NewM(), word, 0)
		g1 := c.Waits(receives(c, ch), wants(c, 7))
		g2 := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Chansend(mp, gp, ch, c.Slot(gp), true) })
		c.SetValue(g2, 7)
		shrinks(c, g1, 4096)
		c.Free("the channel", &ch.Lock)
	})
}

// word is the type of the elements.
var word = &machine.Type{Name: "int", Kind: machine.KindInt, Size: 8}

func receives(c *check.Crew, ch *gmp.Hchan) check.Step {
	return func(mp *gmp.M, gp *gmp.G) {
		c.SetValue(gp, 1)
		c.S.Chanrecv(mp, gp, ch, c.Slot(gp), true)
	}
}

func wants(c *check.Crew, v uint64) check.Step {
	return func(mp *gmp.M, gp *gmp.G) {
		if got := c.Value(gp); got != v {
			c.Errorf("%d was sent to %s, whose stack was moved meanwhile; it finds %s", v, check.Name(gp), shown(got))
		}
	}
}

// raceSend lets G2 receive from G1, which waits to send, while the stack of G1 moves and is
// freed.
func raceSend(t *check.T) {
	crew(t, func(c *check.Crew) {
		ch := c.S.NewHchan(c.NewM(), word, 0)
		g1 := c.Waits(func(mp *gmp.M, gp *gmp.G) {
			c.SetValue(gp, 7)
			c.S.Chansend(mp, gp, ch, c.Slot(gp), true)
		})
		c.Go(receives(c, ch), wants(c, 7))
		shrinks(c, g1, 4096)
	})
}

// raceSelect lets G2 send on the second channel on which G1 waits in a select, while the stack
// of G1 moves.
func raceSelect(t *check.T) {
	crew(t, func(c *check.Crew) {
		m0 := c.NewM()
		chans := []*gmp.Hchan{c.S.NewHchan(m0, word, 0), c.S.NewHchan(m0, word, 0)}
		g1 := c.Waits(func(mp *gmp.M, gp *gmp.G) {
			cases := make([]gmp.Scase, len(chans))
			for i, ch := range chans {
				c.S.Machine.SetWord(c.SlotOf(gp, i), 1)
				cases[i] = gmp.Scase{C: ch, Elem: c.SlotOf(gp, i)}
			}
			c.S.Selectgo(mp, gp, cases, true)
		}, func(mp *gmp.M, gp *gmp.G) {
			got := c.S.Machine.Word(c.SlotOf(gp, 1))
			if got != 7 {
				c.Errorf("7 was sent to G1 on the second channel of its select, and its stack was moved meanwhile; it finds %s", shown(got))
			}
		})
		g2 := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Chansend(mp, gp, chans[1], c.Slot(gp), true) })
		c.SetValue(g2, 7)
		shrinks(c, g1, 4096)
	})
}
