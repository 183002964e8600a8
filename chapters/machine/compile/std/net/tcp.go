//go:build gosched

package net

import (
	"internal/poll"
	"io"
	"os"
	"syscall"
	"time"
)

// A netFD is a socket with its addresses.
type netFD struct {
	pfd           poll.FD
	local, remote *TCPAddr
}

// newFD makes a netFD of a descriptor, or closes it.
func newFD(sysfd int) (*netFD, error) {
	fd := &netFD{}
	fd.pfd.Sysfd = sysfd
	if err := fd.pfd.Init(); err != nil {
		syscall.Close(sysfd)
		return nil, err
	}
	return fd, nil
}

// named notes the addresses of both ends.
func (fd *netFD) named() {
	if a, err := syscall.Getsockname(fd.pfd.Sysfd); err == nil {
		fd.local = tcpAddr(a)
	}
	if a, err := syscall.Getpeername(fd.pfd.Sysfd); err == nil {
		fd.remote = tcpAddr(a)
	}
}

// addrOf is a as an Addr, which is nil if a is.
func addrOf(a *TCPAddr) Addr {
	if a == nil {
		return nil
	}
	return a
}

// wrap says which system call has failed, if one has.
func wrap(call string, err error) error {
	if _, ok := err.(syscall.Errno); ok {
		return os.NewSyscallError(call, err)
	}
	return err
}

// A TCPConn is a connection over TCP.
type TCPConn struct{ fd *netFD }

func (c *TCPConn) ok() bool { return c != nil && c.fd != nil }

// failed is the error of an operation.
func (c *TCPConn) failed(op string, err error) error {
	return &OpError{Op: op, Net: "tcp", Source: addrOf(c.fd.local), Addr: addrOf(c.fd.remote), Err: err}
}

// Read reads into b. At the end it is io.EOF.
func (c *TCPConn) Read(b []byte) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err := c.fd.pfd.Read(b)
	if err != nil && err != io.EOF {
		err = c.failed("read", wrap("read", err))
	}
	return n, err
}

// Write writes all of b, unless there is an error.
func (c *TCPConn) Write(b []byte) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err := c.fd.pfd.Write(b)
	if err != nil {
		err = c.failed("write", wrap("write", err))
	}
	return n, err
}

// Close ends the connection.
func (c *TCPConn) Close() error {
	if !c.ok() {
		return syscall.EINVAL
	}
	if err := c.fd.pfd.Close(); err != nil {
		return c.failed("close", err)
	}
	return nil
}

func (c *TCPConn) shutdown(how int) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	if err := c.fd.pfd.Shutdown(how); err != nil {
		return c.failed("close", wrap("shutdown", err))
	}
	return nil
}

// CloseWrite says that no more will be written; CloseRead, that no more will be read.
func (c *TCPConn) CloseWrite() error { return c.shutdown(syscall.SHUT_WR) }
func (c *TCPConn) CloseRead() error  { return c.shutdown(syscall.SHUT_RD) }

func (c *TCPConn) LocalAddr() Addr {
	if !c.ok() {
		return nil
	}
	return addrOf(c.fd.local)
}

func (c *TCPConn) RemoteAddr() Addr {
	if !c.ok() {
		return nil
	}
	return addrOf(c.fd.remote)
}

func (c *TCPConn) deadline(err error) error {
	if err != nil {
		return &OpError{Op: "set", Net: "tcp", Addr: addrOf(c.fd.local), Err: err}
	}
	return nil
}

func (c *TCPConn) SetDeadline(t time.Time) error { return c.deadline(c.fd.pfd.SetDeadline(t)) }
func (c *TCPConn) SetReadDeadline(t time.Time) error {
	return c.deadline(c.fd.pfd.SetReadDeadline(t))
}
func (c *TCPConn) SetWriteDeadline(t time.Time) error {
	return c.deadline(c.fd.pfd.SetWriteDeadline(t))
}

// SetNoDelay and SetKeepAlive do nothing: what is written is sent at once, and nothing is sent
// to find out whether the other end still lives.
func (c *TCPConn) SetNoDelay(noDelay bool) error     { return nil }
func (c *TCPConn) SetKeepAlive(keepalive bool) error { return nil }

// A TCPListener is where connections over TCP come in.
type TCPListener struct{ fd *netFD }

// Listen lets connections come in at an address of this computer. Port 0 is one that is
// free.
func Listen(network, address string) (Listener, error) {
	a, err := resolve(network, address)
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Err: err}
	}
	l, err := listen(a)
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Addr: a, Err: err}
	}
	return l, nil
}

// ListenTCP is Listen.
func ListenTCP(network string, laddr *TCPAddr) (*TCPListener, error) {
	if laddr == nil {
		laddr = &TCPAddr{}
	}
	l, err := listen(laddr)
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Addr: laddr, Err: err}
	}
	return l, nil
}

