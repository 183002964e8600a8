//go:build gosched

package syscall

// The machine's kernel knows these numbers; see machine/kernel.go.
const (
	sysSocket      = 41
	sysConnect     = 42
	sysAccept      = 43
	sysShutdown    = 48
	sysBind        = 49
	sysListen      = 50
	sysGetsockname = 51
	sysGetpeername = 52
	sysSockError   = 55
)

func socketCall(num int, fd, a, _ int) (r int, errno Errno)

// What Shutdown ends.
const (
	SHUT_RD   = 0
	SHUT_WR   = 1
	SHUT_RDWR = 2
)

// SOMAXCONN is how many connections may wait to be accepted.
const SOMAXCONN = 4096

// A SockAddr is an IPv4 address and a port, in one word: address<<16 | port. The functions
// below are those of the real package for stream sockets of that family, with simpler
// arguments. None of them waits.
type SockAddr int

// Socket makes a stream socket. It returns -1 with an error, as does Accept.
func Socket() (fd int, err error) {
	r, errno := socketCall(sysSocket, 0, 0, 0)
	return r, result(errno)
}

// Connect begins to connect fd. EINPROGRESS says that it has.
func Connect(fd int, to SockAddr) error {
	_, errno := socketCall(sysConnect, fd, int(to), 0)
	return result(errno)
}

// Accept returns the next connection of a socket that listens; EAGAIN if there is none.
func Accept(fd int) (nfd int, err error) {
	r, errno := socketCall(sysAccept, fd, 0, 0)
	return r, result(errno)
}

// Shutdown ends one direction of a connection, or both.
func Shutdown(fd, how int) error {
	_, errno := socketCall(sysShutdown, fd, how, 0)
	return result(errno)
}

// Bind gives fd its address.
func Bind(fd int, a SockAddr) error {
	_, errno := socketCall(sysBind, fd, int(a), 0)
	return result(errno)
}

// Listen lets connections come in.
func Listen(fd, backlog int) error {
	_, errno := socketCall(sysListen, fd, backlog, 0)
	return result(errno)
}

// Getsockname and Getpeername return the addresses of the two ends.
func Getsockname(fd int) (SockAddr, error) {
	r, errno := socketCall(sysGetsockname, fd, 0, 0)
	return SockAddr(r), result(errno)
}

func Getpeername(fd int) (SockAddr, error) {
	r, errno := socketCall(sysGetpeername, fd, 0, 0)
	return SockAddr(r), result(errno)
}

// SocketError returns what went wrong with fd since it was asked last: SO_ERROR.
func SocketError(fd int) error {
	r, errno := socketCall(sysSockError, fd, 0, 0)
	if errno != 0 {
		return errno
	}
	return result(Errno(r))
}
