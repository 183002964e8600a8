package ch06

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models: Ms that come and go, in every interleaving, and few Ps for them. Nobody
// runs a G.

// A crew is one execution of a model.
type crew struct {
	m  *explore.Model
	s  *gmp.Sched
	ps []*gmp.P

	owner map[*gmp.P]*gmp.M             // whom a P belongs to, as the Ms see it
	desk  map[*gmp.P]*machine.Cell[int] // something that belongs to a P, without a lock
}

// inEveryOrder explores a model with so many Ps, all of them idle.
func inEveryOrder(t *check.T, ps int, play func(c *crew)) {
	t.Helper()
	t.Explore(explore.Options{}, func(m *explore.Model) {
		c := &crew{m: m, s: t.Bare(m), owner: map[*gmp.P]*gmp.M{}, desk: map[*gmp.P]*machine.Cell[int]{}}
		c.s.Deadlock = check.AllMaySleep{}
		c.s.Gomaxprocs.Set(int32(ps))
		for id := range int32(ps) {
			pp := newP(id)
			c.ps = append(c.ps, pp)
			c.desk[pp] = new(machine.Cell[int])
		}
		c.s.Allp.Set(c.ps)
		for i := ps - 1; i >= 0; i-- {
			pp := c.ps[i]
			pp.Link.Set(c.s.Pidle.Get())
			c.s.Pidle.Set(pp)
			c.s.Npidle.Add(1)
		}
		m.Show(show)
		play(c)
	})
}

func show(v any) string {
	switch v := v.(type) {
	case *gmp.M:
		return check.MName(v)
	case *gmp.P:
		return check.PName(v)
	}
	return ""
}

// The methods that follow are called like those that they call, since their names
// stand in the lanes of a counterexample.

// pidleget takes an idle P, nil if there is none.
func (c *crew) pidleget() *gmp.P {
	c.s.Lock.Lock()
	defer c.s.Lock.Unlock()
	pp, _ := c.s.Pidleget(1)
	return pp
}

// pidleput gives pp back.
func (c *crew) pidleput(pp *gmp.P) {
	c.s.Lock.Lock()
	defer c.s.Lock.Unlock()
	c.s.Pidleput(pp, 1)
}

// acquirep lets mp take pp, and then work with what belongs to pp.
func (c *crew) acquirep(mp *gmp.M, pp *gmp.P) {
	if other := c.owner[pp]; other != nil {
		c.m.Errorf("%s takes %s, which %s has", check.MName(mp), check.PName(pp), check.MName(other))
		c.m.FailNow()
	}
	c.owner[pp] = mp
	c.s.Acquirep(mp, pp)
	c.work(mp)
}

// work uses what belongs to the P of mp. Were another M to do so at the same time, it
// would be a data race.
func (c *crew) work(mp *gmp.M) {
	if mp.P.Get() == nil || mp.P.Get().M.Get() != mp || mp.Nextp.Get() != nil {
		c.m.Errorf("%s runs with P %s, whose M is not %s, or with a Nextp (%s)", check.MName(mp), check.PName(mp.P.Get()), check.MName(mp), check.PName(mp.Nextp.Get()))
		c.m.FailNow()
	}
	desk := c.desk[mp.P.Get()]
	desk.Set(desk.Get() + 1)
}

// releasep takes mp's P away.
func (c *crew) releasep(mp *gmp.M) *gmp.P {
	delete(c.owner, mp.P.Get())
	return c.s.Releasep(mp)
}

