package ch07

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// grab lets a thief take from p0, and returns what it got into a ring of its own.
func (b *bench) grab(batchHead uint32, next bool) []*gmp.G {
	b.t.Helper()
	batch := make([]machine.Pointer[gmp.G], len(b.p0.Runq))
	b.did("Runqgrab")
	n := b.s.Runqgrab(b.p0, batch, batchHead, next)
	return b.inBatch(batch, batchHead, n)
}

// inBatch reads n Gs from number head on. The other slots must be empty.
func (b *bench) inBatch(batch []machine.Pointer[gmp.G], head, n uint32) []*gmp.G {
	b.t.Helper()
	if n > uint32(len(batch)) {
		b.fatalf("Runqgrab returns %d, but there are %d slots", int32(n), len(batch))
	}
	var gs []*gmp.G
	for i := range uint32(len(batch)) {
		gp := batch[(head+i)%uint32(len(batch))].Load()
		if i < n {
			gs = append(gs, gp)
		} else if gp != nil {
			b.fatalf("Runqgrab returns %d, and puts %s into slot %d of the batch, %d after batchHead", n, check.Name(gp), (head+i)%uint32(len(batch)), i)
		}
	}
	return gs
}

// grabHalf checks that a thief takes half, rounded up, from the head.
func grabHalf(t *check.T) {
	for _, n := range []int{2, 4, 16} {
		for have := range n + 1 {
			for _, batchHead := range []uint32{0, 1, 1<<32 - 1} {
				b := newBench(t, n)
				gs := b.gs(have)
				b.putAll(gs)
				half := have - have/2
				b.want("a thief gets", b.grab(batchHead, false), gs[:half])
				b.want("what is left", b.rest(b.p0), gs[half:])
			}
		}
	}
}

// grabNext checks that Runnext is taken when there is nothing else, and only by one
// that may.
func grabNext(t *check.T) {
	b := newBench(t, 4)
	g := b.gs(3)
	b.put(g[0], false)
	b.put(g[1], false)
	b.put(g[2], true)
	b.want("a thief that may take Runnext gets", b.grab(0, true), g[:1])
	b.want("a thief that may take Runnext gets", b.grab(0, true), g[1:2])
	b.want("a thief that may not take Runnext gets", b.grab(0, false), nil)
	b.want("a thief that may take Runnext gets", b.grab(3, true), g[2:])
	b.want("a thief that may take Runnext gets", b.grab(0, true), nil)
	b.want("what is left", b.rest(b.p0), nil)
}

// backOff checks how long a thief waits before it takes Runnext. The clock is that
// of the explorer, in which nothing but a sleep takes time.
func backOff(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		m.Show(show)
		s := t.Bare(m)
		pp := gmp.NewP(0, 4)
		batch := make([]machine.Pointer[gmp.G], 4)
		m.Thread("thief", func() {
			grab := func(what string, want int64) {
				start := machine.Nanotime()
				s.Runqgrab(pp, batch, 0, true)
				if waited := machine.Nanotime() - start; waited != want {
					m.Errorf("Runqgrab waits for %d ns when it %s; want %d ns", waited, what, want)
					m.FailNow()
				}
			}
			pp.Status.Store(gmp.Prunning)
			s.Runqput(pp, newG(1), false)
			grab("takes a G from the ring", 0)
			grab("finds nothing", 0)
			s.Runqput(pp, newG(2), true)
			grab("takes Runnext of a P that is running", 3000)
			for _, status := range []uint32{gmp.Pidle, gmp.Psyscall} {
				pp.Status.Store(status)
				s.Runqput(pp, newG(3), true)
				grab("takes Runnext of a P that is not running", 0)
			}
		})
	})
}

