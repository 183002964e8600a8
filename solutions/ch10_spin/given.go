//course:omit
package ch10

import "gosched/chapters/gmp"

// Given is the form of chapters 8 and 9, in which no M spins: an M that queues a G wakes an
// M for each idle P that it sees. Most of these Ms find nothing, since the G runs where it
// was queued. The comment in the runtime's proc.go names it among the ways that were not
// taken. And it can leave a G beside an idle P, until its own P is free: an M that gives up
// does not look again, and as long as it has not put its P on the list, an M that queues a
// G sees none that is idle.
var Given = gmp.Version{
	Wakeups: func(s *gmp.Sched) gmp.Wakeups { return &given{NewWakeups(s), s} },
}

type given struct {
	gmp.Wakeups
	s *gmp.Sched
}

func (p *given) Wakep(mp *gmp.M) {
	if p.s.Npidle.Load() > 0 {
		p.s.Startm(mp, nil, false, false)
	}
}
