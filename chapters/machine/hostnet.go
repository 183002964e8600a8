//go:build linux || darwin

package machine

import (
	"sync"
	"syscall"
)

// This file is the network of the host: real sockets, which other processes can reach.

// hostHasNetwork says that sockets of the host can be used.
const hostHasNetwork = true

// A hostNetwork has what the host must have back when the machine halts.
type hostNetwork struct {
	mu      sync.Mutex
	off     bool
	sockets map[*hostSocket]struct{}
	pollers map[*hostPoller]struct{}
}

// A hostSocket is a socket of the host. Its lock keeps the descriptor from being closed
// while a call uses it: the number may belong to another file a moment later.
type hostSocket struct {
	n  *hostNetwork
	mu sync.RWMutex
	fd int // -1 when it is closed
}

// adopt makes a socket of a descriptor of the host, or gives that back. Whatever it sends is sent
// at once, as package net has it: otherwise a second small packet waits until the other end has
// acknowledged the first, which may take 40 ms. A pair of sockets knows no such option.
func (n *hostNetwork) adopt(fd int, err error) (endpoint, Errno) {
	if err != nil {
		return nil, hostErrno(err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.off {
		syscall.Close(fd)
		return nil, EMFILE
	}
	if n.sockets == nil {
		n.sockets = map[*hostSocket]struct{}{}
	}
	syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
	s := &hostSocket{n: n, fd: fd}
	n.sockets[s] = struct{}{}
	return s, 0
}

func (n *hostNetwork) socket() (endpoint, Errno) {
	return n.adopt(newHostSocket())
}

func (n *hostNetwork) pair() (a, b endpoint, errno Errno) {
	fds, err := newHostPair()
	if err != nil {
		return nil, nil, hostErrno(err)
	}
	if a, errno = n.adopt(fds[0], nil); errno != 0 {
		syscall.Close(fds[1])
		return nil, nil, errno
	}
	if b, errno = n.adopt(fds[1], nil); errno != 0 {
		a.hangUp()
		return nil, nil, errno
	}
	return a, b, 0
}

// poller makes a poller.
func (n *hostNetwork) poller() (poller, Errno) {
	q, err := newHostQueue()
	if err != nil {
		return nil, hostErrno(err)
	}
	p := &hostPoller{n: n, q: q}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.off {
		q.close()
		return nil, EMFILE
	}
	if n.pollers == nil {
		n.pollers = map[*hostPoller]struct{}{}
	}
	n.pollers[p] = struct{}{}
	return p, 0
}

// halt closes everything. Those who wait leave first.
func (n *hostNetwork) halt() {
	n.mu.Lock()
	n.off = true
	sockets, pollers := n.sockets, n.pollers
	n.sockets, n.pollers = nil, nil
	n.mu.Unlock()
	for s := range sockets {
		s.shut()
	}
	for p := range pollers {
		p.shut()
	}
}

// use returns the descriptor, which stays open until s.mu.RUnlock; -1 if it is closed.
func (s *hostSocket) use() int {
	s.mu.RLock()
	return s.fd
}

func (s *hostSocket) bind(a SockAddr) Errno {
	fd := s.use()
	defer s.mu.RUnlock()
	// As package net does, so that a server can be started again at once.
	syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	return hostErrno(syscall.Bind(fd, hostAddr(a)))
}

func (s *hostSocket) listen(backlog int) Errno {
	fd := s.use()
	defer s.mu.RUnlock()
	return hostErrno(syscall.Listen(fd, backlog))
}

func (s *hostSocket) accept() (endpoint, Errno) {
	fd := s.use()
	defer s.mu.RUnlock()
	return s.n.adopt(hostAccept(fd))
}

func (s *hostSocket) connect(a SockAddr) Errno {
	fd := s.use()
	defer s.mu.RUnlock()
	return hostErrno(syscall.Connect(fd, hostAddr(a)))
}

func (s *hostSocket) recv(p []byte) (int, Errno) {
	fd := s.use()
	defer s.mu.RUnlock()
	return hostRead(fd, p)
}

func (s *hostSocket) send(p []byte) (int, Errno) {
	fd := s.use()
	defer s.mu.RUnlock()
	return hostWrite(fd, p)
}

func (s *hostSocket) shutdown(how int) Errno {
	fd := s.use()
	defer s.mu.RUnlock()
	return hostErrno(syscall.Shutdown(fd, how))
}

func (s *hostSocket) name() (SockAddr, Errno) {
	fd := s.use()
	defer s.mu.RUnlock()
	return sockAddr(syscall.Getsockname(fd))
}

func (s *hostSocket) peer() (SockAddr, Errno) {
	fd := s.use()
	defer s.mu.RUnlock()
	return sockAddr(syscall.Getpeername(fd))
}

func (s *hostSocket) failure() Errno {
	fd := s.use()
	defer s.mu.RUnlock()
	n, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ERROR)
	if err != nil {
		return hostErrno(err)
	}
	return hostErrno(syscall.Errno(n))
}

func (s *hostSocket) hangUp() {
	s.n.mu.Lock()
	delete(s.n.sockets, s)
	s.n.mu.Unlock()
	s.shut()
}

func (s *hostSocket) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fd >= 0 {
		syscall.Close(s.fd)
		s.fd = -1
	}
}