// atEnd checks that so many Ps are on the list, each once, and that there are no others
// without an M.
func (c *crew) atEnd(idle int) {
	found := map[*gmp.P]bool{}
	for pp := c.s.Pidle.Get(); pp != nil; pp = pp.Link.Get() {
		if found[pp] {
			c.m.Errorf("%s is on the list of idle Ps twice", check.PName(pp))
			return
		}
		found[pp] = true
	}
	for _, pp := range c.ps {
		switch {
		case found[pp] && c.owner[pp] != nil:
			c.m.Errorf("%s has %s, which is on the list of idle Ps", check.MName(c.owner[pp]), check.PName(pp))
		case !found[pp] && c.owner[pp] == nil:
			c.m.Errorf("%s is lost: no M has it, and it is not on the list of idle Ps", check.PName(pp))
		}
	}
	if len(found) != idle || int(c.s.Npidle.Load()) != idle {
		c.m.Errorf("at the end %d Ps are on the list of idle Ps, and %d are counted (s.Npidle); want %d", len(found), c.s.Npidle.Load(), idle)
	}
}

// idleRace lets three Ms come for two idle Ps.
func idleRace(t *check.T) {
	inEveryOrder(t, 2, func(c *crew) {
		for id := range int64(3) {
			mp := gmp.NewM(id)
			c.m.Thread(check.MName(mp), func() {
				pp := c.pidleget()
				if pp == nil {
					return // it was one too many
				}
				c.acquirep(mp, pp)
				c.pidleput(c.releasep(mp))
			})
		}
		c.m.Check(func() { c.atEnd(2) })
	})
}

// handOver lets an M that has nothing to do give its P back and sleep, and another one,
// who has work for somebody, find that P and bring it to an M. A P is handed over by
// Nextp: who sleeps has no P, and who runs no Nextp.
func handOver(t *check.T) {
	inEveryOrder(t, 2, func(c *crew) {
		m0, m1 := gmp.NewM(0), gmp.NewM(1)
		c.s.Mnext.Set(2)
		c.s.Maxmcount.Set(10)
		c.s.Threads = &sleepers{c.s.Threads, c}
		for _, mp := range []*gmp.M{m0, m1} {
			pp := c.pidleget()
			check.Holding(mp, pp)
			c.owner[pp] = mp
		}
		c.m.Daemon("M1", func() {
			c.work(m1)
			c.pidleput(c.releasep(m1))
			c.s.Stopm(m1) // sleeps, and takes Nextp
			c.awake(m1)
		})
		c.m.Thread("M0", func() {
			c.work(m0)
			pp := c.pidleget()
			if pp == nil {
				return // M1 still has its own
			}
			c.s.Startm(m0, pp, false, false)
			c.work(m0)
		})
		c.m.Check(func() {
			if len(c.owner) == 2 {
				c.atEnd(0) // M1 was woken, or a new M has come
			} else {
				c.atEnd(1)
			}
		})
	})
}

// awake notes that mp was brought a P.
func (c *crew) awake(mp *gmp.M) {
	if other := c.owner[mp.P.Get()]; other != nil {
		c.m.Errorf("%s was brought %s, which %s has", check.MName(mp), check.PName(mp.P.Get()), check.MName(other))
		c.m.FailNow()
	}
	c.owner[mp.P.Get()] = mp
	c.work(mp)
}

// sleepers looks at Ms that go to sleep, and lets new ones take their P.
type sleepers struct {
	gmp.Threads
	c *crew
}

func (p *sleepers) MPark(mp *gmp.M) {
	if mp.P.Get() != nil {
		p.c.m.Errorf("%s goes to sleep while it has %s", check.MName(mp), check.PName(mp.P.Get()))
		p.c.m.FailNow()
	}
	p.Threads.MPark(mp)
	if mp.P.Get() != nil || mp.Nextp.Get() == nil {
		p.c.m.Errorf("%s wakes up with P %s and Nextp %s; want the P that it was brought in Nextp, and no other", check.MName(mp), check.PName(mp.P.Get()), check.PName(mp.Nextp.Get()))
		p.c.m.FailNow()
	}
}

func (p *sleepers) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := gmp.NewM(id)
	machine.Newosproc(check.MName(newm), func() {
		p.c.s.Acquirep(newm, pp)
		p.c.awake(newm)
	})
}