func listen(a *TCPAddr) (*TCPListener, error) {
	s, err := syscall.Socket()
	if err != nil {
		return nil, wrap("socket", err)
	}
	call := "bind"
	if err = syscall.Bind(s, a.sockAddr()); err == nil {
		call, err = "listen", syscall.Listen(s, syscall.SOMAXCONN)
	}
	if err == syscall.EADDRINUSE {
		call = "bind" // whichever of the two the kernel chose
	}
	if err != nil {
		syscall.Close(s)
		return nil, wrap(call, err)
	}
	fd, err := newFD(s)
	if err != nil {
		return nil, err
	}
	fd.named()
	return &TCPListener{fd}, nil
}

// Accept waits for the next connection.
func (l *TCPListener) Accept() (Conn, error) {
	c, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return c, nil
}

// AcceptTCP is Accept.
func (l *TCPListener) AcceptTCP() (*TCPConn, error) {
	s, call, err := l.fd.pfd.Accept()
	if err != nil {
		return nil, &OpError{Op: "accept", Net: "tcp", Addr: l.fd.local, Err: wrap(call, err)}
	}
	fd, err := newFD(s)
	if err != nil {
		return nil, &OpError{Op: "accept", Net: "tcp", Addr: l.fd.local, Err: err}
	}
	fd.named()
	return &TCPConn{fd}, nil
}

// Close lets no more connections come in. Accept returns with ErrClosed.
func (l *TCPListener) Close() error {
	if err := l.fd.pfd.Close(); err != nil {
		return &OpError{Op: "close", Net: "tcp", Addr: l.fd.local, Err: err}
	}
	return nil
}

func (l *TCPListener) Addr() Addr { return addrOf(l.fd.local) }

// SetDeadline sets the time from which on Accept fails.
func (l *TCPListener) SetDeadline(t time.Time) error {
	if err := l.fd.pfd.SetDeadline(t); err != nil {
		return &OpError{Op: "set", Net: "tcp", Addr: l.fd.local, Err: err}
	}
	return nil
}

// A Dialer connects. Its zero value waits as long as it takes.
type Dialer struct {
	Timeout  time.Duration // 0 for none
	Deadline time.Time     // the zero Time for none
}

// Dial connects to an address.
func Dial(network, address string) (Conn, error) { return (&Dialer{}).Dial(network, address) }

// DialTimeout is Dial, but for no longer than timeout.
func DialTimeout(network, address string, timeout time.Duration) (Conn, error) {
	return (&Dialer{Timeout: timeout}).Dial(network, address)
}

// Dial connects to an address.
func (d *Dialer) Dial(network, address string) (Conn, error) {
	a, err := resolve(network, address)
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Err: err}
	}
	until := d.Deadline
	if d.Timeout != 0 {
		if t := time.Now().Add(d.Timeout); until.IsZero() || t.Before(until) {
			until = t
		}
	}
	if len(a.IP) == 0 {
		a.IP = IPv4(127, 0, 0, 1)
	}
	c, err := dial(a, until)
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Addr: a, Err: err}
	}
	return c, nil
}

// DialTCP is Dial. laddr is not used.
func DialTCP(network string, laddr, raddr *TCPAddr) (*TCPConn, error) {
	c, err := dial(raddr, time.Time{})
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Addr: raddr, Err: err}
	}
	return c, nil
}

func dial(a *TCPAddr, until time.Time) (*TCPConn, error) {
	s, err := syscall.Socket()
	if err != nil {
		return nil, wrap("socket", err)
	}
	began := syscall.Connect(s, a.sockAddr())
	if began != nil && began != syscall.EINPROGRESS {
		syscall.Close(s)
		return nil, wrap("connect", began)
	}
	fd, err := newFD(s)
	if err != nil {
		return nil, err
	}
	if began != nil {
		err = fd.connected(until)
	}
	if err != nil {
		fd.pfd.Close()
		return nil, err
	}
	fd.named()
	return &TCPConn{fd}, nil
}

// connected waits for the end of a connect.
func (fd *netFD) connected(until time.Time) error {
	if !until.IsZero() {
		fd.pfd.SetWriteDeadline(until)
		defer fd.pfd.SetWriteDeadline(time.Time{})
	}
	for {
		if err := fd.pfd.WaitWrite(); err != nil {
			return err
		}
		switch err := syscall.SocketError(fd.pfd.Sysfd); err {
		case nil, syscall.EISCONN:
			// It may have been woken for no reason.
			if _, err := syscall.Getpeername(fd.pfd.Sysfd); err == nil {
				return nil
			}
		case syscall.EINPROGRESS, syscall.EALREADY, syscall.EINTR:
		default:
			return wrap("connect", err)
		}
	}
}
