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

	goid  int64
	taken map[*gmp.G]bool
	links bool             // whoever takes a G writes into it
	last  map[string]int64 // the number of the G that a taker took last; nil if order does not matter
}

// inEveryOrder explores a model with p rings of n slots.
func inEveryOrder(t *check.T, p, n int, play func(h *heist)) {
	t.Helper()
	t.Explore(explore.Options{}, func(m *explore.Model) {
		s := t.Bare(m)
		h := &heist{m: m, s: s, taken: map[*gmp.G]bool{}}
		s.Gomaxprocs.Set(int32(p))
		for i := range p {
			pp := gmp.NewP(int32(i), n)
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
		return check.Name(gp)
	}
	return ""
}

// link says that whoever takes a G links it into a list of its own.
func (h *heist) link() { h.links = true }

// fifo says that whoever takes Gs must take them in the order of their numbers, in
// which the owner puts them.
func (h *heist) fifo() { h.last = map[string]int64{} }

// newG makes a G that is given to the queues.
func (h *heist) newG() *gmp.G {
	h.goid++
	gp := gmp.NewG(h.goid)
	h.m.Put(gp)
	return gp
}

// The methods that follow are called like those that they call, since their names
// stand in the lanes of a counterexample.

// runqput lets the owner put a new G, at the tail or next.
func (h *heist) runqput(next bool) { h.s.Runqput(h.ps[0], h.newG(), next) }

// runqget lets the owner take one.
func (h *heist) runqget() *gmp.G {
	gp, _ := h.s.Runqget(h.ps[0])
	h.take("the owner", gp)
	return gp
}

// runqgrab lets a thief with a ring of its own take from the owner's P.
func (h *heist) runqgrab(who string, next bool) (taken uint32) {
	batch := make([]machine.Pointer[gmp.G], len(h.ps[0].Runq))
	n := h.s.Runqgrab(h.ps[0], batch, 0, next)
	if n > uint32(len(batch)) {
		h.m.Errorf("Runqgrab returns %d, but there are %d slots", int32(n), len(batch))
		h.m.FailNow()
	}
	for i := range n {
		h.takeFrom(who, &batch[i])
	}
	return n
}

// take notes that gp belongs to its taker now, who may do with it what it likes. If
// somebody else has taken it before, the books of the model tell.
func (h *heist) take(who string, gp *gmp.G) {
	if gp == nil {
		return
	}
	h.m.Take(gp)
	if h.taken[gp] {
		return
	}
	h.taken[gp] = true
	if h.links {
		gp.Schedlink.Set(nil)
	}
	if h.last == nil {
		return
	}
	if last := h.last[who]; gp.Goid.Get() < last {
		h.m.Errorf("%s takes G%d after G%d, but G%d was put before it", who, gp.Goid.Get(), last, gp.Goid.Get())
	}
	h.last[who] = gp.Goid.Get()
}

// takeFrom takes what a thief has put into a slot of its own. If that is nothing, a G
// is lost, and the books tell.
func (h *heist) takeFrom(who string, slot *machine.Pointer[gmp.G]) {
	gp := slot.Load()
	if gp == nil {
		h.m.Logf("takes nil")
	}
	h.take(who, gp)
}

// takeRest takes what is left on all queues.
func (h *heist) takeRest() {
	for _, pp := range h.ps {
		found := map[*gmp.G]bool{}
		for {
			gp, _ := h.s.Runqget(pp)
			if gp == nil {
				break
			}
			if found[gp] {
				h.m.Errorf("at the end the ring of P%d goes round and round: its head is past its tail", pp.ID)
				break
			}
			found[gp] = true
			h.m.Take(gp)
		}
	}
	for _, gp := range listed(&h.s.Runq) {
		h.m.Take(gp)
	}
}

// raceGet is the queue alone: one puts and takes, one steals, and each links what it
// takes into a list.
func raceGet(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.fifo()
		h.link()
		h.m.Thread("owner", func() {
			h.runqput(false)
			h.runqput(false)
			h.runqget()
			h.runqput(false)
			h.runqget()
		})
		h.m.Thread("thief", func() { h.runqgrab("the thief", false) })
	})
}

