// Package ch16 holds the netpoller of chapter 16. Until that chapter is reached its
// given form serves, which knows of no network.
package ch16

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Given is the form without a network: an M can sleep in it until the next timer.
var Given = gmp.Version{NetPoller: NewGiven}

// given is a poller with nothing to poll. Its other methods are absent.
type given struct {
	gmp.NetPoller
	note   machine.Note // the M that polls sleeps here; there is one at most
	broken machine.Bool // whoever makes it true signals the note, once
}

// NewGiven makes the given NetPoller.
func NewGiven(s *gmp.Sched) gmp.NetPoller {
	p := &given{NetPoller: gmp.None.NetPoller(s)}
	p.note.On(s.Machine)
	return p
}

// Netpoll waits until NetpollBreak, or for delay. A break that comes first is kept for
// the next call.
func (p *given) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	if delay == 0 {
		return gmp.GList{}
	}
	p.note.SleepTimeout(delay)
	if p.broken.Load() {
		p.note.Sleep() // the signal may be on its way still
		p.note.Clear()
		p.broken.Store(false) // only now another one may come
	}
	return gmp.GList{}
}

// NetpollBreak lets Netpoll return.
func (p *given) NetpollBreak() {
	if p.broken.CompareAndSwap(false, true) {
		p.note.Wakeup()
	}
}
