package machine

import "bytes"

// This file is the machine's own network: stream sockets that behave as TCP's on Linux do
// on the loopback, each connected to another one of the same machine. All of it is under
// the kernel's lock, and each call on a socket is one step.
//
// What one socket tells another is sent, and arrives at once, or, under a NetworkHook,
// later: bytes, the end, a reset, the room that has become free, and the steps of a
// connect. What is sent first arrives first.

// socketRoom is how many bytes that were written and not yet read a connection holds in
// one direction.
const socketRoom = 64 << 10

// The ports that the kernel itself gives out, Linux's.
const (
	firstPort = 32768
	lastPort  = 60999
)

// An ownNetwork is what the sockets of a machine have in common. It is under the kernel's
// lock.
type ownNetwork struct {
	bound  map[uint16]*socket
	given  uint16 // the port that the kernel gave out last, 0 for none
	flying int    // how much is on its way
}

// port returns a port that is free, 0 if none is.
func (n *ownNetwork) port() uint16 {
	for range lastPort - firstPort + 1 {
		if n.given < firstPort || n.given >= lastPort {
			n.given = firstPort
		} else {
			n.given++
		}
		if n.bound[n.given] == nil {
			return n.given
		}
	}
	return 0
}

// pair returns two sockets that are connected.
func (n *ownNetwork) pair(k *kernel) (a, b *socket) {
	a, b = &socket{k: k, state: sockConnected}, &socket{k: k, state: sockConnected}
	a.other, b.other = b, a
	return a, b
}

// A sockState is what a socket can be used for.
type sockState uint8

const (
	sockNew sockState = iota
	sockListening
	sockConnecting
	sockConnected
	sockClosed
)

// A socket is one end of a connection, or where connections come in.
type socket struct {
	k          *kernel
	state      sockState
	local, far SockAddr // 0 if it has none
	watches    []*watch
	queue      []*socket // of one that listens: connections that nobody has accepted
	backlog    int       // of one that listens: the most that the queue holds
	standing   []*socket // of one that listens: those for which the queue has no room
	other      *socket   // the other end
	in         bytes.Buffer
	unread     int   // bytes that it has sent and that the other end has not read
	full       bool  // there was no room for some: its poller is told when half of it is free
	ended      bool  // the other end has sent all
	shutIn     bool  // SysShutdown
	shutOut    bool  // likewise
	cut        bool  // the connection is no more: a reset has come
	err        Errno // what went wrong, until a call reports it
}

// send lets arrive happen at the other end, with the kernel's lock held. That of the
// caller is held, too.
func (k *kernel) send(arrive func()) {
	if !watched || network == nil {
		arrive()
		return
	}
	k.own.flying++
	network.Network(func() {
		k.mu.Lock()
		k.own.flying--
		arrive()
		k.unlock(nil)
	})
}

// ready returns for what a poller would report s now, if somebody watched for it.
func (s *socket) ready() (events uint32) {
	add := func(is bool, e uint32) {
		if is {
			events |= e
		}
	}
	switch s.state {
	case sockListening:
		add(len(s.queue) > 0, PollIn)
	case sockNew:
		add(true, PollOut|PollHup)
		add(s.err != 0, PollIn|PollErr)
	case sockConnected:
		add(s.in.Len() > 0 || s.ended || s.shutIn || s.cut, PollIn)
		add(!s.full || s.shutOut || s.cut, PollOut)
		add(s.ended || s.shutIn || s.cut, PollRdhup)
		add(s.cut || s.ended && s.shutOut, PollHup)
		add(s.err != 0, PollErr)
	}
	return events
}

// changed tells the pollers that watch s to look at it.
func (s *socket) changed() {
	for _, w := range s.watches {
		w.queue()
	}
}

func (s *socket) bind(a SockAddr) Errno {
	s.k.lock()
	defer s.k.unlock(nil)
	if s.state != sockNew || s.local != 0 {
		return EINVAL
	}
	return s.claim(a)
}