// raceLap is about a thief so slow that the ring goes round meanwhile.
func raceLap(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.m.Thread("owner", func() {
			h.runqput(false)
			h.runqget()
			h.runqput(false)
			h.runqget()
			h.runqput(false)
		})
		h.m.Thread("thief", func() { h.runqgrab("the thief", false) })
	})
}

// raceThieves lets two thieves steal from a P whose owner does nothing. There is
// enough for both.
func raceThieves(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		h.fifo()
		for range 4 {
			h.runqput(false)
		}
		for _, who := range []string{"thief A", "thief B"} {
			h.m.Thread(who, func() {
				if n := h.runqgrab(who, false); n == 0 {
					h.m.Errorf("%s gets nothing, although there was always something in the ring; a thread that is beaten to it must look again", who)
				}
			})
		}
	})
}

// raceSpare lets owner and thief take from a ring in which there is always something
// for both.
func raceSpare(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(false)
		h.m.Thread("owner", func() {
			h.runqput(false)
			if h.runqget() == nil {
				h.m.Errorf("Runqget returns nil, although there was always something in the ring; a thread that is beaten to it must look again")
			}
		})
		h.m.Thread("thief", func() {
			if n := h.runqgrab("the thief", false); n == 0 {
				h.m.Errorf("Runqgrab returns 0, although there was always something in the ring")
			}
		})
	})
}

// raceNext is about Runnext: the owner sets it, kicks, and takes; a thief takes.
func raceNext(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.m.Thread("owner", func() {
			h.runqput(true)
			h.runqput(true)
			h.runqget()
			h.runqget()
		})
		h.m.Thread("thief", func() { h.runqgrab("the thief", true) })
	})
}

// raceNextThieves lets two thieves have an eye on Runnext.
func raceNextThieves(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(true)
		h.m.Thread("owner", func() {
			h.runqget()
			h.runqput(true)
		})
		h.m.Thread("thief A", func() { h.runqgrab("thief A", true) })
		h.m.Thread("thief B", func() { h.runqgrab("thief B", true) })
	})
}

// raceSpareNext is about an owner from which a thief takes Runnext at the last moment: it
// has another G, in the ring.
func raceSpareNext(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(true)
		h.m.Thread("owner", func() {
			h.runqput(false)
			if h.runqget() == nil {
				h.m.Errorf("Runqget returns nil, although there was a G in the ring: a thief took the one in Runnext meanwhile, and the owner came away with nothing as well")
			}
		})
		h.m.Thread("thief", func() { h.runqgrab("the thief", true) })
	})
}

// raceHalf is about a thief with two Gs of its own in a ring of four, which sees more than
// there ever were: the head as it was at first, and the tail at the end.
func raceHalf(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		for range 3 {
			h.runqput(false)
		}
		h.m.Thread("owner", func() {
			h.runqget()
			h.runqput(false)
			h.runqput(false)
		})
		batch := make([]machine.Pointer[gmp.G], 4)
		own := []*gmp.G{h.newG(), h.newG()}
		h.m.Thread("thief", func() {
			batch[2].Store(own[0])
			batch[3].Store(own[1])
			for i := range min(h.s.Runqgrab(h.ps[0], batch, 0, false), 2) {
				h.takeFrom("the thief", &batch[i])
			}
			for i, gp := range own {
				if found := batch[2+i].Load(); found != gp {
					h.m.Errorf("slot %d of the thief's ring is outside the half that Runqgrab may use, and held %s, which waits there to be run; now it holds %s", 2+i, check.Name(gp), check.Name(found))
				}
				h.m.Take(gp)
			}
		})
	})
}

// raceOverflowNext lets the G that was kicked out of Runnext find the ring full, while a
// thief makes room.
func raceOverflowNext(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(false)
		h.runqput(false)
		h.runqput(true)
		h.m.Thread("owner", func() {
			newest := h.newG()
			h.s.Runqput(h.ps[0], newest, true)
			gp, inheritTime := h.s.Runqget(h.ps[0])
			if gp != newest || !inheritTime {
				h.m.Errorf("the owner puts %s next, and takes %s (inheritTime %v) right afterwards: only the G that was in Runnext may be kicked out, once", check.Name(newest), check.Name(gp), inheritTime)
			}
			h.take("the owner", gp)
		})
		h.m.Thread("thief", func() { h.runqgrab("the thief", false) })
	})
}

