package ch05

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// everyOrder lets two Ms make a G ready each, and wait for it with their own place,
// while a third one lies down: in every interleaving. If nobody comes for a G, its M
// waits for ever, which the explorer reports.
func everyOrder(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		s := t.Bare(m)
		s.Mnext.Set(3)
		s.Maxmcount.Set(10_000)
		s.Mcpu.Set(3)
		s.Mcpumax.Set(3)
		s.Deadlock = check.AllMaySleep{}
		var gs [2]*gmp.G
		var came [2]machine.Note // is woken when the G has run
		var ran [2]int
		for i := range gs {
			gs[i] = &gmp.G{Goid: machine.CellOf(int64(i + 1))}
			gs[i].Atomicstatus.Store(gmp.Gwaiting)
		}
		work := func(mp *gmp.M) {
			for {
				s.Lock.Lock()
				gp := s.NextGAndUnlock(mp)
				i := gp.Goid.Get() - 1
				if ran[i]++; ran[i] == 1 {
					came[i].Wakeup()
				}
			}
		}
		s.Threads = &modelled{s.Threads, work}
		for i, gp := range gs {
			m.Thread(fmt.Sprintf("M%d", i), func() {
				s.Ready(&gmp.M{ID: int64(i)}, gp, false)
				came[i].Sleep()
			})
		}
		m.Daemon("M2", func() { work(&gmp.M{ID: 2}) })
		m.Check(func() {
			for i, gp := range gs {
				if ran[i] != 1 {
					m.Errorf("%s was made ready once and ran %d times", check.Name(gp), ran[i])
				}
			}
		})
	})
}

// modelled makes new Ms threads of a model.
type modelled struct {
	gmp.Threads
	work func(mp *gmp.M)
}

func (p *modelled) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := &gmp.M{ID: id}
	machine.Newosproc(fmt.Sprintf("M%d", id), func() {
		if fn != nil {
			fn(newm)
		}
		p.work(newm)
	})
}
