package ch07

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// putBatch checks that a batch goes in as far as there is room, in order.
func putBatch(t *check.T) {
	for _, n := range []int{2, 4, gmp.RunqLen} {
		for _, before := range []int{0, 1, n - 1, n} {
			for _, count := range []int{0, 1, n - before, n - before + 1, n + 2} {
				b := newBench(t, n)
				gs := b.gs(before + count)
				b.putAll(gs[:before])
				b.did("Runqputbatch of %s on a ring of %d", check.Names(gs[before:]), n)
				rest := b.s.Runqputbatch(b.p0, queueOf(gs[before:]))
				room := min(count, n-before)
				b.checkQueue("what it returns", rest, gs[before+room:])
				b.checkQueue("the global queue", b.s.Runq.Get(), nil)
				b.want("the ring", b.rest(b.p0), gs[:before+room])
			}
		}
	}
}

// drain checks that Runqdrain takes everything, Runnext first.
func drain(t *check.T) {
	for _, n := range []int{2, 4, gmp.RunqLen} {
		for _, count := range []int{0, 1, n} {
			for _, next := range []bool{false, true} {
				b := newBench(t, n)
				gs := b.gs(count)
				b.putAll(gs)
				want := gs
				if next {
					gp := b.newG()
					b.put(gp, true)
					want = append([]*gmp.G{gp}, gs...)
				}
				b.did("Runqdrain")
				b.checkQueue("what it returns", b.s.Runqdrain(b.p0), want)
				b.want("the P", b.rest(b.p0), nil)
			}
		}
	}
}

// empty checks Runqempty while nobody else is there.
func empty(t *check.T) {
	b := newBench(t, 2)
	is := func(want bool) {
		t.Helper()
		if got := b.s.Runqempty(b.p0); got != want {
			b.fatalf("Runqempty returns %v; want %v", got, want)
		}
	}
	is(true)
	g := b.gs(3)
	b.put(g[0], true)
	is(false) // in Runnext alone
	b.get(g[0])
	is(true)
	b.put(g[0], false)
	is(false) // in the ring alone
	b.put(g[1], false)
	b.put(g[2], true)
	is(false) // the tail is as far ahead as it can be
	b.get(g[2])
	b.get(g[0])
	b.get(g[1])
	is(true)
}

// globalBatch checks both ends of the global queue.
func globalBatch(t *check.T) {
	b := newBench(t, 4)
	s := b.s
	var want []*gmp.G
	for _, n := range []int{0, 1, 3, 0, 2} {
		gs := b.gs(n)
		b.did("Globrunqputbatch of %s", check.Names(gs))
		s.Lock.Lock()
		s.Globrunqputbatch(queueOf(gs))
		if !check.Held(&s.Lock.Mutex) {
			b.fatalf("Globrunqputbatch released s.Lock, which its caller took and still needs")
		}
		s.Lock.Unlock()
		want = append(want, gs...)
	}
	s.Lock.Lock()
	gp := b.newG()
	b.did("Globrunqput(%s)", check.Name(gp))
	s.Globrunqput(gp)
	s.Lock.Unlock()
	b.checkQueue("the global queue", s.Runq.Get(), append(want, gp))

	for _, c := range []struct{ size, gomaxprocs, n, takes int }{
		{0, 4, 128, 0},
		{1, 4, 128, 1},
		{3, 4, 128, 1},
		{4, 4, 128, 2},
		{100, 4, 128, 26},
		{100, 4, 10, 10},
		{100, 4, 1, 1},
		{100, 1, 128, 100},
		{1000, 1, 128, 128},
		{1000, 8, 128, 126},
		{1100, 8, 128, 128},
	} {
		b := newBench(t, 4)
		b.s.Gomaxprocs.Set(int32(c.gomaxprocs))
		gs := b.gs(c.size)
		b.s.Runq.Set(queueOf(gs))
		b.done = []string{fmt.Sprintf("Globrunqgetbatch(%d) with GOMAXPROCS %d and a global queue of %d", c.n, c.gomaxprocs, c.size)}
		b.s.Lock.Lock()
		gp, q := b.s.Globrunqgetbatch(int32(c.n))
		if !check.Held(&b.s.Lock.Mutex) {
			b.fatalf("it released s.Lock, which its caller took and still needs")
		}
		b.s.Lock.Unlock()
		taken := gs[:c.takes]
		var first *gmp.G
		if c.takes > 0 {
			first, taken = taken[0], taken[1:]
		}
		if gp != first {
			b.fatalf("the G to run is %s; want %s", check.Name(gp), check.Name(first))
		}
		if gp != nil && gp.Schedlink.Get() != nil {
			b.fatalf("the Schedlink of %s, which has left the queue, still points to %s", check.Name(gp), check.Name(gp.Schedlink.Get()))
		}
		b.checkQueue("the queue that it returns, of the other Gs,", q, taken)
		b.checkQueue("the global queue", b.s.Runq.Get(), gs[c.takes:])
	}
}
