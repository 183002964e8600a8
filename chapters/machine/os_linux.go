package machine

import "syscall"

// A thread of the host that lets go by way of Go's own scheduler, as with
// runtime.Gosched or time.Sleep, has to be woken again by another one, since its
// goroutine is locked to it. The system calls keep the two together.

func osyield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) } // it does not block

func usleep(us uint32) {
	t := syscall.NsecToTimespec(int64(us) * 1000)
	syscall.Nanosleep(&t, nil) // a signal may end it, which is early, but "about"
}
