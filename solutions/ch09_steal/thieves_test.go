//course:omit
package ch09_test

import (
	"iter"

	"gosched/chapters/gmp"
)

// This file has more right thieves, and alternatives_test.go tests them.

// amongOthers leaves its own P out of the order: it goes in steps that have no divisor in
// common with the number of the others.
type amongOthers struct{ s *gmp.Sched }

func (p amongOthers) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	own := mp.P.Get()
	others := func(random uint32) iter.Seq[*gmp.P] {
		all := p.s.Allp.Get()
		n := uint32(len(all)) - 1
		return func(yield func(*gmp.P) bool) {
			if n == 0 {
				return
			}
			e := newEnum(n, random)
			for range n {
				if i := e.next(); !yield(all[(uint32(own.ID)+1+i)%(n+1)]) {
					return
				}
			}
		}
	}
	l := &looting{Sched: p.s, mp: mp, now: now}
	for pass := range 4 {
		for p2 := range others(mp.Cheaprand()) {
			if l.stop() || l.ask(p2, pass == 3) {
				return l.results()
			}
		}
	}
	return l.results()
}

// looting is one call of StealWork, as far as it has come.
type looting struct {
	*gmp.Sched
	mp *gmp.M

	gp             *gmp.G
	inheritTime    bool
	now, pollUntil int64
	newWork        bool
}

func (l *looting) results() (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	return l.gp, l.inheritTime, l.now, l.pollUntil, l.newWork
}

// stop reports whether the world is to stop.
func (l *looting) stop() bool {
	stop := l.Gcwaiting.Load()
	l.newWork = l.newWork || stop
	return stop
}

// ask asks one P for all that it may have, and reports whether there is a G.
func (l *looting) ask(p2 *gmp.P, last bool) bool {
	if last && l.ring(p2) {
		return true
	}
	l.gp, l.inheritTime = l.Runqsteal(l.mp.P.Get(), p2, last), false
	return l.gp != nil
}

// ring runs the timers of p2, and reports whether they have put a G on mp's queue.
func (l *looting) ring(p2 *gmp.P) bool {
	now, when, ran := l.CheckTimers(l.mp, p2, l.now)
	l.now = now
	if when != 0 && (l.pollUntil == 0 || when < l.pollUntil) {
		l.pollUntil = when
	}
	if ran {
		l.newWork = true
		l.gp, l.inheritTime = l.Runqget(l.mp.P.Get())
	}
	return l.gp != nil
}

// picksFromSet has the Ps that are still to be asked in a set of bits, and picks a random
// one of them each time.
type picksFromSet struct{ s *gmp.Sched }

func (p picksFromSet) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	l := &looting{Sched: p.s, mp: mp, now: now}
	for pass := range 4 {
		all := p.s.Allp.Get()
		left := make(bits, (len(all)+63)/64)
		for _, p2 := range all {
			left.flip(p2.ID)
		}
		left.flip(mp.P.Get().ID)
		for n := len(all) - 1; n > 0; n-- {
			id := left.nth(int(mp.Cheaprand() % uint32(n)))
			left.flip(id)
			if l.stop() || l.ask(all[id], pass == 3) {
				return l.results()
			}
		}
	}
	return l.results()
}

// bits is a set of numbers.
type bits []uint64

func (b bits) flip(i int32)     { b[i/64] ^= 1 << (i % 64) }
func (b bits) has(i int32) bool { return b[i/64]>>(i%64)&1 != 0 }

// nth returns the n-th number, counted from 0.
func (b bits) nth(n int) int32 {
	for i := int32(0); ; i++ {
		if b.has(i) {
			if n == 0 {
				return i
			}
			n--
		}
	}
}

// modulo goes in steps of any size, modulo a prime that is not less than the number of Ps,
// and leaves out what is none.
type modulo struct{ s *gmp.Sched }

func (p modulo) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	all := p.s.Allp.Get()
	prime := uint32(len(all))
	for ; prime > 2 && !isPrime(prime); prime++ {
	}
	l := &looting{Sched: p.s, mp: mp, now: now}
	var pass func(left int) // asks all in so many passes
	pass = func(left int) {
		if left == 0 {
			return
		}
		at, step := mp.Cheaprand()%prime, 1+mp.Cheaprand()%max(1, prime-1)
		for range prime {
			if int(at) < len(all) && all[at] != mp.P.Get() {
				if l.stop() || l.ask(all[at], left == 1) {
					return
				}
			}
			at = (at + step) % prime
		}
		pass(left - 1)
	}
	pass(4)
	return l.results()
}

func isPrime(n uint32) bool {
	for d := uint32(2); d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}

// looksTwice looks at Gcwaiting and at all queues more often than it must, and asks a P only
// if there is something to be seen there.
type looksTwice struct{ s *gmp.Sched }

func (p looksTwice) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	s, own := p.s, mp.P.Get()
	l := &looting{Sched: s, mp: mp, now: now}
	for pass := range 4 {
		e := newEnum(uint32(len(s.Allp.Get())), mp.Cheaprand())
		for range s.Allp.Get() {
			p2 := s.Allp.Get()[e.next()]
			if l.stop() || p2 != own && l.stop() {
				return l.results()
			}
			if p2 == own {
				continue
			}
			if pass == 3 && l.ring(p2) {
				return l.results()
			}
			if !s.Runqempty(p2) || !s.Runqempty(p2) {
				l.gp = s.Runqsteal(own, p2, pass == 3)
			}
			if l.gp != nil {
				return l.results()
			}
		}
	}
	if l.newWork {
		l.gp, l.inheritTime = s.Runqget(own)
	}
	return l.results()
}