func hostAddr(a SockAddr) syscall.Sockaddr {
	return &syscall.SockaddrInet4{Addr: a.ip(), Port: int(a.port())}
}

func sockAddr(sa syscall.Sockaddr, err error) (SockAddr, Errno) {
	if in, ok := sa.(*syscall.SockaddrInet4); ok {
		return Addr4(in.Addr[0], in.Addr[1], in.Addr[2], in.Addr[3], uint16(in.Port)), 0
	}
	return 0, hostErrno(err)
}

// A hostPoller is a poller of the host. It is open as long as a thread waits.
type hostPoller struct {
	n       *hostNetwork
	q       hostQueue // constant
	mu      sync.Mutex
	off     bool // it is to be closed
	closed  bool
	waiting int
}

func (p *hostPoller) add(e endpoint, data uint64) Errno {
	s := e.(*hostSocket)
	fd := s.use()
	defer s.mu.RUnlock()
	if !p.enter() {
		return EBADF
	}
	defer p.leave()
	return hostErrno(p.q.add(fd, data))
}

func (p *hostPoller) del(e endpoint) Errno {
	s := e.(*hostSocket)
	fd := s.use()
	defer s.mu.RUnlock()
	if !p.enter() {
		return EBADF
	}
	defer p.leave()
	return hostErrno(p.q.del(fd))
}

func (p *hostPoller) wait(t *Thread, events []PollEvent, ns int64) int {
	if !p.enter() {
		panic(Halted{})
	}
	n := p.q.wait(events, ns)
	if p.leave() {
		panic(Halted{})
	}
	return n
}

func (p *hostPoller) wake() {
	if p.enter() {
		p.q.wake()
		p.leave()
	}
}

func (p *hostPoller) unwake() {
	if p.enter() {
		p.q.unwake()
		p.leave()
	}
}

// enter keeps p open until leave. It reports whether p is open.
func (p *hostPoller) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.off {
		return false
	}
	p.waiting++
	return true
}

// leave reports whether p is to be closed. The last one closes it.
func (p *hostPoller) leave() (off bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting--
	p.end()
	return p.off
}

// end closes p if it is time. Its lock is held.
func (p *hostPoller) end() {
	if p.off && p.waiting == 0 && !p.closed {
		p.closed = true
		p.q.close()
	}
}

func (p *hostPoller) close() {
	p.n.mu.Lock()
	delete(p.n.pollers, p)
	p.n.mu.Unlock()
	p.shut()
}

// shut closes p when nobody waits any more, and lets those who wait leave.
func (p *hostPoller) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting > 0 && !p.off {
		p.q.wake()
	}
	p.off = true
	p.end()
}
