package machine

import (
	"runtime"
	"sync/atomic"
	"syscall"
)

// A thread of the host that lets go by way of Go's own scheduler, as with
// runtime.Gosched or time.Sleep, has to be woken again by another one, since its
// goroutine is locked to it. The system calls keep the two together.

// osyield lets other threads run, among those that the host lets run at all.
func osyield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) } // it does not block

// After how many calls yieldAll lets go by way of Go's scheduler.
const yieldsPerGosched = 8

var yields atomic.Uint32 // calls of yieldAll

// yieldAll is osyield for whoever waits in a loop. There may be more threads than Go's scheduler
// has Ps, and the one that is waited for may have none. Go's scheduler does not notice osyield,
// and it can hardly stop a thread that does little else: a signal does not stop code within a
// system call.
func yieldAll() {
	if yields.Add(1)%yieldsPerGosched == 0 {
		runtime.Gosched()
	} else {
		osyield()
	}
}

func usleep(us uint32) {
	t := syscall.NsecToTimespec(int64(us) * 1000)
	syscall.Nanosleep(&t, nil) // a signal may end it, which is early, but "about"
}
