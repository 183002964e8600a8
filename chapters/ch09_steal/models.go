package ch09

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models. In each, Ms steal from each other in every interleaving, with rings of few
// slots. In the end every G must have come out exactly once; what nobody has taken is
// taken by the check.

// A heist is one execution of a model.
type heist struct {
	m    *explore.Model
	s    *gmp.Sched
	ms   []*gmp.M // each holds the P of its number
	goid int64
}

// inEveryOrder explores a model with Ms on p Ps with rings of n slots.
func inEveryOrder(t *check.T, p, n int, play func(h *heist)) {
	t.Helper()
	t.Explore(explore.Options{}, func(m *explore.Model) {
		h := &heist{m: m, s: t.Bare(m)}
		h.s.Gomaxprocs.Set(int32(p))
		h.s.Timers = gmp.None.Timers(h.s)
		for i := range p {
			pp := gmp.NewP(int32(i), n)
			mp := &gmp.M{ID: int64(i), Fastrand: machine.CellOf(uint64(i))}
			check.Holding(mp, pp)
			h.s.Allp.Set(append(h.s.Allp.Get(), pp))
			h.ms = append(h.ms, mp)
		}
		m.Show(check.Show)
		play(h)
		m.Check(h.takeRest)
	})
}

// put lets the owner of a P put a new G there, at the tail or next.
func (h *heist) put(mp *gmp.M, next bool) {
	h.goid++
	gp := gmp.NewG(h.goid)
	h.m.Put(gp)
	h.s.Runqput(mp.P.Get(), gp, next)
}

// get lets mp take one from its own queue.
func (h *heist) get(mp *gmp.M) *gmp.G {
	gp, _ := h.s.Runqget(mp.P.Get())
	if gp != nil {
		h.m.Take(gp)
	}
	return gp
}

// steal lets mp steal once, and take what it returns.
func (h *heist) steal(mp *gmp.M) (gp *gmp.G, newWork bool) {
	gp, _, _, _, newWork = h.s.StealWork(mp, 1)
	if gp != nil {
		h.m.Take(gp)
	}
	return gp, newWork
}

// thief is a thread that steals and then runs all that it has stolen.
func (h *heist) thief(name string, mp *gmp.M) {
	h.m.Thread(name, func() {
		for gp, _ := h.steal(mp); gp != nil; {
			gp = h.get(mp)
		}
	})
}

// takeRest takes what is left on all queues. One more thief comes first, when all is quiet: it
// gets a G as long as the first M has any.
func (h *heist) takeRest() {
	victim, thief := h.ms[0].P.Get(), h.ms[1]
	if !h.s.Runqempty(victim) && h.s.Runqempty(thief.P.Get()) {
		victim.Status.Store(gmp.Pidle) // so that nobody waits before Runnext is taken
		if gp, _ := h.steal(thief); gp == nil {
			h.m.Errorf("all threads have ended, and %s still has a G; a thief that comes then gets none", check.PName(victim))
		}
	}
	for _, mp := range h.ms {
		for range h.goid {
			h.get(mp)
		}
	}
	for gp := h.s.Runq.Pop(); gp != nil; gp = h.s.Runq.Pop() {
		h.m.Take(gp)
	}
}

// raceOwner lets two thieves steal from an owner, and from each other.
func raceOwner(t *check.T) {
	inEveryOrder(t, 3, 4, func(h *heist) {
		h.put(h.ms[0], false)
		h.put(h.ms[0], false)
		h.m.Thread("owner", func() {
			h.put(h.ms[0], false)
			h.get(h.ms[0])
		})
		h.thief("thief A", h.ms[1])
		h.thief("thief B", h.ms[2])
	})
}

// raceNext lets a thief and the owner have an eye on one Runnext.
func raceNext(t *check.T) {
	inEveryOrder(t, 2, 2, func(h *heist) {
		h.put(h.ms[0], true)
		h.m.Thread("owner", func() {
			h.get(h.ms[0])
			h.put(h.ms[0], true)
		})
		h.thief("thief", h.ms[1])
	})
}

// A firing has a timer for one P; whoever runs it makes a G ready on its own P.
type firing struct {
	gmp.Timers
	h   *heist
	set map[*gmp.P]bool
}

func (f *firing) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	if !f.set[pp] {
		return now, 0, false
	}
	f.set[pp] = false
	f.h.put(mp, false)
	return now, 0, true
}

// raceTimer lets a thief run a timer, and another one steal what that made ready.
func raceTimer(t *check.T) {
	inEveryOrder(t, 3, 2, func(h *heist) {
		h.s.Timers = &firing{h.s.Timers, h, map[*gmp.P]bool{h.ms[0].P.Get(): true}}
		h.m.Thread("thief A", func() {
			if gp, newWork := h.steal(h.ms[1]); gp == nil && !newWork {
				h.m.Errorf("a timer ran, and StealWork returns neither a G nor newWork; the M goes to sleep, although there may be more")
			}
		})
		h.m.Thread("thief B", func() {
			if gp := h.s.Runqsteal(h.ms[2].P.Get(), h.ms[1].P.Get(), true); gp != nil {
				h.m.Take(gp)
			}
		})
	})
}
