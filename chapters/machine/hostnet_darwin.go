package machine

import (
	"errors"
	"sync"
	"syscall"
)

func newHostSocket() (fd int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return prepared(syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0))
}

func newHostPair() (fds [2]int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if fds, err = syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err != nil {
		return fds, err
	}
	if _, err = prepared(fds[0], nil); err != nil {
		syscall.Close(fds[1])
		return fds, err
	}
	if _, err = prepared(fds[1], nil); err != nil {
		syscall.Close(fds[0])
	}
	return fds, err
}

func hostAccept(fd int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	n, _, err := syscall.Accept(fd)
	return prepared(n, err)
}

// prepared makes a new descriptor one that does not wait and that no other process gets.
func prepared(fd int, err error) (int, error) {
	if err != nil {
		return -1, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		syscall.Close(fd)
		return -1, err
	}
	return fd, nil
}

// linuxErrno has the numbers of Linux for those of macOS, where they differ.
var linuxErrno = map[syscall.Errno]Errno{
	syscall.EAGAIN: EAGAIN, syscall.EADDRINUSE: EADDRINUSE, syscall.EADDRNOTAVAIL: EADDRNOTAVAIL,
	syscall.ENETUNREACH: ENETUNREACH, syscall.ECONNABORTED: ECONNABORTED, syscall.ECONNRESET: ECONNRESET,
	syscall.EISCONN: EISCONN, syscall.ENOTCONN: ENOTCONN, syscall.ETIMEDOUT: ETIMEDOUT,
	syscall.ECONNREFUSED: ECONNREFUSED, syscall.EALREADY: EALREADY, syscall.EINPROGRESS: EINPROGRESS,
	syscall.ENOTSOCK: ENOTSOCK, syscall.ENOSYS: ENOSYS, syscall.EOPNOTSUPP: EOPNOTSUPP,
}

// hostRead and hostWrite do not wait, since all sockets are non-blocking.
func hostRead(fd int, p []byte) (int, Errno) {
	n, err := syscall.Read(fd, p)
	return n, hostErrno(err)
}

func hostWrite(fd int, p []byte) (int, Errno) {
	n, err := syscall.Write(fd, p)
	return n, hostErrno(err)
}

// hostErrno returns the Errno of an error of package syscall.
func hostErrno(err error) Errno {
	var errno syscall.Errno
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &errno):
		return EIO
	}
	if n, ok := linuxErrno[errno]; ok {
		return n
	}
	if errno < 35 {
		return Errno(errno) // the old ones are the same everywhere
	}
	return EIO
}

// A hostQueue is a kqueue, with a user event for wake. That event is not reset when it is
// reported, so each wait finds it until unwake.
type hostQueue struct {
	kq   int
	data *sync.Map // by descriptor: the kqueue itself has room for an address only
}

const wakeIdent = 1

func newHostQueue() (q hostQueue, err error) {
	q.data = new(sync.Map)
	if q.kq, err = syscall.Kqueue(); err != nil {
		return q, err
	}
	syscall.CloseOnExec(q.kq)
	if err = q.change(event(wakeIdent, syscall.EVFILT_USER, syscall.EV_ADD)); err != nil {
		q.close()
	}
	return q, err
}

func event(ident int, filter int16, flags uint16) syscall.Kevent_t {
	return syscall.Kevent_t{Ident: uint64(ident), Filter: filter, Flags: flags}
}

func (q hostQueue) change(events ...syscall.Kevent_t) error {
	_, err := syscall.Kevent(q.kq, events, nil, nil)
	return err
}

func (q hostQueue) add(fd int, data uint64) error {
	q.data.Store(fd, data)
	return q.change(
		event(fd, syscall.EVFILT_READ, syscall.EV_ADD|syscall.EV_CLEAR),
		event(fd, syscall.EVFILT_WRITE, syscall.EV_ADD|syscall.EV_CLEAR))
}

func (q hostQueue) del(fd int) error {
	return q.change(
		event(fd, syscall.EVFILT_READ, syscall.EV_DELETE),
		event(fd, syscall.EVFILT_WRITE, syscall.EV_DELETE))
}

func (q hostQueue) wait(events []PollEvent, ns int64) int {
	var room [128]syscall.Kevent_t
	var timeout *syscall.Timespec // nil: for ever
	if ns >= 0 {
		t := syscall.NsecToTimespec(ns)
		timeout = &t
	}
	for {
		n, err := syscall.Kevent(q.kq, nil, room[:min(len(events), len(room))], timeout)
		if err != nil && err == syscall.EINTR && ns < 0 {
			continue
		}
		got := 0
		for _, e := range room[:max(0, n)] {
			if e.Filter == syscall.EVFILT_USER {
				events[got] = PollEvent{PollIn, BreakData}
				got++
				continue
			}
			data, ok := q.data.Load(int(e.Ident))
			if !ok {
				continue
			}
			is := PollEvent{Data: data.(uint64)}
			switch e.Filter {
			case syscall.EVFILT_READ:
				is.Events = PollIn
				if e.Flags&syscall.EV_EOF != 0 {
					is.Events |= PollRdhup
				}
			case syscall.EVFILT_WRITE:
				is.Events = PollOut
				if e.Flags&syscall.EV_EOF != 0 {
					is.Events |= PollHup // whoever reads has to look, too
				}
			}
			events[got] = is
			got++
		}
		return got
	}
}

func (q hostQueue) wake() {
	e := event(wakeIdent, syscall.EVFILT_USER, 0)
	e.Fflags = syscall.NOTE_TRIGGER
	q.change(e)
}

func (q hostQueue) unwake() {
	q.change(event(wakeIdent, syscall.EVFILT_USER, syscall.EV_DELETE), event(wakeIdent, syscall.EVFILT_USER, syscall.EV_ADD))
}

func (q hostQueue) close() { syscall.Close(q.kq) }
