package machine

import "sync/atomic"

// This file is how a thread learns which sockets are ready.

// For what a descriptor is ready: Linux's EPOLLIN and so on.
const (
	PollIn    = 0x1    // there is something to read, or to accept, or the end
	PollOut   = 0x4    // there is room to write, or a connect has ended
	PollErr   = 0x8    // something went wrong; see SysSockError
	PollHup   = 0x10   // both directions have ended
	PollRdhup = 0x2000 // the other end sends no more
)

// A PollEvent says that a descriptor is ready.
type PollEvent struct {
	Events uint32 // PollIn and so on
	Data   uint64 // what Add was given
}

// BreakData is the Data of the event that stands for a Break.
const BreakData = 0

// An Epoll tells which of the descriptors that were added to it have become ready. It is
// edge-triggered: a descriptor is reported when it is added, if it is ready then, and
// after that when something has happened to it, not again as long as it stays ready.
// Whoever was told reads or writes until the result is EAGAIN.
//
// Any thread may call its methods. Several may wait at once; each event goes to one of
// them. Linux's epoll with EPOLLET, together with an eventfd for Break; on macOS kqueue.
type Epoll struct {
	k     *kernel
	p     poller
	spare atomic.Pointer[pollEvents] // for the next Wait
}

// pollEvents is where a poller writes events. The caller's place stays on its stack, since no
// poller sees it.
type pollEvents [128]PollEvent

// A poller is what an Epoll is made of.
type poller interface {
	// add and del are for the endpoint of fd.
	add(e endpoint, data uint64) Errno
	del(e endpoint) Errno
	wait(t *Thread, events []PollEvent, ns int64) int
	wake()   // Break
	unwake() // ClearBreak
	close()
}

// NewEpoll makes an Epoll. It ends with the machine, or with Close.
func (m *Machine) NewEpoll() (*Epoll, Errno) {
	k := &m.kernel
	if !k.hosted() {
		return &Epoll{k: k, p: &ownPoller{k: k}}, 0
	}
	p, err := k.host.poller()
	if err != 0 {
		return nil, err
	}
	return &Epoll{k: k, p: p}, 0
}

// Add watches fd. data is not BreakData. The error is EBADF, EPERM for what is no socket,
// or EEXIST. A descriptor that is closed is no longer watched.
func (e *Epoll) Add(fd int, data uint64) Errno {
	s, err := e.k.endpoint(uint64(fd))
	if err == ENOTSOCK {
		err = EPERM
	}
	if err != 0 {
		return err
	}
	return e.p.add(s, data)
}

// Del watches fd no longer. The error is EBADF, or ENOENT if it was not watched. A Wait
// may have taken an event of it already, and return it later.
func (e *Epoll) Del(fd int) Errno {
	s, err := e.k.endpoint(uint64(fd))
	if err == ENOTSOCK {
		err = ENOENT
	}
	if err != 0 {
		return err
	}
	return e.p.del(s)
}

// Wait stores what has become ready in events, 128 events at most, and returns how many they
// are; if there is nothing it waits for ns nanoseconds, for ever if that is negative. t is the
// thread of the caller; it may be nil if ns is 0. On a host's network the time is rounded up to
// what the host can measure, on Linux a millisecond. A signal does not end it. If the machine
// halts, it panics with Halted.
func (e *Epoll) Wait(t *Thread, events []PollEvent, ns int64) int {
	if watched && costs != nil {
		costs.Syscall()
	}
	room := e.spare.Swap(nil)
	if room == nil {
		room = new(pollEvents)
	}
	n := copy(events, room[:e.p.wait(t, room[:min(len(events), len(room))], ns)])
	e.spare.Store(room)
	return n
}

// Break lets each Wait return with an event of BreakData, at once, until ClearBreak. It
// may be called with locks held.
func (e *Epoll) Break() {
	e.k.breaks.Add(1)
	e.p.wake()
}

// Breaks is how often Break was called, for tests.
func (m *Machine) Breaks() int64 { return m.kernel.breaks.Load() }

// ClearBreak undoes all calls of Break.
func (e *Epoll) ClearBreak() { e.p.unwake() }

// Close is the end of an Epoll that no thread uses.
func (e *Epoll) Close() { e.p.close() }

// NetworkAlive reports whether an Epoll of m may still have something to report without
// any thread doing anything: from outside, or since something is on its way.
func (m *Machine) NetworkAlive() bool {
	k := &m.kernel
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.hosted() || k.own.flying > 0
}

// An ownPoller is a poller for sockets of the machine. It is under the kernel's lock.
type ownPoller struct {
	k      *kernel
	ready  []*watch
	broken bool
	q      waitq
}

// A watch is a socket in a poller.
type watch struct {
	p      *ownPoller
	socket *socket // nil if it is watched no longer
	data   uint64
	queued bool // it is in p.ready
}

// queue has w's socket looked at by the next wait.
func (w *watch) queue() {
	if !w.queued {
		w.queued = true
		w.p.ready = append(w.p.ready, w)
	}
	w.p.k.roused = w.p.q.rouse(w.p.k.roused)
}

func (p *ownPoller) add(e endpoint, data uint64) Errno {
	p.k.lock()
	defer p.k.unlock(nil)
	s := e.(*socket)
	if s.state == sockClosed {
		return EBADF
	}
	for _, w := range s.watches {
		if w.p == p {
			return EEXIST
		}
	}
	w := &watch{p: p, socket: s, data: data}
	s.watches = append(s.watches, w)
	if s.ready() != 0 {
		w.queue()
	}
	return 0
}

func (p *ownPoller) del(e endpoint) Errno {
	p.k.lock()
	defer p.k.unlock(nil)
	s := e.(*socket)
	for i, w := range s.watches {
		if w.p == p {
			w.socket = nil
			s.watches = append(s.watches[:i], s.watches[i+1:]...)
			return 0
		}
	}
	return ENOENT
}

func (p *ownPoller) wait(t *Thread, events []PollEvent, ns int64) int {
	end := int64(0)
	if ns > 0 {
		end = Nanotime() + ns
	}
	for {
		p.k.lock()
		n := p.collect(events)
		if n > 0 || ns == 0 {
			p.k.unlock(nil)
			return n
		}
		t.fallAsleep(&p.q)
		p.k.unlock(nil)
		left := ns
		if ns > 0 {
			left = max(0, end-Nanotime())
		}
		if t.doze(left) == timedOut {
			ns = 0 // one more look: something may have come just then
		}
	}
}

// collect takes the events that there are.
func (p *ownPoller) collect(events []PollEvent) (n int) {
	if p.broken && len(events) > 0 {
		events[0] = PollEvent{PollIn, BreakData}
		n++
	}
	for n < len(events) && len(p.ready) > 0 {
		w := p.ready[0]
		p.ready[0] = nil
		p.ready = p.ready[1:]
		w.queued = false
		if w.socket == nil {
			continue
		}
		if is := w.socket.ready(); is != 0 {
			events[n] = PollEvent{is, w.data}
			n++
		}
	}
	return n
}

func (p *ownPoller) wake() {
	p.k.lock()
	p.broken = true
	p.k.roused = p.q.rouse(p.k.roused)
	p.k.unlock(nil)
}

func (p *ownPoller) unwake() {
	p.k.lock()
	p.broken = false
	p.k.unlock(nil)
}

func (p *ownPoller) close() {}
