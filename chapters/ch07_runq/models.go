package ch07

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models. In each, the owner of a P works with its queue, and others steal from
// it, in every interleaving. Rings are short, so that they go round and overflow
// after a few Gs. In the end every G must have come out exactly once; what nobody
// has taken is taken by the check.

// A heist is one execution of a model.
type heist struct {
	m  *explore.Model
	s  *gmp.Sched
	ps []*gmp.P // ps[0] belongs to the owner

	goid int64
	last map[string]int64 // the number of the G that a taker took last; nil if order does not matter
}

// inEveryOrder explores a model with p rings of n slots.
func inEveryOrder(t *check.T, p, n int, play func(h *heist)) {
	t.Helper()
	t.Explore(func(m *explore.Model, s *gmp.Sched) {
		h := &heist{m: m, s: s}
		s.Gomaxprocs = int32(p)
		for i := range p {
			pp := newP(int32(i), n)
			pp.Status.Store(gmp.Prunning)
			h.ps = append(h.ps, pp)
		}
		m.Show(show)
		play(h)
		m.Check(h.takeRest)
	})
}

func show(v any) string {
	if gp, ok := v.(*gmp.G); ok {
		return name(gp)
	}
	return ""
}

// fifo says that who takes Gs must take them in the order of their numbers, in
// which the owner puts them.
func (h *heist) fifo() { h.last = map[string]int64{} }

// newG makes a G that is given to the queues.
func (h *heist) newG() *gmp.G {
	h.goid++
	gp := newG(h.goid)
	h.m.Put(gp)
	return gp
}

// put lets the owner put n new Gs at the tail.
func (h *heist) put(n int) {
	for range n {
		h.s.Runqput(h.ps[0], h.newG(), false)
	}
}

// putNext lets the owner put a new G in Runnext.
func (h *heist) putNext() { h.s.Runqput(h.ps[0], h.newG(), true) }

// get lets the owner take one.
func (h *heist) get() *gmp.G {
	gp, _ := h.s.Runqget(h.ps[0])
	h.take("the owner", gp)
	return gp
}

// take notes that gp belongs to its taker now, who may do with it what it likes:
// link it into a list of its own, for instance.
func (h *heist) take(who string, gp *gmp.G) {
	if gp == nil {
		return
	}
	h.m.Take(gp)
	gp.Schedlink.Set(nil)
	if h.last == nil {
		return
	}
	if last := h.last[who]; gp.Goid < last {
		h.m.Errorf("%s takes G%d after G%d, but G%d was put before it", who, gp.Goid, last, gp.Goid)
	}
	h.last[who] = gp.Goid
}

// grab lets a thief with a ring of its own take from the owner's P.
func (h *heist) grab(who string, next bool) (taken uint32) {
	batch := make([]machine.Pointer[gmp.G], len(h.ps[0].Runq))
	n := h.s.Runqgrab(h.ps[0], batch, 0, next)
	if n > uint32(len(batch)) {
		h.m.Errorf("Runqgrab returns %d, and there are %d slots", int32(n), len(batch))
		h.m.FailNow()
	}
	for i := range n {
		h.takeFrom(who, &batch[i])
	}
	return n
}

// takeFrom takes what a thief has put into a slot of its own.
func (h *heist) takeFrom(who string, slot *machine.Pointer[gmp.G]) {
	gp := slot.Load()
	if gp == nil {
		h.m.Errorf("%s finds nil among the Gs that it has grabbed", who)
		return
	}
	h.take(who, gp)
}

// takeRest takes what is left on all queues.
func (h *heist) takeRest() {
	h.last = nil
	for _, pp := range h.ps {
		for range 100 {
			gp, _ := h.s.Runqget(pp)
			if gp == nil {
				break
			}
			h.m.Take(gp)
		}
	}
	for _, gp := range listed(&h.s.Runq) {
		h.m.Take(gp)
	}
}

// raceGet is the queue alone: one puts and takes, one steals.
func raceGet(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.fifo()
		h.m.Thread("owner", func() {
			h.put(2)
			h.get()
			h.put(1)
			h.get()
		})
		h.m.Thread("thief", func() { h.grab("the thief", false) })
	})
}

// raceLap is about a thief so slow that the ring goes round meanwhile.
func raceLap(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.m.Thread("owner", func() {
			for range 4 {
				h.put(1)
				h.get()
			}
		})
		h.m.Thread("thief", func() { h.grab("the thief", false) })
	})
}

