package ch07

import (
	"math/rand/v2"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// An oracle is the queue of a P and the global one as slices.
type oracle struct {
	next   *gmp.G
	ring   []*gmp.G
	global []*gmp.G
	n      int // slots
}

func (o *oracle) put(gp *gmp.G, next bool) {
	if next {
		if gp, o.next = o.next, gp; gp == nil {
			return
		}
	}
	if len(o.ring) == o.n {
		o.global = append(append(o.global, o.ring[:o.n/2]...), gp)
		o.ring = slices.Clone(o.ring[o.n/2:])
		return
	}
	o.ring = append(o.ring, gp)
}

func (o *oracle) get() *gmp.G {
	if gp := o.next; gp != nil {
		o.next = nil
		return gp
	}
	return pop(&o.ring)
}

func (o *oracle) drain() []*gmp.G {
	var all []*gmp.G
	for gp := o.get(); gp != nil; gp = o.get() {
		all = append(all, gp)
	}
	return all
}

func (o *oracle) grab() []*gmp.G {
	half := len(o.ring) - len(o.ring)/2
	if half == 0 && o.next != nil {
		gp := o.next
		o.next = nil
		return []*gmp.G{gp}
	}
	taken := o.ring[:half:half]
	o.ring = o.ring[half:]
	return taken
}

func (o *oracle) batch(n int) []*gmp.G {
	n = min(n, len(o.global), len(o.global)/2+1) // GOMAXPROCS is 2
	taken := o.global[:n:n]
	o.global = o.global[n:]
	return taken
}

func pop(list *[]*gmp.G) *gmp.G {
	if len(*list) == 0 {
		return nil
	}
	gp := (*list)[0]
	*list = (*list)[1:]
	return gp
}

// random checks random sequences of operations against the oracle; the short ones
// come first, so that the first to fail is easy to read.
func random(t *check.T) { inAnyOrder(t, 300, 0) }

// inAnyOrder does so in so many rounds, with rings that begin with first.
func inAnyOrder(t *check.T, rounds int, first uint32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, t.Seed(0)))
	for round := range rounds {
		n := []int{2, 4, gmp.RunqLen}[round%3]
		b, o := newBenchAt(t, n, first), &oracle{n: n}
		b.told(func() {
			for range 2 + round*round*180/(rounds*rounds) {
				step(b, o, rng)
			}
		})
	}
}

// step does one thing to both, and compares.
func step(b *bench, o *oracle, rng *rand.Rand) {
	s := b.s
	switch op := rng.IntN(16); {
	case op < 7:
		gp, next := b.newG(), rng.IntN(3) == 0
		b.put(gp, next)
		o.put(gp, next)
	case op < 10:
		b.get(o.get())
	case op == 10:
		b.want("a thief that may take Runnext gets", b.grab(rng.Uint32(), true), o.grab())
	case op == 11:
		b.did("Runqdrain")
		q := s.Runqdrain(b.p0)
		b.checkQueue("what it returns", q, o.drain())
	case op == 12:
		gs := b.gs(rng.IntN(b.room(o) + 1))
		b.did("Runqputbatch of %s", check.Names(gs))
		rest := s.Runqputbatch(b.p0, queueOf(gs))
		b.checkQueue("what it returns", rest, nil)
		o.ring = append(o.ring, gs...)
	case op == 13:
		n := 1 + rng.IntN(4)
		b.did("Globrunqgetbatch(%d)", n)
		s.Lock.Lock()
		gp, q := s.Globrunqgetbatch(int32(n))
		s.Lock.Unlock()
		b.want("it returns", append(filled(gp), listed(&q)...), o.batch(n))
	case op == 14:
		gs := b.gs(rng.IntN(3))
		b.did("Globrunqputbatch of %s", check.Names(gs))
		s.Lock.Lock()
		s.Globrunqputbatch(queueOf(gs))
		s.Lock.Unlock()
		o.global = append(o.global, gs...)
	default:
		b.did("Runqempty")
		if got, want := s.Runqempty(b.p0), o.next == nil && len(o.ring) == 0; got != want {
			b.fatalf("it returns %v; want %v", got, want)
		}
	}
}

// room is how many Gs the ring still takes.
func (b *bench) room(o *oracle) int { return o.n - len(o.ring) }

// filled is a list of gp, empty if that is nil.
func filled(gp *gmp.G) []*gmp.G {
	if gp == nil {
		return nil
	}
	return []*gmp.G{gp}
}