// backOffAgain checks that a thief waits for the G that it takes, and not for another one,
// and that it does not give up because another one is there after the wait.
func backOffAgain(t *check.T) {
	inEveryOrder(t, 1, 2, func(h *heist) {
		h.runqput(true)
		since := map[*gmp.G]int64{}
		h.m.Thread("owner", func() {
			gp := h.newG() // it kicks out the first one
			since[gp] = machine.Nanotime()
			h.s.Runqput(h.ps[0], gp, true)
		})
		h.m.Thread("thief", func() {
			batch := make([]machine.Pointer[gmp.G], 2)
			if h.s.Runqgrab(h.ps[0], batch, 0, true) == 0 {
				h.m.Errorf("Runqgrab returns 0, although there was always a G in Runnext, first one and then another; if the G for which it has waited is gone, it must look again")
				return
			}
			now, gp := machine.Nanotime(), batch[0].Load()
			if put, known := since[gp]; known && now-put < 3000 {
				h.m.Errorf("the thief takes %s out of Runnext %d ns after it was put there: it has waited 3 µs, but for the G that was there before, and the owner had no chance to run this one", check.Name(gp), now-put)
			}
			h.take("the thief", gp)
		})
	})
}

// backOffFirst checks that a thief waits first and takes afterwards: as long as it has
// not waited, an observer still sees the G in Runnext.
func backOffFirst(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		m.Show(show)
		s := t.Bare(m)
		pp := gmp.NewP(0, 4)
		pp.Status.Store(gmp.Prunning)
		s.Runqput(pp, newG(1), true)
		start := machine.Nanotime()
		m.Thread("thief", func() {
			s.Runqgrab(pp, make([]machine.Pointer[gmp.G], 4), 0, true)
		})
		m.Thread("observer", func() {
			gone := pp.Runnext.Load() == nil
			if after := machine.Nanotime() - start; gone && after < 3000 {
				m.Errorf("after %d ns Runnext is already gone: the thief takes it, and then it waits", after)
			}
		})
	})
}

// steal checks where the stolen Gs go.
func steal(t *check.T) {
	const n = 4
	for have := range n + 1 {
		for _, next := range []bool{false, true} {
			newBench(t, n).steals(have, next)
		}
	}
}

// steals lets p1 steal from p0, which has so many Gs in its ring, and one in Runnext if
// next is set.
func (b *bench) steals(have int, next bool) {
	b.t.Helper()
	gs := b.gs(have)
	b.putAll(gs)
	var inNext []*gmp.G
	if next {
		inNext = b.gs(1)
		b.put(inNext[0], true)
	}
	stolen := gs[:have-have/2]
	if have == 0 {
		stolen, inNext = inNext, nil
	}
	b.did("Runqsteal")
	got := b.s.Runqsteal(b.p1, b.p0, true)
	var want *gmp.G
	if len(stolen) > 0 {
		want, stolen = stolen[len(stolen)-1], stolen[:len(stolen)-1]
	}
	if got != want {
		b.fatalf("it returns %s; want %s, the last of those that were stolen", check.Name(got), check.Name(want))
	}
	b.want("the thief's ring", b.rest(b.p1), stolen)
	b.want("what the other P has left", b.rest(b.p0), append(inNext, gs[have-have/2:]...))
}

// stealOverflow checks that one whose ring has no room for what it steals is
// stopped.
func stealOverflow(t *check.T) {
	b := newBench(t, 4)
	b.putAll(b.gs(4))
	thiefPuts := func() {
		gp := b.newG()
		b.did("Runqput(%s, false) on the thief's P", check.Name(gp))
		b.s.Runqput(b.p1, gp, false)
	}
	thiefPuts()
	thiefPuts()
	if msg := t.Throws(func() { b.s.Runqsteal(b.p1, b.p0, false) }); msg != "" {
		b.fatalf("Runqsteal of 2 Gs into a ring with room for 2 throws %q; want nothing", msg)
	}
	b.did("Runqsteal")
	b.putAll(b.gs(2))
	const overflows = "runqsteal: runq overflow"
	tail := b.p1.Runqtail.Load()
	if msg := t.Throws(func() { b.s.Runqsteal(b.p1, b.p0, false) }); msg != overflows {
		b.fatalf("Runqsteal of 2 Gs into a ring with room for 1 throws %s; want %q", check.Thrown(msg), overflows)
	}
	if moved := b.p1.Runqtail.Load() - tail; moved != 0 {
		b.fatalf("Runqsteal of 2 Gs into a ring with room for 1 throws, but has already moved the thief's tail by %d; look first: other thieves take what the tail has passed", moved)
	}
}
