package machine

import (
	"runtime"
	"sync/atomic"
)

// Newosproc starts a thread of the host that executes fn and ends with it. The
// name is for reports. Any thread may call it. The runtime's newosproc.
func Newosproc(name string, fn func()) {
	if watched && hook != nil {
		hook.Thread(name, fn)
		return
	}
	go func() {
		// Never unlocked, so the thread of the host ends with fn.
		runtime.LockOSThread()
		fn()
	}()
}

// A Signal is what one thread sends to another in order to interrupt the
// program that runs there. It is pending until the receiver clears it; signals
// do not add up. The zero value is not pending; it must not be copied.
type Signal struct {
	tag
	pending atomic.Uint32
}

// Send makes the signal pending: Run with s.Pending returns TrapSignal before
// its next instruction. Any thread may call it. The runtime's signalM.
func (s *Signal) Send() {
	if watched && hook != nil {
		hook.Signal(s.touch())
	}
	s.pending.Store(1)
}

// Clear ends it. It reports whether the signal was pending. Only the receiver
// calls it.
func (s *Signal) Clear() (pending bool) {
	if hook == nil {
		return s.pending.Swap(0) != 0
	}
	h, id := hook, s.touch()
	h.Access(id, AccessSwap)
	was := s.pending.Swap(0)
	h.Done(id, AccessSwap, num(was), num(uint32(0)), true)
	return was != 0
}

// Pending is the word to give to Run.
func (s *Signal) Pending() *atomic.Uint32 { return &s.pending }
