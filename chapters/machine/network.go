package machine

import "fmt"

// This file is what a program finds of the network in the kernel: system calls on stream
// sockets. They are those of Linux with simpler arguments, and never wait: which
// descriptors are ready an Epoll tells; see poll.go.
//
// There are two networks. The machine's own (sockets.go) lies between the sockets of one
// machine; it serves simulations, explorations, hosts without another one, and whoever
// asks for it. The other one is the host's (hostnet.go), on which processes outside can
// be reached.

// A SockAddr is an IPv4 address and a port: address<<16 | port.
type SockAddr uint64

// Addr4 returns the SockAddr of a.b.c.d:port.
func Addr4(a, b, c, d byte, port uint16) SockAddr {
	return SockAddr(a)<<40 | SockAddr(b)<<32 | SockAddr(c)<<24 | SockAddr(d)<<16 | SockAddr(port)
}

func (a SockAddr) port() uint16 { return uint16(a) }
func (a SockAddr) ip() [4]byte {
	return [4]byte{byte(a >> 40), byte(a >> 32), byte(a >> 24), byte(a >> 16)}
}
func (a SockAddr) anyIP() bool  { return a>>16 == 0 }
func (a SockAddr) loopIP() bool { return a>>40 == 127 }
func (a SockAddr) String() string {
	ip := a.ip()
	return fmt.Sprintf("%d.%d.%d.%d:%d", ip[0], ip[1], ip[2], ip[3], a.port())
}

// loopback is 127.0.0.1 with a's port.
func (a SockAddr) loopback() SockAddr { return Addr4(127, 0, 0, 1, a.port()) }

// What SysShutdown ends.
const (
	ShutRead  = 0
	ShutWrite = 1
	ShutBoth  = 2
)

// A Network is a choice of one.
type Network int

const (
	AnyNetwork  Network = iota // the host's, if it has one and there is no Hook; otherwise the machine's own
	OwnNetwork                 // the machine's own
	HostNetwork                // the host's, not under a Hook; where there is none, New fails
)

// A NetworkHook is a Hook with a network on which what is sent takes time.
type NetworkHook interface {
	Hook
	// Network calls arrive when what the thread sends now arrives. What is sent first
	// arrives first. It does not go on with another thread. In arrive nothing of the Hook
	// is called but NoteWakeup, which then costs nobody anything.
	Network(arrive func())
}

// network is hook, if it is a NetworkHook.
var network NetworkHook

// An endpoint is a socket. No method waits, and each one is safe to be called by any
// thread at any time; what it does happens at once.
type endpoint interface {
	bind(a SockAddr) Errno
	listen(backlog int) Errno
	accept() (endpoint, Errno)
	connect(a SockAddr) Errno
	recv(p []byte) (int, Errno)
	send(p []byte) (int, Errno)
	shutdown(how int) Errno
	name() (SockAddr, Errno)
	peer() (SockAddr, Errno)
	failure() Errno // takes what SysSockError reports
	hangUp()        // close
}

// A sock is an open file that is a socket. What is read and written there does not go
// through the methods of a stream.
type sock struct {
	apart
	endpoint
}

func (sock) read(*kernel, []byte) (int, Errno) { return 0, EBADF }
func (sock) write([]byte, int) (int, Errno)    { return 0, EBADF }

// endpoint returns the socket that fd stands for.
func (k *kernel) endpoint(fd uint64) (endpoint, Errno) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f := k.file(fd)
	if f == nil {
		return nil, EBADF
	}
	s, ok := f.stream.(sock)
	if !ok {
		return nil, ENOTSOCK
	}
	return s.endpoint, 0
}

// open gives a socket that make makes a descriptor. If there is none left, make is not
// called.
func (k *kernel) open(make func() (endpoint, Errno)) (fd int, err Errno) {
	k.mu.Lock()
	if k.free() == 0 {
		k.mu.Unlock()
		return -1, EMFILE
	}
	fd = k.add(apartFile{}) // so that nobody else takes the descriptor
	f := k.files[fd]
	k.mu.Unlock()

	e, err := make()
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != 0 {
		k.remove(fd)
		return -1, err
	}
	f.stream = sock{endpoint: e}
	return fd, 0
}

