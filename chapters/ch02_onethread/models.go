package ch02

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
)

// The models: there is one M in this chapter, but its parts serve later versions, too. So
// here another M takes what is queued and runs it at once.

// model explores what play does.
func model(play func(t *check.T, c *check.Crew)) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{}, func(c *check.Crew) {
			c.Free("s.Lock", &c.S.Lock)
			play(t, c)
		})
	}
}

// submitRace: a G is made ready, while another one executes a go statement, or while an M
// looks at the stack of the one that waits.
func submitRace(_ *check.T, c *check.Crew) {
	c.TakeAtOnce()
	waits := c.Parked()
	c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Ready(mp, waits, false) })
	if c.Choose(2) == 0 {
		c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Newproc(mp, check.CrewFn) })
	} else {
		c.Thread(check.MName(c.NewM()), func() { c.Look(waits, gmp.Gwaiting) })
	}
}

// yieldRace: a G yields, while another M, which has seen it run, looks at it.
func yieldRace(_ *check.T, c *check.Crew) {
	c.TakeAtOnce()
	preempted := c.Choose(2) == 1
	gp := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.GoschedImpl(mp, gp, preempted) })
	c.Thread(check.MName(c.NewM()), func() { c.Look(gp, gmp.Grunning) })
}

// scheduleRace: two Ms schedule, while a third queues a G and looks at the one that was
// queued before. If there is none for one of the two, that asks Checkdead.
func scheduleRace(t *check.T, c *check.Crew) {
	s := c.S
	s.Loop = c.Parts.Loop
	s.Deadlock = hastyDoctor{c}
	g := newGs(s, 2, gmp.Grunnable)
	queue(s, g[0])

	var ms []*gmp.M
	for range 2 {
		mp := c.NewM()
		ms = append(ms, mp)
		c.Thread(check.MName(mp), func() { schedules(t, s, mp) })
	}
	c.Thread(check.MName(c.NewM()), func() {
		queue(s, g[1])
		c.Look(g[0], gmp.Grunning)
	})
	c.Check(func() {
		where := map[*gmp.G]int{}
		for _, mp := range ms {
			if gp := mp.Curg.Get(); gp != nil {
				where[gp]++
			}
		}
		for _, gp := range check.Drain(s) {
			where[gp]++
		}
		for _, gp := range g {
			if where[gp] != 1 {
				c.Errorf("two Gs were queued, and two Ms have scheduled: each G must run on one of them, or still be queued; for %s that holds %d times", check.Name(gp), where[gp])
			}
		}
	})
}

// schedules lets mp schedule, and lives through it if Checkdead throws.
func schedules(t *check.T, s *gmp.Sched, mp *gmp.M) {
	t.Throws(func() { s.Schedule(mp) })
}

// A hastyDoctor stands in for Checkdead: it throws, as that does, but it gives the lock
// back, since in a model the others live on.
type hastyDoctor struct{ c *check.Crew }

func (d hastyDoctor) Checkdead() {
	s := d.c.S
	if gp := s.Runq.Get().Head; gp != nil {
		d.c.Errorf("an M has found the global queue empty and calls Checkdead, but %s is queued there: the M released s.Lock between the look and the verdict", check.Name(gp))
	}
	s.Lock.Unlock()
	s.Throw(verdict)
}

// visible checks that the models see what the parts share.
func visible(t *check.T) {
	s, _ := t.Sched()
	s.Globrunqget()
	t.Visible()
}
