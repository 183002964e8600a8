package machine

import "sync/atomic"

// A Note is where one thread sleeps until another wakes it, once: the runtime's
// note. The order does not matter: a wake-up that comes first is kept. Before
// it can be used again, Clear must be called, after Sleep has returned and
// before any thread may call Wakeup. One thread at most sleeps; one wakes it. The
// zero value is clear; a Note must not be copied.
type Note struct {
	tag
	state atomic.Uint32
	wait  sleeper
	m     *Machine // see On
}

const (
	noteClear = iota
	noteSleeping
	noteSignalled
)

// On says that the note belongs to m: when m halts, a thread that sleeps on it ends. It may
// be called only while no other thread uses the note.
func (n *Note) On(m *Machine) { n.m = m }

// Sleep returns when Wakeup has been called since the last Clear. The runtime's
// notesleep.
func (n *Note) Sleep() { n.SleepTimeout(-1) }

// SleepTimeout is Sleep for at most ns nanoseconds. It reports whether Wakeup
// was called. A negative ns is for ever. The runtime's notetsleep.
func (n *Note) SleepTimeout(ns int64) (woken bool) {
	if watched && hook != nil {
		return hook.NoteSleep(n.touch(), ns)
	}
	if !n.state.CompareAndSwap(noteClear, noteSleeping) {
		if n.state.Load() == noteSleeping {
			throw("notesleep - two threads sleep on one note")
		}
		return true
	}
	end := Nanotime() + ns
	for n.state.Load() != noteSignalled {
		left := int64(-1)
		if ns >= 0 {
			if left = end - Nanotime(); left <= 0 {
				return !n.state.CompareAndSwap(noteSleeping, noteClear)
			}
		}
		n.m.sleep(&n.wait, left)
	}
	return true
}

// Wakeup wakes the sleeper, or lets the next Sleep return at once. A second
// Wakeup before Clear is a Fatal. The runtime's notewakeup.
func (n *Note) Wakeup() {
	if watched && hook != nil {
		if !hook.NoteWakeup(n.touch()) {
			throw("notewakeup - double wakeup")
		}
		return
	}
	switch n.state.Swap(noteSignalled) {
	case noteSignalled:
		throw("notewakeup - double wakeup")
	case noteSleeping:
		n.wait.wake()
	}
}

// Clear makes the note ready for the next Sleep and Wakeup. The runtime's
// noteclear.
func (n *Note) Clear() {
	if watched && hook != nil {
		hook.NoteClear(n.touch())
		return
	}
	n.state.Store(noteClear)
}
