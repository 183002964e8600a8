//course:omit
package ch08

import "gosched/chapters/gmp"

// Every are the parts of this chapter with an interval other than 61: every nth time
// slice of a P begins with a look at the global queue, and none does if n is 0. It is
// for experiments.
func Every(n uint32) gmp.Version {
	return gmp.Version{Sources: func(s *gmp.Sched) gmp.Sources { return every{NewSources(s), n} }}
}

type every struct {
	gmp.Sources
	n uint32
}

// Nearby lets the correct part see a tick at which it looks at the global queue, or
// one at which it does not.
func (p every) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	pp := mp.P.Get()
	tick := pp.Schedtick.Get()
	defer func() { pp.Schedtick.Set(tick) }()
	if p.n != 0 && tick%p.n == 0 {
		pp.Schedtick.Set(0)
	} else {
		pp.Schedtick.Set(1)
	}
	return p.Sources.Nearby(mp)
}
