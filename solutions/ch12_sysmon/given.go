//course:omit
package ch12

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Given is the form that takes Ps from system calls, and does nothing else.
var Given = gmp.Version{Monitor: NewGiven}

type given struct {
	gmp.Monitor
	s *gmp.Sched
}

// NewGiven makes the given Monitor.
func NewGiven(s *gmp.Sched) gmp.Monitor { return &given{NewMonitor(s), s} }

// LateMonitor says that there is nothing to watch before the first system call.
func (p *given) LateMonitor() {}

// Sysmon looks at all Ps again and again, on an M without one: after 20 µs at first, and
// less often while there is nothing to do, up to 10 ms. As long as all Ps are idle no M is
// in a call with one, and it sleeps soundly: an M that enters a call, or is back and takes
// an idle P, wakes it.
func (p *given) Sysmon(mp *gmp.M) {
	s := p.s
	idle, delay := 0, uint32(shortest)
	for !s.Exited() {
		switch {
		case idle == 0:
			delay = shortest
		case idle > patience:
			delay = min(2*delay, longest)
		}
		machine.Usleep(delay)
		if p.sleepSoundly() {
			idle, delay = 0, shortest
		}
		if s.Retake(mp, s.Nanotime()) > 0 {
			idle = 0
		} else {
			idle++
		}
	}
}

// sleepSoundly sleeps until it is woken, if all Ps are idle.
func (p *given) sleepSoundly() bool {
	s := p.s
	s.Lock.Lock()
	if s.Npidle.Load() != s.Gomaxprocs.Get() {
		s.Lock.Unlock()
		return false
	}
	s.Sysmonwait.Store(true)
	s.Lock.Unlock()
	s.Sysmonnote.Sleep()
	s.Sysmonnote.Clear()
	return true
}

// Retake takes Ps from calls that last.
func (p *given) Retake(mp *gmp.M, now int64) uint32 {
	s := p.s
	n := uint32(0)
	s.Lock.Lock()
	allp := s.Allp.Get() // their number may change, a P does not go away
	s.Lock.Unlock()
	for _, pp := range allp {
		if s.RetakeSyscall(mp, pp, now, false) {
			n++
		}
	}
	return n
}