// claim gives s an address.
func (s *socket) claim(a SockAddr) Errno {
	n := &s.k.own
	if !a.anyIP() && !a.loopIP() {
		return EADDRNOTAVAIL
	}
	if a.port() == 0 {
		a |= SockAddr(n.port())
	}
	if a.port() == 0 || n.bound[a.port()] != nil {
		return EADDRINUSE
	}
	if n.bound == nil {
		n.bound = map[uint16]*socket{}
	}
	n.bound[a.port()] = s
	s.local = a
	return 0
}

func (s *socket) listen(backlog int) Errno {
	s.k.lock()
	defer s.k.unlock(nil)
	switch s.state {
	case sockNew:
		if s.local == 0 {
			if err := s.claim(0); err != 0 {
				return err
			}
		}
		s.state = sockListening
	case sockListening:
	default:
		return EINVAL
	}
	s.backlog = max(1, backlog)
	return 0
}

func (s *socket) connect(a SockAddr) Errno {
	s.k.lock()
	defer s.k.unlock(nil)
	switch s.state {
	case sockClosed:
		return EBADF
	case sockConnecting:
		return EALREADY
	case sockConnected:
		return EISCONN
	case sockListening:
		return EINVAL
	}
	if a.anyIP() {
		a = a.loopback()
	}
	if !a.loopIP() {
		return ENETUNREACH
	}
	if s.local == 0 {
		if err := s.claim(SockAddr(0).loopback()); err != 0 {
			return EADDRNOTAVAIL
		}
	} else if s.local.anyIP() {
		s.local = s.local.loopback()
	}
	s.state, s.far, s.err = sockConnecting, a, 0
	s.k.send(func() {
		if l := s.k.own.bound[a.port()]; l != nil && l.state == sockListening {
			l.knock(s)
		} else {
			s.k.send(s.refused)
		}
	})
	return EINPROGRESS
}

// knock is client, which wants to connect, at l, which listens.
func (l *socket) knock(client *socket) {
	if client.state != sockConnecting {
		return // it has been closed
	}
	if len(l.queue) >= l.backlog {
		l.standing = append(l.standing, client)
		return
	}
	s := &socket{k: l.k, state: sockConnected, local: client.far, far: client.local, other: client}
	l.queue = append(l.queue, s)
	l.changed()
	l.k.send(func() {
		if client.state != sockConnecting {
			s.reset()
			return
		}
		client.state, client.other = sockConnected, s
		client.changed()
	})
}

// refused is the end of a connect that failed.
func (s *socket) refused() {
	if s.state == sockConnecting {
		s.state, s.err = sockNew, ECONNREFUSED
		s.changed()
	}
}

func (s *socket) accept() (endpoint, Errno) {
	s.k.lock()
	defer s.k.unlock(nil)
	switch {
	case s.state == sockClosed:
		return nil, EBADF
	case s.state != sockListening:
		return nil, EINVAL
	case len(s.queue) == 0:
		return nil, EAGAIN
	}
	c := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	if len(s.standing) > 0 {
		next := s.standing[0]
		s.standing[0] = nil
		s.standing = s.standing[1:]
		s.knock(next)
	}
	return c, 0
}

// fails returns the error of a read or a write, if there is one to report.
func (s *socket) fails() Errno {
	switch {
	case s.state == sockClosed:
		return EBADF
	case s.err != 0:
		err := s.err
		s.err = 0
		return err
	case s.state != sockConnected:
		return ENOTCONN
	}
	return 0
}

func (s *socket) recv(p []byte) (int, Errno) {
	s.k.lock()
	defer s.k.unlock(nil)
	if s.state == sockConnected && s.in.Len() > 0 {
		n, _ := s.in.Read(p)
		if s.other != nil {
			s.k.send(func() { s.other.taken(n) })
		}
		return n, 0
	}
	if err := s.fails(); err != 0 {
		return 0, err
	}
	if len(p) == 0 || s.ended || s.shutIn || s.cut {
		return 0, 0
	}
	return 0, EAGAIN
}

