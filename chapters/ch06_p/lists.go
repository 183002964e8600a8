package ch06

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The models of the shared lists: several Ms come there at the same time, each with a P
// of its own, or with none. What an M takes from there it uses at once.

// freeRace lets three Ms, each with a P of its own, fill and empty their lists of dead Gs,
// so that all come to the shared list at the same time.
func freeRace(t *check.T) {
	inEveryOrder(t, 3, func(c *crew) {
		// P0 has one G less than too many, the others have none, and there is one on the shared list.
		const many = 63
		var all []*gmp.G
		dead := func() *gmp.G {
			gp := &gmp.G{Goid: machine.CellOf(int64(len(all)) + 1)}
			gp.Stack.Set(machine.Stack{Lo: 1 << 20, Hi: 1<<20 + gmp.StartingStack})
			gp.Atomicstatus.Store(gmp.Gdead)
			all = append(all, gp)
			return gp
		}
		ms := []*gmp.M{{ID: 0}, {ID: 1}, {ID: 2}}
		for i, mp := range ms {
			check.Holding(mp, c.ps[i])
		}
		for range many {
			c.ps[0].GFree.Push(dead())
		}
		c.s.GFree.Stack.Push(dead())
		c.s.GFree.N.Set(1)
		ended := dead()
		got := map[*gmp.G]bool{}
		c.m.Thread("M0", func() { c.s.Gfput(ms[0], ended) })
		for _, mp := range ms[1:] {
			c.m.Thread(check.MName(mp), func() {
				gp := c.s.Gfget(mp)
				if got[gp] {
					c.m.Errorf("%s takes %s, which the other M has taken", check.MName(mp), check.Name(gp))
				}
				if gp != nil {
					got[gp] = true
				}
			})
		}
		c.m.Check(func() {
			lists := []*gmp.SharedGList{&c.ps[0].GFree, &c.ps[1].GFree, &c.ps[2].GFree, &c.s.GFree.Stack, &c.s.GFree.NoStack}
			count := int(c.s.GFree.N.Get()) - int(lists[3].Get().Size) - int(lists[4].Get().Size)
			for _, list := range lists {
				for gp := list.Pop(); gp != nil; gp = list.Pop() {
					if got[gp] {
						c.m.Errorf("%s is on two lists, or on one twice, or on one and in use", check.Name(gp))
					}
					got[gp] = true
				}
			}
			for _, gp := range all {
				if !got[gp] {
					c.m.Errorf("%s is lost: it is on no list, and no M has taken it", check.Name(gp))
				}
			}
			if count != 0 {
				c.m.Errorf("at the end s.GFree.N is %d more than there are Gs on s.GFree.Stack and s.GFree.NoStack", count)
			}
		})
	})
}

// sudogRace is freeRace for sudogs: P0 has as many as it has room for, and is given one
// more; the others have none.
func sudogRace(t *check.T) {
	inEveryOrder(t, 3, func(c *crew) {
		const room = 4
		ms := []*gmp.M{{ID: 0}, {ID: 1}, {ID: 2}}
		for i, mp := range ms {
			c.ps[i].Sudogcache.Set(make([]*gmp.Sudog, 0, room))
			check.Holding(mp, c.ps[i])
		}
		all := make([]*gmp.Sudog, room+2)
		for i := range all {
			all[i] = new(gmp.Sudog)
		}
		c.ps[0].Sudogcache.Set(append(c.ps[0].Sudogcache.Get(), all[:room]...))
		c.s.Sudogcache.Set(all[room])
		got := map[*gmp.Sudog]bool{}
		c.m.Thread("M0", func() { c.s.ReleaseSudog(ms[0], all[room+1]) })
		for _, mp := range ms[1:] {
			c.m.Thread(check.MName(mp), func() {
				sg := c.s.AcquireSudog(mp)
				if got[sg] {
					c.m.Errorf("%s acquires a sudog that the other M has", check.MName(mp))
				}
				got[sg] = true
				sg.Success.Set(true)
				sg.Next.Set(nil)
			})
		}
		c.m.Check(func() {
			found := func(where string, sg *gmp.Sudog) {
				if got[sg] {
					c.m.Errorf("a sudog %s is also in use, or in another place", where)
				}
				got[sg] = true
			}
			for _, pp := range c.ps {
				for _, sg := range pp.Sudogcache.Get() {
					found("in the Sudogcache of "+check.PName(pp), sg)
				}
			}
			n := 0
			for sg := c.s.Sudogcache.Get(); sg != nil && n <= len(all); sg = sg.Next.Get() {
				found("on the shared list", sg)
				n++
			}
			for _, sg := range all {
				if !got[sg] {
					c.m.Errorf("a sudog is lost: it is in no cache and not on the shared list, and no M has acquired it")
					return
				}
			}
		})
	})
}

// dyingRace lets M0 end P1, on which there are dead Gs and sudogs, while somebody without
// a P works on the shared lists.
func dyingRace(t *check.T) {
	inEveryOrder(t, 0, func(c *crew) {
		s, m0, all := c.s, &gmp.M{ID: 0}, &c.s.GFree
		s.Lock.Lock()
		s.Procresize(m0, 2)
		s.Lock.Unlock()
		dying := c.pidleget()
		if dying == nil {
			c.m.Errorf("after Procresize(M0, 2), where there was no P, none is idle")
			return
		}
		for i := range 2 {
			gp := &gmp.G{Goid: machine.CellOf(int64(i) + 1)}
			gp.Atomicstatus.Store(gmp.Gdead)
			if i == 0 {
				gp.Stack.Set(machine.Stack{Lo: 1 << 20, Hi: 1<<20 + gmp.StartingStack})
			}
			dying.GFree.Push(gp)
		}
		dying.Sudogcache.Set(append(dying.Sudogcache.Get(), new(gmp.Sudog)))
		dying.Status.Store(gmp.Pgcstop)
		gs, sudogs := 0, 0 // that the collector has found
		c.m.Thread("M0", func() {
			s.Lock.Lock()
			s.Procresize(m0, 1)
			s.Lock.Unlock()
		})
		c.m.Thread("collector", func() {
			all.Lock.Lock()
			for _, list := range []*gmp.SharedGList{&all.Stack, &all.NoStack} {
				for gp := list.Pop(); gp != nil; gp = list.Pop() {
					gs++
					all.N.Set(all.N.Get() - 1)
				}
			}
			all.Lock.Unlock()
			s.Sudoglock.Lock()
			for sg := s.Sudogcache.Get(); sg != nil; sg = s.Sudogcache.Get() {
				sudogs++
				s.Sudogcache.Set(sg.Next.Get())
				sg.Next.Set(nil)
			}
			s.Sudoglock.Unlock()
		})
		c.m.Check(func() {
			left := int(all.Stack.Get().Size + all.NoStack.Get().Size)
			if gs+left != 2 || int(all.N.Get()) != left {
				c.m.Errorf("P1 had 2 dead Gs when it died; the collector found %d, %d are on the shared lists, and s.GFree.N says %d", gs, left, all.N.Get())
			}
			if s.Sudogcache.Get() != nil {
				sudogs++
			}
			if sudogs != 1 {
				c.m.Errorf("P1 had a sudog when it died, and %d were found, by the collector and on the shared list", sudogs)
			}
		})
	})
}
