//go:build gosched

package syscall

import "io/fs"

// An Errno is why a system call failed. It is an error; 0 is none.
type Errno uintptr

const (
	EPERM      Errno = 1
	ENOENT     Errno = 2
	EINTR      Errno = 4
	EIO        Errno = 5
	ENXIO      Errno = 6
	EBADF      Errno = 9
	ECHILD     Errno = 10
	EAGAIN     Errno = 11
	ENOMEM     Errno = 12
	EACCES     Errno = 13
	EFAULT     Errno = 14
	EEXIST     Errno = 17
	ENOTDIR    Errno = 20
	EISDIR     Errno = 21
	EINVAL     Errno = 22
	ENFILE     Errno = 23
	EMFILE     Errno = 24
	ENOSPC     Errno = 28
	ESPIPE     Errno = 29
	EROFS      Errno = 30
	EPIPE      Errno = 32
	ENOSYS     Errno = 38
	ENOTEMPTY  Errno = 39
	EOPNOTSUPP Errno = 95
	ETIMEDOUT  Errno = 110

	ENOTSOCK      Errno = 88
	EADDRINUSE    Errno = 98
	EADDRNOTAVAIL Errno = 99
	ENETUNREACH   Errno = 101
	ECONNABORTED  Errno = 103
	ECONNRESET    Errno = 104
	EISCONN       Errno = 106
	ENOTCONN      Errno = 107
	ECONNREFUSED  Errno = 111
	EALREADY      Errno = 114
	EINPROGRESS   Errno = 115

	EWOULDBLOCK = EAGAIN
	ENOTSUP     = EOPNOTSUPP
)

func (e Errno) Error() string {
	switch e {
	case EPERM:
		return "operation not permitted"
	case ENOENT:
		return "no such file or directory"
	case EINTR:
		return "interrupted system call"
	case EIO:
		return "input/output error"
	case ENXIO:
		return "no such device or address"
	case EBADF:
		return "bad file descriptor"
	case ECHILD:
		return "no child processes"
	case EAGAIN:
		return "resource temporarily unavailable"
	case ENOMEM:
		return "cannot allocate memory"
	case EACCES:
		return "permission denied"
	case EFAULT:
		return "bad address"
	case EEXIST:
		return "file exists"
	case ENOTDIR:
		return "not a directory"
	case EISDIR:
		return "is a directory"
	case EINVAL:
		return "invalid argument"
	case ENFILE:
		return "too many open files in system"
	case EMFILE:
		return "too many open files"
	case ENOSPC:
		return "no space left on device"
	case ESPIPE:
		return "illegal seek"
	case EROFS:
		return "read-only file system"
	case EPIPE:
		return "broken pipe"
	case ENOSYS:
		return "function not implemented"
	case ENOTEMPTY:
		return "directory not empty"
	case EOPNOTSUPP:
		return "operation not supported"
	case ETIMEDOUT:
		return "connection timed out"
	case ENOTSOCK:
		return "socket operation on non-socket"
	case EADDRINUSE:
		return "address already in use"
	case EADDRNOTAVAIL:
		return "cannot assign requested address"
	case ENETUNREACH:
		return "network is unreachable"
	case ECONNABORTED:
		return "software caused connection abort"
	case ECONNRESET:
		return "connection reset by peer"
	case EISCONN:
		return "transport endpoint is already connected"
	case ENOTCONN:
		return "transport endpoint is not connected"
	case ECONNREFUSED:
		return "connection refused"
	case EALREADY:
		return "operation already in progress"
	case EINPROGRESS:
		return "operation now in progress"
	}
	return "errno " + decimal(e)
}

func decimal(e Errno) string {
	if e < 10 {
		return string(rune('0' + e))
	}
	return decimal(e/10) + string(rune('0'+e%10))
}

// Is reports whether e is one of the kinds of errors that package os names.
func (e Errno) Is(target error) bool {
	switch target {
	case fs.ErrPermission:
		return e == EACCES || e == EPERM
	case fs.ErrExist:
		return e == EEXIST || e == ENOTEMPTY
	case fs.ErrNotExist:
		return e == ENOENT
	}
	return false
}

// Temporary and Timeout report whether it may go better the next time.
func (e Errno) Temporary() bool {
	return e == EINTR || e == EMFILE || e == ENFILE || e == ECONNRESET || e == ECONNABORTED || e.Timeout()
}
func (e Errno) Timeout() bool { return e == EAGAIN || e == ETIMEDOUT }