// raceThieves lets two thieves steal from a P whose owner does nothing. There is
// enough for both.
func raceThieves(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		h.fifo()
		h.put(4)
		for _, who := range []string{"thief A", "thief B"} {
			h.m.Thread(who, func() {
				if n := h.grab(who, false); n == 0 {
					h.m.Errorf("%s gets nothing, although there was always something in the ring; who is beaten to it must look again", who)
				}
			})
		}
	})
}

// raceSpare lets the owner take while there is always something left for it.
func raceSpare(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		h.put(3)
		h.m.Thread("owner", func() {
			if h.get() == nil {
				h.m.Errorf("Runqget returns nil, although there was always something in the ring; who is beaten to it must look again")
			}
			h.put(2)
		})
		h.m.Thread("thief", func() { h.grab("the thief", false) })
	})
}

// raceNext is about Runnext: the owner sets it, kicks, and takes; a thief takes.
func raceNext(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.m.Thread("owner", func() {
			h.putNext()
			h.putNext()
			h.get()
			h.get()
		})
		h.m.Thread("thief", func() { h.grab("the thief", true) })
	})
}

// raceNextThieves lets two thieves have an eye on Runnext.
func raceNextThieves(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.putNext()
		h.m.Thread("owner", func() {
			h.get()
			h.putNext()
		})
		h.m.Thread("thief A", func() { h.grab("thief A", true) })
		h.m.Thread("thief B", func() { h.grab("thief B", true) })
	})
}

// raceOverflow lets a G find the ring full while a thief makes room, and somebody
// else takes from the global queue.
func raceOverflow(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.put(2)
		h.m.Thread("owner", func() { h.put(2) })
		h.m.Thread("thief", func() { h.grab("the thief", false) })
		h.m.Thread("other", func() {
			h.s.Lock.Lock()
			gp := h.s.Globrunqget()
			h.s.Lock.Unlock()
			h.take("the other", gp)
		})
	})
}

// raceBatch puts a batch while a thief looks.
func raceBatch(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		h.put(1)
		h.m.Thread("owner", func() {
			var q gmp.GQueue
			for range 4 {
				q.PushBack(h.newG())
			}
			rest := h.s.Runqputbatch(h.ps[0], q)
			h.s.Lock.Lock()
			h.s.Globrunqputbatch(rest)
			h.s.Lock.Unlock()
			h.get()
		})
		h.m.Thread("thief", func() { h.grab("the thief", false) })
	})
}

// raceDrain drains while a thief steals and puts what it gets on the global queue.
func raceDrain(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		h.put(3)
		h.putNext()
		h.m.Thread("owner", func() {
			q := h.s.Runqdrain(h.ps[0])
			for _, gp := range listed(&q) {
				h.take("the owner", gp)
			}
		})
		h.m.Thread("thief", func() {
			batch := make([]machine.Pointer[gmp.G], 4)
			n := h.s.Runqgrab(h.ps[0], batch, 0, true)
			h.s.Lock.Lock()
			for i := range min(n, 4) {
				h.s.Globrunqput(batch[i].Load())
			}
			h.s.Lock.Unlock()
		})
	})
}

// raceEmpty looks at a P that always has a G: in Runnext at first, then, kicked out
// by another, in the ring.
func raceEmpty(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.putNext()
		h.m.Thread("owner", func() {
			h.putNext()
			h.get()
			h.putNext()
			h.get()
		})
		h.m.Thread("observer", func() {
			if h.s.Runqempty(h.ps[0]) {
				h.m.Errorf("Runqempty says that the P has no G, and it always had one; who believes it goes to sleep")
			}
		})
	})
}

// raceSteal steals from a thief: what it has stolen is on its own ring, for others
// to take.
func raceSteal(t *check.T) {
	inEveryOrder(t, 3, 4, func(h *heist) {
		h.put(4)
		h.m.Thread("owner", func() { h.get() })
		h.m.Thread("thief A", func() {
			h.take("thief A", h.s.Runqsteal(h.ps[1], h.ps[0], false))
			gp, _ := h.s.Runqget(h.ps[1])
			h.take("thief A", gp)
		})
		h.m.Thread("thief B", func() { h.take("thief B", h.s.Runqsteal(h.ps[2], h.ps[1], false)) })
	})
}
