package ch07_test

import (
	"sync/atomic"
	"testing"
	"time"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// These benchmarks show what the course's way of writing a queue costs: parts behind
// interfaces, and atomic variables that a hook can see. Each does the same twice, with
// the queue of the solution and with a bare one, in turns, and gives the ratio.

// A bareQueue is the same algorithm on sync/atomic, called directly.
type bareQueue struct {
	head atomic.Uint32
	tail atomic.Uint32
	next atomic.Pointer[gmp.G]
	ring [gmp.RunqLen]atomic.Pointer[gmp.G]
}

func (q *bareQueue) put(gp *gmp.G, next bool) {
	if next {
		if gp = q.next.Swap(gp); gp == nil {
			return
		}
	}
	h := q.head.Load()
	t := q.tail.Load()
	if t-h >= gmp.RunqLen {
		panic("the benchmarks do not fill it")
	}
	q.ring[t%gmp.RunqLen].Store(gp)
	q.tail.Store(t + 1)
}

func (q *bareQueue) get() *gmp.G {
	if next := q.next.Load(); next != nil && q.next.CompareAndSwap(next, nil) {
		return next
	}
	for {
		h := q.head.Load()
		t := q.tail.Load()
		if h == t {
			return nil
		}
		gp := q.ring[h%gmp.RunqLen].Load()
		if q.head.CompareAndSwap(h, h+1) {
			return gp
		}
	}
}

func (q *bareQueue) steal(from *bareQueue) *gmp.G {
	to := q.tail.Load()
	for {
		h := from.head.Load()
		t := from.tail.Load()
		n := t - h
		n -= n / 2
		if n == 0 {
			return nil
		}
		if n > gmp.RunqLen/2 {
			continue
		}
		for i := range n {
			q.ring[(to+i)%gmp.RunqLen].Store(from.ring[(h+i)%gmp.RunqLen].Load())
		}
		if from.head.CompareAndSwap(h, h+n) {
			q.tail.Store(to + n - 1)
			return q.ring[(to+n-1)%gmp.RunqLen].Load()
		}
	}
}

// ratio runs both b.N times, in turns, and reports the time of each and the ratio.
func ratio(b *testing.B, ours, bare func()) {
	const turn = 100
	var spent [2]time.Duration
	for done := 0; done < b.N; done += turn {
		for i, fn := range []func(){ours, bare} {
			start := time.Now()
			for range turn {
				fn()
			}
			spent[i] += time.Since(start)
		}
	}
	turns := float64((b.N + turn - 1) / turn * turn)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(spent[0].Nanoseconds())/turns, "ns/ours")
	b.ReportMetric(float64(spent[1].Nanoseconds())/turns, "ns/bare")
	b.ReportMetric(float64(spent[0])/float64(spent[1]), "ratio")
}

func newBenchmark() (*gmp.Sched, *gmp.P, *gmp.P, *gmp.G) {
	s := gmp.NewBare(solutions.Base("ch07"), nil)
	return s, gmp.NewP(0, gmp.RunqLen), gmp.NewP(1, gmp.RunqLen), &gmp.G{Goid: machine.CellOf[int64](1)}
}

func BenchmarkPutGet(b *testing.B) {
	s, pp, _, gp := newBenchmark()
	var q bareQueue
	ratio(b,
		func() { s.Runqput(pp, gp, false); s.Runqget(pp) },
		func() { q.put(gp, false); q.get() })
}

func BenchmarkPutNextGet(b *testing.B) {
	s, pp, _, gp := newBenchmark()
	var q bareQueue
	ratio(b,
		func() { s.Runqput(pp, gp, true); s.Runqget(pp) },
		func() { q.put(gp, true); q.get() })
}

// BenchmarkSteal puts 16 Gs, steals 8 of them, and takes them all.
func BenchmarkSteal(b *testing.B) {
	const many = 16
	s, p0, p1, gp := newBenchmark()
	var q0, q1 bareQueue
	ratio(b,
		func() {
			for range many {
				s.Runqput(p0, gp, false)
			}
			s.Runqsteal(p1, p0, false)
			for _, pp := range []*gmp.P{p0, p1} {
				for gp, _ := s.Runqget(pp); gp != nil; gp, _ = s.Runqget(pp) {
				}
			}
		},
		func() {
			for range many {
				q0.put(gp, false)
			}
			q1.steal(&q0)
			for _, q := range []*bareQueue{&q0, &q1} {
				for gp := q.get(); gp != nil; gp = q.get() {
				}
			}
		})
}