// raceOverflow lets a G find the ring full while a thief makes room, and somebody
// else takes from the global queue.
func raceOverflow(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(false)
		h.runqput(false)
		h.m.Thread("owner", func() {
			h.runqput(false)
			h.runqput(false)
		})
		h.m.Thread("thief", func() { h.runqgrab("the thief", false) })
		h.m.Thread("other", func() {
			h.s.Lock.Lock()
			gp := h.s.Globrunqget()
			h.s.Lock.Unlock()
			h.take("the other", gp)
		})
	})
}

// raceOverflowLinks lets a G find the ring full while a thief takes one and links it into a
// list of its own.
func raceOverflowLinks(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.link()
		h.runqput(false)
		h.runqput(false)
		h.m.Thread("owner", func() { h.runqput(false) })
		h.m.Thread("thief", func() { h.runqgrab("the thief", false) })
	})
}

// raceBatch puts a batch, of which all but one have room, while a thief looks. It
// sees none of them or all.
func raceBatch(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		h.link()
		var q gmp.GQueue
		for range 5 {
			q.PushBack(h.newG())
		}
		h.m.Thread("owner", func() {
			rest := h.s.Runqputbatch(h.ps[0], q)
			h.s.Lock.Lock()
			h.s.Globrunqputbatch(rest)
			h.s.Lock.Unlock()
		})
		h.m.Thread("thief", func() {
			if n := h.runqgrab("the thief", false); n != 0 && n != 2 {
				h.m.Errorf("of a batch of 4 the thief steals %d; want 2, or 0 if it came too early: the tail moves once, when all of them are there", n)
			}
		})
	})
}

// raceDrain drains while a thief steals and puts what it gets on the global queue.
func raceDrain(t *check.T) {
	inEveryOrder(t, 1, 4, func(h *heist) {
		for range 3 {
			h.runqput(false)
		}
		h.runqput(true)
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

// raceDrainNext drains a P that has nothing but a Runnext, on which a thief has an
// eye.
func raceDrainNext(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(true)
		h.m.Thread("owner", func() {
			q := h.s.Runqdrain(h.ps[0])
			for _, gp := range listed(&q) {
				h.take("the owner", gp)
			}
		})
		h.m.Thread("thief", func() { h.runqgrab("the thief", true) })
	})
}

// raceEmpty looks at a P that always has a G: in Runnext at first, then, kicked out
// by another, in the ring.
func raceEmpty(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(true)
		h.m.Thread("owner", func() {
			h.runqput(true)
			h.runqget()
			h.runqput(true)
			h.runqget()
		})
		h.m.Thread("observer", h.neverEmpty)
	})
}

// raceEmptyThief looks at a P that always has a G: in the ring at first, then, when
// a thief takes that one, in Runnext.
func raceEmptyThief(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(false)
		var there machine.Note
		h.m.Thread("owner", func() {
			h.runqput(true)
			there.Wakeup()
		})
		h.m.Thread("thief", func() {
			there.Sleep()
			h.runqgrab("the thief", false)
		})
		h.m.Thread("observer", h.neverEmpty)
	})
}

func (h *heist) neverEmpty() {
	if h.s.Runqempty(h.ps[0]) {
		h.m.Errorf("Runqempty says that the P has no G, although it always had one; an M that believes it goes to sleep")
	}
}

// raceSteal steals from a thief: what it has stolen is on its own ring, for others
// to take.
func raceSteal(t *check.T) {
	inEveryOrder(t, 3, 4, func(h *heist) {
		for range 4 {
			h.runqput(false)
		}
		h.m.Thread("owner", func() { h.runqget() })
		h.m.Thread("thief A", func() {
			h.take("thief A", h.s.Runqsteal(h.ps[1], h.ps[0], false))
			gp, _ := h.s.Runqget(h.ps[1])
			h.take("thief A", gp)
		})
		h.m.Thread("thief B", func() { h.take("thief B", h.s.Runqsteal(h.ps[2], h.ps[1], false)) })
	})
}
