//go:build gosched

package os

import (
	"io"
	"io/fs"
	"sync/atomic"
	"syscall"
)

// write is how package fmt writes, too: the scheduler writes itself.
func write(fd int, s string) int

// A PathError is an error with the operation and the file that it belongs to.
type PathError = fs.PathError

// The kinds of errors, for errors.Is.
var (
	ErrInvalid    = fs.ErrInvalid
	ErrPermission = fs.ErrPermission
	ErrExist      = fs.ErrExist
	ErrNotExist   = fs.ErrNotExist
	ErrClosed     = fs.ErrClosed
)

// ErrDeadlineExceeded says that a deadline has passed. Package internal/sentinel sets it.
var ErrDeadlineExceeded error

// A File is open, until it is closed. Goroutines may use it together. A call that has
// begun is not ended by Close: nothing waits for files but threads.
type File struct {
	fd       int
	name     string
	closed   atomic.Bool
	standard bool // output or error of the program
}

var (
	Stdin  = &File{fd: 0, name: "/dev/stdin"}
	Stdout = &File{fd: 1, name: "/dev/stdout", standard: true}
	Stderr = &File{fd: 2, name: "/dev/stderr", standard: true}
)

// Open opens a file for reading.
func Open(name string) (*File, error) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &PathError{Op: "open", Path: name, Err: err}
	}
	return &File{fd: fd, name: name}, nil
}

// Pipe returns the two ends of a pipe: what is written to w can be read from r.
func Pipe() (r, w *File, err error) {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		return nil, nil, &SyscallError{"pipe2", err}
	}
	return &File{fd: p[0], name: "|0"}, &File{fd: p[1], name: "|1"}, nil
}

// A SyscallError is the error of a system call, with its name.
type SyscallError struct {
	Syscall string
	Err     error
}

func (e *SyscallError) Error() string { return e.Syscall + ": " + e.Err.Error() }
func (e *SyscallError) Unwrap() error { return e.Err }

// Timeout reports whether it was the time that had passed.
func (e *SyscallError) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// NewSyscallError is a SyscallError, nil if err is nil.
func NewSyscallError(call string, err error) error {
	if err == nil {
		return nil
	}
	return &SyscallError{call, err}
}

// ReadFile returns what is in a file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Name returns the name with which f was opened.
func (f *File) Name() string { return f.name }

// check returns the error of a use of f that cannot be.
func (f *File) check(op string) error {
	if f == nil {
		return ErrInvalid
	}
	if f.closed.Load() {
		return &PathError{Op: op, Path: f.name, Err: ErrClosed}
	}
	return nil
}

// failed is the error of a call.
func (f *File) failed(op string, err error) error {
	if err == nil {
		return nil
	}
	return &PathError{Op: op, Path: f.name, Err: err}
}

// Read reads up to len(p) bytes. At the end it returns 0 and io.EOF.
func (f *File) Read(p []byte) (n int, err error) {
	if err := f.check("read"); err != nil {
		return 0, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	n, err = syscall.Read(f.fd, p)
	switch {
	case err != nil:
		return 0, f.failed("read", err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write writes p, all of it unless there is an error.
func (f *File) Write(p []byte) (n int, err error) {
	if err := f.check("write"); err != nil {
		return 0, err
	}
	if f.standard {
		return write(f.fd, string(p)), nil
	}
	for n < len(p) {
		took, err := syscall.Write(f.fd, p[n:])
		if err != nil {
			return n, f.failed("write", err)
		}
		n += took
	}
	return n, nil
}

// WriteString is Write for a string.
func (f *File) WriteString(s string) (n int, err error) {
	if f != nil && f.standard && !f.closed.Load() {
		return write(f.fd, s), nil
	}
	return f.Write([]byte(s))
}

// Close closes f.
func (f *File) Close() error {
	if f == nil {
		return ErrInvalid
	}
	if !f.closed.CompareAndSwap(false, true) {
		return &PathError{Op: "close", Path: f.name, Err: ErrClosed}
	}
	return f.failed("close", syscall.Close(f.fd))
}
