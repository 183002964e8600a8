package ch18

import "gosched/chapters/gmp"

// stealing takes work from other Ps.
type stealing struct {
	s *gmp.Sched
}

// NewStealing makes the Stealing of s in the form of this chapter.
func NewStealing(s *gmp.Sched) gmp.Stealing { return &stealing{s: s} }

// stealTries is how many times a thief asks every other P.
const stealTries = 4

// StealWork asks all other Ps for work, for mp, as in chapter 9; but not those of which the masks say
// that they have none.
//
//course:exercise
func (p *stealing) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	//course:holds As in chapter 9; and nothing of a P is touched, not even to look, if the masks say that it has nothing.
	//course:question May a P that is idle have timers? May one that is not?
	s := p.s
	pp := mp.P.Get()
	ranTimer := false
	for try := range stealTries {
		//course:step As in chapter 9: four passes, each in an order of its own; timers and a Runnext in the last one; and a look at the world before each P.
		last := try == stealTries-1
		at, step := start(mp.Cheaprand(), uint32(len(s.Allp.Get())))
		for range s.Allp.Get() {
			if s.Gcwaiting.Load() {
				return nil, false, now, pollUntil, true
			}
			p2 := s.Allp.Get()[at]
			at = (at + step) % uint32(len(s.Allp.Get()))
			if p2 == pp {
				continue
			}
			//course:step Timers only where there may be some. An idle P may well have them: nobody else runs those.
			if last && s.Timerpmask.Get().Read(p2.ID) {
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
			//course:step And its queue only if it is not idle.
			if !s.Idlepmask.Get().Read(p2.ID) {
				if gp := s.Runqsteal(pp, p2, last); gp != nil {
					return gp, false, now, pollUntil, ranTimer
				}
			}
		}
	}
	return nil, false, now, pollUntil, ranTimer
}

// start returns where a pass over n Ps begins, and a step that has no common divisor with n. The
// runtime's randomOrder.start.
//
//course:omit
func start(random, n uint32) (at, step uint32) {
	step = random/n%n + 1
	for gcd(step, n) != 1 {
		step = step%n + 1
	}
	return random % n, step
}

//course:omit
func gcd(a, b uint32) uint32 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
