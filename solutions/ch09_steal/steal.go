// Package ch09 is stealing: chapter 9, Go 1.1.
//
// A P without work takes half of what another P has. Which one it asks is left to
// chance, so that thieves spread over all Ps, and do not follow each other.
package ch09

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Stealing: NewStealing,
}

// stealing takes work from other Ps.
type stealing struct {
	s *gmp.Sched
}

// NewStealing makes the Stealing of s.
func NewStealing(s *gmp.Sched) gmp.Stealing { return &stealing{s: s} }

// stealTries is how many times a thief asks every other P. A queue that was empty
// may have something when the thief comes by again.
const stealTries = 4

// StealWork asks all other Ps for work, for mp. Nothing is locked: the M that is robbed
// goes on meanwhile, and Runqsteal makes sure that only one of the two gets a G.
//
//course:exercise
func (p *stealing) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	//course:holds If it returns no G, each other P was asked once in each pass, or the world is to stop; and whatever it has taken from others is returned, or is in the queue of its own P. It makes no other M wait.
	//course:question A timer that you have run puts its G where other thieves see it, too. What do you know when you look for it, and what must your caller learn?
	//course:lead Put the numbers from 0 to n-1 in a circle, and take steps of a fixed size: when do you visit each of them before you are back? And what you see of another P may be wrong a moment later: which part of it do you have to be sure of?
	s := p.s
	pp := mp.P.Get()
	ranTimer := false
	for try := range stealTries {
		//course:step Only in the last pass are timers and a Runnext taken as well. They are better left where they are: a G in Runnext is about to run there.
		last := try == stealTries-1
		//course:step Each pass asks each P once, in an order of its own: from a random one on, in steps of a random size that has no common divisor with the number of Ps.
		order := newOrder(uint32(len(s.Allp.Get())), mp.Cheaprand())
		for range s.Allp.Get() {
			//course:step If the world is to stop, give up, and let the caller see that.
			if s.Gcwaiting.Load() {
				return nil, false, now, pollUntil, true
			}
			p2 := s.Allp.Get()[order.next()]
			if p2 == pp {
				continue
			}
			//course:step Timers first. Those that fire put their Gs on pp, which may then have no room for stolen ones: so look there at once.
			if last {
				tnow, w, ran := s.CheckTimers(mp, p2, now)
				now = tnow
				if w != 0 && (pollUntil == 0 || w < pollUntil) {
					pollUntil = w
				}
				if ran {
					if gp, inheritTime := s.Runqget(pp); gp != nil {
						return gp, inheritTime, now, pollUntil, ranTimer
					}
					ranTimer = true
				}
			}
			//course:step Then half of its queue.
			if gp := s.Runqsteal(pp, p2, last); gp != nil {
				return gp, false, now, pollUntil, ranTimer
			}
		}
	}
	//course:step No P had anything. But a timer that ran may have made something ready, on some P.
	return nil, false, now, pollUntil, ranTimer
}

// An order goes through the numbers below n, each once: from a random one on, in steps of
// a random size that has no common divisor with n. The runtime's randomEnum; there a
// randomOrder keeps a list of the possible steps, made when the number of Ps changes, so
// that all are equally likely. Here the next larger possible one is taken.
//
//course:omit
type order struct {
	at, step, n uint32
}

// newOrder makes an order of the numbers below n, which is positive, from random bits:
// the remainder gives the start, the quotient the step.
//
//course:omit
func newOrder(n, random uint32) order {
	o := order{at: random % n, step: random/n%n + 1, n: n}
	for gcd(o.step, n) != 1 {
		o.step = o.step%n + 1
	}
	return o
}

// next returns the next number.
//
//course:omit
func (o *order) next() uint32 {
	at := o.at
	o.at = (o.at + o.step) % o.n
	return at
}

//course:omit
func gcd(a, b uint32) uint32 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
