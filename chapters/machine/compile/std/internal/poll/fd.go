//go:build gosched

// Package poll is descriptors for which a goroutine waits without keeping a thread: it
// tries, and if it would have to wait it asks the scheduler to wake it.
package poll

import (
	"internal/oserror"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// The scheduler's poller. A descriptor is a number; mode is 'r', 'w', or 'r'+'w' for a
// deadline. The code is one of those below.
func runtime_pollOpen(fd int) (pd uint64, errno int)
func runtime_pollClose(pd uint64)
func runtime_pollReset(pd uint64, mode int) (code int)
func runtime_pollWait(pd uint64, mode int) (code int)
func runtime_pollSetDeadline(pd uint64, d int64, mode int)
func runtime_pollUnblock(pd uint64)

// The scheduler's codes: gmp.PollError.
const (
	pollNoError        = 0
	pollErrClosing     = 1
	pollErrTimeout     = 2
	pollErrNotPollable = 3
)

type netClosing struct{}

func (netClosing) Error() string   { return "use of closed network connection" }
func (netClosing) Timeout() bool   { return false }
func (netClosing) Temporary() bool { return false }

// ErrNetClosing is a use of a descriptor that is closed.
var ErrNetClosing error = netClosing{}

// ErrDeadlineExceeded says that a deadline has passed.
var ErrDeadlineExceeded = oserror.ErrDeadlineExceeded

type notPollable struct{}

func (notPollable) Error() string { return "not pollable" }

// An FD is a descriptor. Goroutines may use it together. One of them reads and one writes
// at a time; the others wait for those.
type FD struct {
	Sysfd int
	pd    uint64 // the poller's number for it

	refs    atomic.Int64 // ref for each call that uses Sysfd, and one more until Close; closing since then
	reading sync.Mutex
	writing sync.Mutex
}

const (
	closing = 1
	ref     = 2
)

// Init makes fd ready for use with the poller.
func (fd *FD) Init() error {
	pd, errno := runtime_pollOpen(fd.Sysfd)
	if errno != 0 {
		return syscall.Errno(errno)
	}
	fd.pd = pd
	fd.refs.Store(ref)
	return nil
}

// incref keeps Sysfd open until decref. It fails if fd is closed.
func (fd *FD) incref() error {
	for {
		refs := fd.refs.Load()
		if refs&closing != 0 {
			return ErrNetClosing
		}
		if fd.refs.CompareAndSwap(refs, refs+ref) {
			return nil
		}
	}
}

// decref lets the last one close the descriptor: as long as another call uses it, its
// number must not become that of another file.
func (fd *FD) decref() error {
	if fd.refs.Add(-ref) != closing {
		return nil
	}
	runtime_pollClose(fd.pd)
	return syscall.Close(fd.Sysfd)
}

// Close closes fd. Whoever waits for it gets ErrNetClosing.
func (fd *FD) Close() error {
	for {
		refs := fd.refs.Load()
		if refs&closing != 0 {
			return ErrNetClosing
		}
		if fd.refs.CompareAndSwap(refs, refs|closing) {
			break
		}
	}
	runtime_pollUnblock(fd.pd)
	return fd.decref()
}

func failed(code int) error {
	switch code {
	case pollNoError:
		return nil
	case pollErrClosing:
		return ErrNetClosing
	case pollErrTimeout:
		return ErrDeadlineExceeded
	}
	return notPollable{}
}

// begin begins a call for mode, which is one at a time.
func (fd *FD) begin(one *sync.Mutex, mode int) error {
	if err := fd.incref(); err != nil {
		return err
	}
	one.Lock()
	if err := failed(runtime_pollReset(fd.pd, mode)); err != nil {
		fd.end(one)
		return err
	}
	return nil
}

func (fd *FD) end(one *sync.Mutex) {
	one.Unlock()
	fd.decref()
}

// Read reads into p. At the end it is io.EOF.
func (fd *FD) Read(p []byte) (int, error) {
	if err := fd.begin(&fd.reading, 'r'); err != nil {
		return 0, err
	}
	n, err := fd.read(p)
	fd.end(&fd.reading)
	return n, err
}

func (fd *FD) read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		n, err := syscall.Read(fd.Sysfd, p)
		switch {
		case err == syscall.EAGAIN:
			if err := failed(runtime_pollWait(fd.pd, 'r')); err != nil {
				return 0, err
			}
		case err == syscall.EINTR:
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write writes all of p, unless there is an error.
func (fd *FD) Write(p []byte) (int, error) {
	if err := fd.begin(&fd.writing, 'w'); err != nil {
		return 0, err
	}
	done, err := fd.write(p)
	fd.end(&fd.writing)
	return done, err
}

func (fd *FD) write(p []byte) (done int, err error) {
	for {
		n, err := syscall.Write(fd.Sysfd, p[done:])
		if n > 0 {
			done += n
		}
		switch {
		case err == syscall.EAGAIN:
			if err := failed(runtime_pollWait(fd.pd, 'w')); err != nil {
				return done, err
			}
		case err == syscall.EINTR:
		case err != nil:
			return done, err
		case done == len(p):
			return done, nil
		}
	}
}

// Accept returns the descriptor of the next connection.
func (fd *FD) Accept() (nfd int, call string, err error) {
	if err := fd.begin(&fd.reading, 'r'); err != nil {
		return -1, "", err
	}
	defer fd.end(&fd.reading)
	for {
		nfd, err := syscall.Accept(fd.Sysfd)
		switch err {
		case nil:
			return nfd, "", nil
		case syscall.EAGAIN:
			if err := failed(runtime_pollWait(fd.pd, 'r')); err != nil {
				return -1, "", err
			}
		case syscall.EINTR, syscall.ECONNABORTED: // it has gone before it was accepted
		default:
			return -1, "accept4", err
		}
	}
}

// WaitWrite waits until fd can be written to: until a connect has ended.
func (fd *FD) WaitWrite() error {
	if err := fd.incref(); err != nil {
		return err
	}
	defer fd.decref()
	return failed(runtime_pollWait(fd.pd, 'w'))
}

// Shutdown ends a direction of the connection.
func (fd *FD) Shutdown(how int) error {
	if err := fd.incref(); err != nil {
		return err
	}
	defer fd.decref()
	return syscall.Shutdown(fd.Sysfd, how)
}

// SetDeadline sets the deadline for reads and writes, SetReadDeadline and SetWriteDeadline
// for one of them. The zero Time is none.
func (fd *FD) SetDeadline(t time.Time) error      { return fd.setDeadline(t, 'r'+'w') }
func (fd *FD) SetReadDeadline(t time.Time) error  { return fd.setDeadline(t, 'r') }
func (fd *FD) SetWriteDeadline(t time.Time) error { return fd.setDeadline(t, 'w') }

func (fd *FD) setDeadline(t time.Time, mode int) error {
	d := int64(0)
	if !t.IsZero() {
		if d = int64(time.Until(t)); d <= 0 {
			d = -1
		}
	}
	if err := fd.incref(); err != nil {
		return err
	}
	defer fd.decref()
	runtime_pollSetDeadline(fd.pd, d, mode)
	return nil
}
