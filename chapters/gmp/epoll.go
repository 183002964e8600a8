package gmp

import (
	"sync/atomic"

	"gosched/chapters/machine"
)

// A LateEpoll is an Epoll that is made when the program opens its first descriptor. Until
// then the M that waits does so on a note: a program without network pays nothing for it.
// It belongs to a NetPoller, and must not be copied.
type LateEpoll struct {
	s     *Sched
	epoll atomic.Pointer[machine.Epoll] // atomic, not of the machine: looking costs no simulated time
	init  machine.Mutex                 // of Open

	note   machine.Note // the M that polls sleeps here; there is one at most
	broken machine.Bool // whoever makes it true signals the note, once
}

// On says whose it is, before all other calls.
func (e *LateEpoll) On(s *Sched) {
	e.s = s
	e.note.On(s.Machine)
	e.init.Init("netpoll.init")
	e.init.On(s.Machine)
}

// Get returns the Epoll, nil before Make.
func (e *LateEpoll) Get() *machine.Epoll { return e.epoll.Load() }

// Once calls Netpollinit if there is no Epoll yet. Of several Ms that find none, one does.
func (e *LateEpoll) Once() {
	if e.Get() != nil {
		return
	}
	e.init.Lock()
	if e.Get() == nil {
		e.s.Netpollinit()
	}
	e.init.Unlock()
}

// Make makes the Epoll, and fetches the M that waits without it: it must wait there from
// now on. It reports whether the Epoll could be made. The caller must call NetpollBreak
// then: another M may have found no Epoll, and broken the sleep of one that was by then on
// its way from the note to the Epoll.
func (e *LateEpoll) Make() bool {
	ep, errno := e.s.Machine.NewEpoll()
	if errno != 0 {
		return false
	}
	e.epoll.Store(ep)
	e.BreakSleep()
	return true
}

// Sleep waits until BreakSleep, or for ns, for ever if ns is negative. A BreakSleep that
// comes first is kept for the next call. One M calls it at a time.
func (e *LateEpoll) Sleep(ns int64) {
	e.note.SleepTimeout(ns)
	if e.broken.Load() {
		e.note.Sleep() // the signal may be on its way still
		e.note.Clear()
		e.broken.Store(false) // only now another one may come
	}
}

// BreakSleep lets Sleep return. Any M may call it, with locks held.
func (e *LateEpoll) BreakSleep() {
	if e.broken.CompareAndSwap(false, true) {
		e.note.Wakeup()
	}
}
