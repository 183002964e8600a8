package machine

import "sync"

// A power is a machine's switch. It knows which threads sleep, so that none is left
// behind when the program has ended: on a real computer the end of the process
// ends its threads, asleep or not.
type power struct {
	mu     sync.Mutex
	off    bool
	asleep map[*sleeper]int // how many threads sleep there; only while it is on
}

// A Halted is what a thread panics with if it sleeps, or wants to sleep, on a lock
// or a note of a machine that has halted. Whoever started the thread recovers it.
type Halted struct{}

func (Halted) Error() string { return "the machine has halted" }

// Halt ends the threads that sleep on locks and notes of m or wait for its network, now
// or later: they panic with Halted. Threads that run go on until they would sleep. Any
// thread may call it, more than once. The sockets that m has of the host are closed.
//
// Under a Hook no thread sleeps in this way: the end of its threads is its matter.
func (m *Machine) Halt() {
	p := &m.power
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.off {
		return
	}
	p.off = true
	for s := range p.asleep {
		s.wake()
	}
	m.kernel.host.halt()
}

// sleep is s.sleep for a thread of m, which may be nil. It does not return once m
// has halted.
func (m *Machine) sleep(s *sleeper, ns int64) {
	if m == nil {
		s.sleep(ns)
		return
	}
	p := &m.power
	p.mu.Lock()
	if p.asleep == nil {
		p.asleep = map[*sleeper]int{}
	}
	p.asleep[s]++
	off := p.off // if not, Halt finds s
	p.mu.Unlock()
	if !off {
		s.sleep(ns)
	}
	p.mu.Lock()
	if p.asleep[s]--; p.asleep[s] == 0 {
		delete(p.asleep, s)
	}
	off = p.off
	p.mu.Unlock()
	if off {
		s.wake() // there may be others
		panic(Halted{})
	}
}
