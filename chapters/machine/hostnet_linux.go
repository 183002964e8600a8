package machine

import (
	"math"
	"sync/atomic"
	"syscall"
	"unsafe"
)

func newHostSocket() (fd int, err error) {
	return syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
}

func newHostPair() ([2]int, error) {
	return syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
}

func hostAccept(fd int) (int, error) {
	n, _, err := syscall.Accept4(fd, syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC)
	return n, err
}

// hostErrno returns the Errno of an error of package syscall.
func hostErrno(err error) Errno {
	if err == nil {
		return 0
	}
	if errno, ok := err.(syscall.Errno); ok {
		return Errno(errno) // the numbers are Linux's
	}
	return EIO
}

// hostRead and hostWrite do not wait, since all sockets are non-blocking. So Go's scheduler,
// below ours, need not know of them: once a thread of the machine has run for some time, it
// would otherwise take the thread's P at nearly every call, and wake another thread for it.
func hostRead(fd int, p []byte) (int, Errno) { return hostTransfer(syscall.SYS_READ, fd, p) }

func hostWrite(fd int, p []byte) (int, Errno) { return hostTransfer(syscall.SYS_WRITE, fd, p) }

func hostTransfer(call uintptr, fd int, p []byte) (int, Errno) {
	n, _, errno := syscall.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if errno != 0 {
		return -1, Errno(errno)
	}
	return int(n), 0
}

// A hostQueue is an epoll with an eventfd.
type hostQueue struct {
	epoll, event int
	spare        *atomic.Pointer[hostEvents] // for the next call of wait, so that it need not make any
}

// hostEvents are events as the host writes them.
type hostEvents [128]syscall.EpollEvent

func newHostQueue() (q hostQueue, err error) {
	q.spare = new(atomic.Pointer[hostEvents])
	if q.epoll, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		return q, err
	}
	event, _, errno := syscall.Syscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		syscall.Close(q.epoll)
		return q, errno
	}
	q.event = int(event)
	// Not edge-triggered: it is reported until unwake.
	if err = q.control(syscall.EPOLL_CTL_ADD, q.event, syscall.EPOLLIN, BreakData); err != nil {
		q.close()
	}
	return q, err
}

func (q hostQueue) control(op, fd int, events uint32, data uint64) error {
	return syscall.EpollCtl(q.epoll, op, fd, &syscall.EpollEvent{Events: events, Fd: int32(data), Pad: int32(data >> 32)})
}

func (q hostQueue) add(fd int, data uint64) error {
	const edge = 1 << 31 // EPOLLET, which package syscall has as a negative number
	return q.control(syscall.EPOLL_CTL_ADD, fd, PollIn|PollOut|PollRdhup|edge, data)
}

func (q hostQueue) del(fd int) error { return q.control(syscall.EPOLL_CTL_DEL, fd, 0, 0) }

func (q hostQueue) wait(events []PollEvent, ns int64) int {
	room := q.spare.Swap(nil)
	if room == nil {
		room = new(hostEvents)
	}
	defer q.spare.Store(room)
	for {
		n, errno := q.fetch(room[:min(len(events), len(room))], ns)
		if errno != syscall.EINTR {
			for i := range n {
				e := &room[i]
				events[i] = PollEvent{e.Events, uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32}
			}
			return n
		}
		if ns > 0 {
			return 0 // a signal of the host came; nobody knows how long ago
		}
	}
}

// fetch is epoll_wait. If it does not wait, Go's scheduler need not know of it.
func (q hostQueue) fetch(room []syscall.EpollEvent, ns int64) (int, syscall.Errno) {
	call := syscall.Syscall6
	if ns == 0 {
		call = syscall.RawSyscall6
	}
	n, _, errno := call(syscall.SYS_EPOLL_PWAIT, uintptr(q.epoll), uintptr(unsafe.Pointer(unsafe.SliceData(room))), uintptr(len(room)), uintptr(millis(ns)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// millis rounds up to milliseconds.
func millis(ns int64) int {
	switch {
	case ns < 0:
		return -1
	case ns > math.MaxInt32*1_000_000:
		return math.MaxInt32
	}
	return int((ns + 999_999) / 1_000_000)
}

func (q hostQueue) wake() {
	one := [8]byte{1}
	syscall.Write(q.event, one[:])
}

func (q hostQueue) unwake() {
	var count [8]byte
	syscall.Read(q.event, count[:])
}

func (q hostQueue) close() {
	syscall.Close(q.epoll)
	syscall.Close(q.event)
}
