//go:build linux

package machine

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A sleeper is where one thread at a time waits to be woken: what is under Mutex
// and Note. Wakes do not add up, and a sleep may end without one, so the sleeper
// always looks again whether what it waits for has come.
//
// This one is a futex, the system call under the runtime's own notes on Linux:
// the thread sleeps in the kernel, and its goroutine with it. A goroutine that is
// locked to its thread and waits on a channel would be woken by way of Go's own
// scheduler, from another thread, which costs several times as much.
type sleeper struct {
	woken atomic.Uint32 // 1 from a wake until the sleep that it ends
}

// The operations of the futex call, on memory of this process only.
const (
	futexWait = 0 | 128
	futexWake = 1 | 128
)

// sleep returns after a wake that comes, or came since the last sleep; after ns
// nanoseconds if ns is not negative; or for no reason.
func (s *sleeper) sleep(ns int64) {
	var timeout *syscall.Timespec // nil: for ever
	if ns >= 0 {
		t := syscall.NsecToTimespec(ns)
		timeout = &t
	}
	// The kernel looks at the word once more, so a wake in between is not lost.
	// Errors say that it had come already, that the time is over, or that a
	// signal came: all are ends of the sleep.
	if s.woken.Load() == 0 {
		syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&s.woken)), futexWait, 0, uintptr(unsafe.Pointer(timeout)), 0, 0)
	}
	s.woken.Store(0)
}

// wake ends a sleep: one under way, or else the next.
func (s *sleeper) wake() {
	if s.woken.Swap(1) == 0 {
		syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&s.woken)), futexWake, 1, 0, 0, 0)
	}
}
