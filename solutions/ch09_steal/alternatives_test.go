package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch09"), map[string]gmp.Version{
		"shuffles":       {Stealing: func(s *gmp.Sched) gmp.Stealing { return shuffles{s} }},
		"looks-first":    {Stealing: func(s *gmp.Sched) gmp.Stealing { return looksFirst{s} }},
		"timers-apart":   {Stealing: func(s *gmp.Sched) gmp.Stealing { return timersApart{s} }},
		"among-others":   {Stealing: func(s *gmp.Sched) gmp.Stealing { return amongOthers{s} }},
		"picks-from-set": {Stealing: func(s *gmp.Sched) gmp.Stealing { return picksFromSet{s} }},
		"modulo":         {Stealing: func(s *gmp.Sched) gmp.Stealing { return modulo{s} }},
		"looks-twice":    {Stealing: func(s *gmp.Sched) gmp.Stealing { return looksTwice{s} }},
		"lists-steps":    {Stealing: func(s *gmp.Sched) gmp.Stealing { return &listsSteps{s: s} }},
	})
}

// shuffles makes a list of the others and brings it into random order: all orders are
// possible, and a pass costs as many random numbers as there are Ps.
type shuffles struct{ s *gmp.Sched }

func (p shuffles) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	var others []*gmp.P
	for _, p2 := range p.s.Allp.Get() {
		if p2 != mp.P.Get() {
			others = append(others, p2)
		}
	}
	for left := 3; left >= 0; left-- {
		for i := range others {
			j := i + int(mp.Cheaprand()%uint32(len(others)-i))
			others[i], others[j] = others[j], others[i]
			p2 := others[i]
			if p.s.Gcwaiting.Load() {
				return nil, false, now, pollUntil, true
			}
			if left == 0 {
				var when int64
				var ran bool
				now, when, ran = p.s.CheckTimers(mp, p2, now)
				if pollUntil == 0 || when != 0 && when < pollUntil {
					pollUntil = when
				}
				newWork = newWork || ran
				if ran {
					gp, inheritTime = p.s.Runqget(mp.P.Get())
				}
			}
			if gp == nil {
				gp = p.s.Runqsteal(mp.P.Get(), p2, left == 0)
			}
			if gp != nil {
				return gp, inheritTime, now, pollUntil, newWork
			}
		}
	}
	return nil, false, now, pollUntil, newWork
}

// An enum goes through numbers below n.
type enum struct{ at, step, n uint32 }

func (e *enum) next() uint32 {
	at := e.at
	e.at = (at + e.step) % e.n
	return at
}

// divides reports whether a and b have a divisor in common.
func divides(a, b uint32) bool {
	for d := uint32(2); d <= min(a, b); d++ {
		if a%d == 0 && b%d == 0 {
			return true
		}
	}
	return false
}

func newEnum(n, random uint32) enum {
	e := enum{at: random >> 16 % n, step: random & 0xffff % n, n: n}
	for e.step == 0 || divides(e.step, n) {
		e.step++
	}
	return e
}

// looksFirst asks only those Ps that seem to have something, and takes its random
// numbers from other bits.
type looksFirst struct{ s *gmp.Sched }

func (p looksFirst) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	s, n := p.s, uint32(len(p.s.Allp.Get()))
	for pass := 1; pass <= 4; pass++ {
		e := newEnum(n, mp.Cheaprand())
		for range n {
			p2 := s.Allp.Get()[e.next()]
			switch {
			case p2 == mp.P.Get():
				continue
			case s.Gcwaiting.Load():
				return nil, false, now, pollUntil, true
			case pass == 4:
				t, when, ran := s.CheckTimers(mp, p2, now)
				now = t
				if when > 0 && (when < pollUntil || pollUntil <= 0) {
					pollUntil = when
				}
				if newWork = newWork || ran; ran && !s.Runqempty(mp.P.Get()) {
					if gp, inheritTime = s.Runqget(mp.P.Get()); gp != nil {
						return gp, inheritTime, now, pollUntil, true
					}
				}
			}
			if s.Runqempty(p2) {
				continue
			}
			if gp = s.Runqsteal(mp.P.Get(), p2, pass == 4); gp != nil {
				return gp, false, now, pollUntil, newWork
			}
		}
	}
	return nil, false, now, pollUntil, newWork
}

// timersApart runs all timers before the last pass, and looks at its own queue after
// each that ran.
type timersApart struct{ s *gmp.Sched }

func (p timersApart) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	for range 3 {
		if gp, stop := p.pass(mp, false); gp != nil || stop {
			return gp, false, now, 0, stop
		}
	}
	for _, p2 := range p.s.Allp.Get() {
		if p2 == mp.P.Get() {
			continue
		}
		var when int64
		var ran bool
		now, when, ran = p.s.CheckTimers(mp, p2, now)
		if pollUntil == 0 || when != 0 && when < pollUntil {
			pollUntil = when
		}
		if ran {
			newWork = true
			if gp, inheritTime := p.s.Runqget(mp.P.Get()); gp != nil {
				return gp, inheritTime, now, pollUntil, true
			}
		}
	}
	gp, stop := p.pass(mp, true)
	return gp, false, now, pollUntil, newWork || stop
}

// pass asks everybody once. stop: the world is to stop.
func (p timersApart) pass(mp *gmp.M, next bool) (gp *gmp.G, stop bool) {
	n := uint32(len(p.s.Allp.Get()))
	e := newEnum(n, mp.Cheaprand())
	for range n {
		if p.s.Gcwaiting.Load() {
			return nil, true
		}
		if p2 := p.s.Allp.Get()[e.next()]; p2 != mp.P.Get() {
			if gp := p.s.Runqsteal(mp.P.Get(), p2, next); gp != nil {
				return gp, false
			}
		}
	}
	return nil, false
}

// listsSteps keeps a list of the possible steps for each P, as the runtime does for all
// of them.
type listsSteps struct {
	s     *gmp.Sched
	lists gmp.PerP[struct {
		n     uint32
		steps []uint32
	}]
}

func (p *listsSteps) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	s, n := p.s, uint32(len(p.s.Allp.Get()))
	list := p.lists.Of(mp.P.Get())
	if list.n != n {
		list.n, list.steps = n, nil
		for step := uint32(1); step <= n; step++ {
			if !divides(step, n) || n == 1 {
				list.steps = append(list.steps, step)
			}
		}
	}
	for pass := range 4 {
		random := mp.Cheaprand()
		e := enum{at: random % n, step: list.steps[random/n%uint32(len(list.steps))], n: n}
		for range n {
			if s.Gcwaiting.Load() {
				return nil, false, now, pollUntil, true
			}
			p2 := s.Allp.Get()[e.next()]
			if p2 == mp.P.Get() {
				continue
			}
			if pass == 3 {
				t, when, ran := s.CheckTimers(mp, p2, now)
				now = t
				if when != 0 && (pollUntil == 0 || when < pollUntil) {
					pollUntil = when
				}
				if ran {
					newWork = true
					if gp, inheritTime := s.Runqget(mp.P.Get()); gp != nil {
						return gp, inheritTime, now, pollUntil, true
					}
				}
			}
			if gp := s.Runqsteal(mp.P.Get(), p2, pass == 3); gp != nil {
				return gp, false, now, pollUntil, newWork
			}
		}
	}
	return nil, false, now, pollUntil, newWork
}
