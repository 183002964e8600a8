package machine

import (
	"errors"
	"math"
	"syscall"
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
	var errno syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &errno):
		return Errno(errno) // the numbers are Linux's
	}
	return EIO
}

// A hostQueue is an epoll with an eventfd.
type hostQueue struct{ epoll, event int }

func newHostQueue() (q hostQueue, err error) {
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
	var room [128]syscall.EpollEvent
	for {
		n, err := syscall.EpollWait(q.epoll, room[:min(len(events), len(room))], millis(ns))
		if err == nil || err != syscall.EINTR {
			for i := range max(0, n) {
				e := &room[i]
				events[i] = PollEvent{e.Events, uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32}
			}
			return max(0, n)
		}
		if ns > 0 {
			return 0 // a signal of the host came; nobody knows how long ago
		}
	}
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
