package sim

import "gosched/chapters/machine"

// A flight is something on its way in the network.
type flight struct {
	at     Time
	arrive func()
}

// Network lets arrive happen after the time that the way takes. It is the same for all,
// so what is sent first arrives first.
func (s *simulation) Network(arrive func()) {
	s.flights = append(s.flights, flight{s.now + s.costs.Network, arrive})
	if len(s.flights) == 1 {
		s.at(s.flights[0].at, networkSlot)
		s.look()
	}
}

// arrive lets everything happen that has arrived at the given time, on no CPU: a network
// card works beside them. (What the kernel does for it would take some of a CPU's time,
// which is counted to those who send and read: Costs.Syscall.)
func (s *simulation) arrive(at Time) {
	s.landing, s.now = &at, at // pick gives the time of the next thread back
	for len(s.flights) > 0 && s.flights[0].at <= at {
		f := s.flights[0]
		s.flights[0] = flight{}
		s.flights = s.flights[1:]
		f.arrive()
	}
	s.landing = nil
	if len(s.flights) > 0 {
		s.events.remove(networkSlot)
		s.at(s.flights[0].at, networkSlot)
	}
}

// interrupted wakes a thread because something has arrived.
func (s *simulation) interrupted(th *thread) {
	th.woken = true
	s.events.remove(th.timer())
	s.wake(th, *s.landing)
}

var _ machine.NetworkHook = (*simulation)(nil)