// taken is the news that n bytes which s has sent were read.
func (s *socket) taken(n int) {
	s.unread -= n
	if s.full && s.unread <= socketRoom/2 {
		s.full = false
		s.changed()
	}
}

func (s *socket) send(p []byte) (int, Errno) {
	s.k.lock()
	defer s.k.unlock(nil)
	if err := s.fails(); err != 0 {
		return 0, err
	}
	if s.shutOut || s.cut {
		return 0, EPIPE
	}
	n := min(len(p), socketRoom-s.unread)
	s.full = s.full || n < len(p)
	if n == 0 && len(p) > 0 {
		return 0, EAGAIN
	}
	if n > 0 {
		s.unread += n
		if p = p[:n]; watched && network != nil {
			p = bytes.Clone(p)
		}
		s.k.send(func() { s.other.arrived(p) })
	}
	return n, 0
}

// arrived is data that has come to s.
func (s *socket) arrived(p []byte) {
	switch {
	case s.state == sockClosed || s.cut:
		s.k.send(s.other.reset)
	case s.shutIn:
		n := len(p)
		s.k.send(func() { s.other.taken(n) })
	default:
		s.in.Write(p)
		s.changed()
	}
}

// allArrived is the news that the other end has sent all.
func (s *socket) allArrived() {
	if s.state == sockConnected {
		s.ended = true
		s.changed()
	}
}

// reset is the news that the other end knows nothing of the connection.
func (s *socket) reset() {
	if s.state != sockConnected || s.cut {
		return
	}
	s.cut, s.err = true, ECONNRESET
	if s.ended {
		s.err = EPIPE
	}
	s.changed()
}

func (s *socket) shutdown(how int) Errno {
	s.k.lock()
	defer s.k.unlock(nil)
	switch {
	case how < ShutRead || how > ShutBoth:
		return EINVAL
	case s.state == sockClosed:
		return EBADF
	case s.state != sockConnected || s.cut:
		return ENOTCONN
	}
	if how != ShutRead && !s.shutOut {
		s.shutOut = true
		s.k.send(s.other.allArrived)
	}
	if how != ShutWrite {
		s.shutIn = true
	}
	s.changed()
	return 0
}

func (s *socket) name() (SockAddr, Errno) {
	s.k.lock()
	defer s.k.unlock(nil)
	return s.local, 0
}

func (s *socket) peer() (SockAddr, Errno) {
	s.k.lock()
	defer s.k.unlock(nil)
	if s.state != sockConnected || s.cut {
		return 0, ENOTCONN
	}
	return s.far, 0
}

func (s *socket) failure() Errno {
	s.k.lock()
	defer s.k.unlock(nil)
	err := s.err
	s.err = 0
	return err
}

// hangUp closes s. What the other end is told depends on whether all was read that it has
// sent.
func (s *socket) hangUp() {
	s.k.lock()
	defer s.k.unlock(nil)
	s.close()
}

func (s *socket) close() {
	was := s.state
	s.state = sockClosed
	for _, w := range s.watches {
		w.socket = nil
	}
	s.watches = nil
	if n := &s.k.own; n.bound[s.local.port()] == s {
		delete(n.bound, s.local.port())
	}
	switch was {
	case sockListening:
		for _, c := range s.queue {
			c.state = sockClosed
			s.k.send(c.other.reset)
		}
		for _, client := range s.standing {
			s.k.send(client.refused)
		}
		s.queue, s.standing = nil, nil
	case sockConnected:
		switch {
		case s.cut:
		case s.in.Len() > 0:
			s.k.send(s.other.reset)
		case !s.shutOut:
			s.k.send(s.other.allArrived)
		}
		s.in = bytes.Buffer{}
	}
}
