package ch16

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// This file is the model of Injectglist: two Ps, and two Gs that have become ready.

// An office is a scheduler in which each G, once it runs, runs for ever.
type office struct {
	m   *explore.Model
	s   *gmp.Sched
	ms  int64
	ran map[*gmp.G]bool
}

// raceInject: M0, with P0 or without a P, calls Injectglist. M1, which may spin, finds
// nothing, and gives P1 back.
func raceInject(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		s := t.Bare(m)
		c := &office{m: m, s: s, ran: map[*gmp.G]bool{}}
		s.Procs = &desks{s.Procs, c}
		s.RunQueue = trays{check.Slots{RunQueue: s.RunQueue}}
		s.Wakeups = &starts{s.Wakeups, c}
		s.Deadlock = check.AllMaySleep{}
		check.MakePs(s, 2, 2)
		var list gmp.GList
		var gs []*gmp.G
		for id := range int64(2) {
			gp := gmp.NewG(id + 1)
			gp.Atomicstatus.Store(gmp.Gwaiting)
			gs = append(gs, gp)
			list.Push(gp)
		}
		m.Show(check.Show)
		m0, m1 := c.newM(), c.newM()
		check.Holding(m1, s.Allp.Get()[1])
		withP := m.Choose(2) == 0
		if withP {
			check.Holding(m0, s.Allp.Get()[0])
		} else {
			s.Pidleput(s.Allp.Get()[0], 1)
		}
		if m.Choose(2) == 0 {
			m1.Spinning.Set(true)
			s.Nmspinning.Store(1)
		}
		m.Thread("M0", func() {
			s.Injectglist(m0, list)
			if withP {
				c.look(m0)
			}
		})
		m.Thread("M1", func() { c.look(m1) })
		m.Check(func() {
			for _, gp := range gs {
				if !c.ran[gp] && s.Npidle.Load() > 0 {
					m.Errorf("%s is %s, and on a queue, and no M comes for it; %d Ps are idle", check.Name(gp), check.State(gp), s.Npidle.Load())
				}
			}
			if n := s.Nmspinning.Load(); n != 0 {
				m.Errorf("no M looks for work any more, and s.Nmspinning is %d", n)
			}
		})
	})
}

func (c *office) newM() *gmp.M {
	c.ms++
	return gmp.NewM(c.ms - 1)
}

// look is FindRunnable, and then the G runs for ever: the own queue, the global one, and, if
// mp spins, those of others.
func (c *office) look(mp *gmp.M) {
	s := c.s
	for {
		pp := mp.P.Get()
		gp := check.TakeSlot(pp)
		if gp == nil && mp.Spinning.Get() {
			for _, p2 := range s.Allp.Get() {
				if gp == nil {
					gp = check.TakeSlot(p2)
				}
			}
		}
		if gp == nil {
			s.Lock.Lock()
			gp = s.Globrunqget()
			if gp == nil && !mp.Spinning.Get() && s.Needspinning.Load() {
				s.BecomeSpinning(mp)
				s.Lock.Unlock()
				continue
			}
			if gp == nil {
				s.Pidleput(s.Releasep(mp), 1)
			}
			s.Lock.Unlock()
		}
		if gp != nil {
			if mp.Spinning.Get() {
				s.Resetspinning(mp)
			}
			s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
			c.ran[gp] = true
			return
		}
		if !mp.Spinning.Get() {
			return
		}
		mp.Spinning.Set(false)
		s.Nmspinning.Add(-1)
		if s.Runqsize.Load() == 0 && s.Runqempty(s.Allp.Get()[0]) && s.Runqempty(s.Allp.Get()[1]) {
			return
		}
		s.Lock.Lock()
		pp, _ = s.PidlegetSpinning(mp, 1)
		s.Lock.Unlock()
		if pp == nil {
			return
		}
		s.Acquirep(mp, pp)
		s.BecomeSpinning(mp)
	}
}

// desks hands Ps to Ms.
type desks struct {
	gmp.Procs
	c *office
}

func (p *desks) Acquirep(mp *gmp.M, pp *gmp.P) {
	if pp.M.Get() != nil {
		p.c.m.Errorf("%s takes %s, which %s has", check.MName(mp), check.PName(pp), check.MName(pp.M.Get()))
	}
	mp.P.Set(pp)
	pp.M.Set(mp)
}

func (p *desks) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	mp.P.Set(nil)
	pp.M.Set(nil)
	return pp
}

func (p *desks) Pidleput(pp *gmp.P, now int64) int64 {
	check.PutIdle(p.c.s, pp)
	return now
}

func (p *desks) Pidleget(now int64) (*gmp.P, int64) {
	return check.TakeIdle(p.c.s), now
}

// starts lets an M begin at once.
type starts struct {
	gmp.Wakeups
	c *office
}

func (p *starts) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	if pp == nil {
		p.c.m.Errorf("Startm is called without a P")
		return
	}
	m := p.c.newM()
	m.Spinning.Set(spinning)
	machine.Newosproc(check.MName(m), func() {
		p.c.s.Acquirep(m, pp)
		p.c.look(m)
	})
}

// trays is a run queue with a slot for each G.
type trays struct{ check.Slots }

func (p trays) Runqputbatch(pp *gmp.P, q gmp.GQueue) (rest gmp.GQueue) {
	for gp := q.Pop(); gp != nil; gp = q.Pop() {
		p.Runqput(pp, gp, false)
	}
	return rest
}
