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
	threads.Add(1)
	go func() {
		defer threads.Add(-1)
		// Never unlocked, so the thread of the host ends with fn.
		runtime.LockOSThread()
		fn()
	}()
}

var threads atomic.Int64 // those of Newosproc, without a hook

// Threads returns how many threads there are that Newosproc has started, of all machines of the
// process, but for those of a hook.
func Threads() int { return int(threads.Load()) }

// A Signal is what one thread sends to another in order to interrupt the
// program that runs there, or the system call in which it sleeps. It is pending
// until the receiver clears it; signals do not add up. Each Thread has one. One
// that stands alone, such as the zero value in a model, interrupts nothing. It
// must not be copied.
//
// A thread takes a signal between two instructions of a program that it executes, at the
// next of the moments at which Run looks, or when it sleeps in a system call, and nowhere
// else. One that comes
// while the thread runs a part, or has no G, stays pending until then. A real
// signal interrupts the runtime's own code, too; there its handler finds that it
// is on g0 and may do nothing but return, and the request is found by the prologue
// of the G's next function. Here the parts are Go code of the host, which cannot
// be interrupted.
type Signal struct {
	tag
	pending atomic.Uint32
	thread  *Thread // whose it is; constant; nil for one that stands alone
}

// Send makes the signal pending: Run returns TrapSignal when it next looks, and a sleep in
// the kernel ends. Any thread may call it, with or
// without locks. The runtime's signalM.
//
// It is never lost on a thread that is about to sleep in the kernel. Send makes it
// pending first and then looks whether the thread sleeps; that one says first that
// it sleeps and then looks for a signal. So one of the two sees the other.
func (s *Signal) Send() {
	if watched && hook != nil {
		hook.Signal(s.touch())
	}
	s.pending.Store(1)
	if s.thread != nil {
		s.thread.interrupt()
	}
}

// Clear ends it. It reports whether the signal was pending. Only the receiver
// calls it.
func (s *Signal) Clear() (pending bool) {
	if !watched || hook == nil {
		return s.pending.Swap(0) != 0
	}
	id := s.touch()
	hook.Access(id, AccessSwap)
	was := s.pending.Swap(0)
	done(id, AccessSwap, num(was), num(uint32(0)), true)
	return was != 0
}

// isPending reports whether the signal is pending. Only the receiver calls it.
func (s *Signal) isPending() bool {
	if !watched || hook == nil {
		return s.pending.Load() != 0
	}
	id := s.touch()
	hook.Access(id, AccessLoad)
	is := s.pending.Load()
	done(id, AccessLoad, num(is), num(is), true)
	return is != 0
}