// An apartFile is a descriptor that is taken, and not in use yet.
type apartFile struct{ apart }

func (apartFile) read(*kernel, []byte) (int, Errno) { return 0, EBADF }
func (apartFile) write([]byte, int) (int, Errno)    { return 0, EBADF }

// hosted reports whether sockets are the host's.
func (k *kernel) hosted() bool {
	if k.network == AnyNetwork {
		return hostHasNetwork && !Hooked()
	}
	return k.network == HostNetwork
}

// newSocket makes a socket, newPair two that are connected.
func (k *kernel) newSocket() (endpoint, Errno) {
	if k.hosted() {
		return k.host.socket()
	}
	return &socket{k: k}, 0
}

func (k *kernel) newPair() (a, b endpoint, err Errno) {
	if k.hosted() {
		return k.host.pair()
	}
	a, b = k.own.pair(k)
	return a, b, 0
}

// socketCall makes c if it is a call on a socket, and reports whether it is.
func (t *Thread) socketCall(c *Syscall) bool {
	k := &t.m.kernel
	switch c.Num {
	case SysSocket:
		fd, err := k.open(k.newSocket)
		c.done(uint64(fd), err)
		return true
	case SysSocketpair:
		t.socketpair(c)
		return true
	case SysRead, SysWrite, SysClose, SysConnect, SysAccept, SysShutdown, SysBind, SysListen, SysGetsockname, SysGetpeername, SysSockError:
	default:
		return false
	}
	e, err := k.endpoint(c.Args[0])
	switch {
	case c.Num <= SysClose:
		if err != 0 {
			return false // it is another file
		}
	case err != 0:
		c.fail(err)
		return true
	}
	switch c.Num {
	case SysRead, SysWrite:
		t.exchange(c, e)
	case SysClose:
		k.mu.Lock()
		f := k.file(c.Args[0])
		if f == nil || f.stream != (sock{endpoint: e}) {
			k.mu.Unlock()
			c.fail(EBADF) // another thread has closed it
			return true
		}
		k.remove(int(c.Args[0]))
		k.mu.Unlock()
		e.hangUp()
		c.done(0, 0)
	case SysConnect:
		c.done(0, e.connect(SockAddr(c.Args[1])))
	case SysAccept:
		fd, err := k.open(e.accept)
		c.done(uint64(fd), err)
	case SysShutdown:
		c.done(0, e.shutdown(int(c.Args[1])))
	case SysBind:
		c.done(0, e.bind(SockAddr(c.Args[1])))
	case SysListen:
		c.done(0, e.listen(int(int32(c.Args[1]))))
	case SysGetsockname:
		a, err := e.name()
		c.done(uint64(a), err)
	case SysGetpeername:
		a, err := e.peer()
		c.done(uint64(a), err)
	case SysSockError:
		c.done(uint64(e.failure()), 0)
	}
	return true
}

// exchange is SysRead and SysWrite on a socket.
func (t *Thread) exchange(c *Syscall, e endpoint) {
	addr, n := Addr(c.Args[1]), int64(c.Args[2])
	switch {
	case n < 0:
		c.fail(EINVAL)
		return
	case !t.m.Valid(addr, n):
		c.fail(EFAULT)
		return
	}
	var did int
	var err Errno
	if p := t.m.Bytes(addr, n); c.Num == SysRead {
		did, err = e.recv(p)
	} else {
		did, err = e.send(p)
	}
	c.done(uint64(did), err)
}

// socketpair is SysSocketpair.
func (t *Thread) socketpair(c *Syscall) {
	k, to := &t.m.kernel, Addr(c.Args[0])
	if !t.m.Valid(to, 8) {
		c.fail(EFAULT)
		return
	}
	a, b, err := k.newPair()
	if err != 0 {
		c.fail(err)
		return
	}
	k.mu.Lock()
	full := k.free() < 2
	if !full {
		put32(t.m.Bytes(to, 8), uint32(k.add(sock{endpoint: a})))
		put32(t.m.Bytes(to+4, 4), uint32(k.add(sock{endpoint: b})))
	}
	k.mu.Unlock()
	if full {
		a.hangUp()
		b.hangUp()
		c.fail(EMFILE)
		return
	}
	c.done(0, 0)
}
