//go:build gosched

package net

import (
	"internal/oserror"
	"io"
	"sync"
	"time"
)

// A pipe is one end of a Pipe. What one end writes goes to the other end's reads without a
// place in between, by channels; no descriptor is used.
type pipe struct {
	writing sync.Mutex // one Write at a time, with all that it has to write

	in, out   chan []byte // what is offered to this end, and by it
	tookIn    chan int    // how much of it was taken
	tookOut   chan int
	once      sync.Once
	done      chan struct{} // closed by Close
	otherDone chan struct{}
	read      pipeDeadline
	write     pipeDeadline
}

// Pipe returns two ends that are connected. A Write waits until all of it was read.
func Pipe() (Conn, Conn) {
	a, b := make(chan []byte), make(chan []byte)
	tookA, tookB := make(chan int), make(chan int)
	doneA, doneB := make(chan struct{}), make(chan struct{})
	p := &pipe{in: a, out: b, tookIn: tookA, tookOut: tookB, done: doneA, otherDone: doneB}
	q := &pipe{in: b, out: a, tookIn: tookB, tookOut: tookA, done: doneB, otherDone: doneA}
	for _, end := range []*pipe{p, q} {
		end.read.over = make(chan struct{})
		end.write.over = make(chan struct{})
	}
	return p, q
}

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

func (p *pipe) LocalAddr() Addr  { return pipeAddr{} }
func (p *pipe) RemoteAddr() Addr { return pipeAddr{} }

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.take(b)
	if err != nil && err != io.EOF && err != oserror.ErrClosedPipe {
		err = &OpError{Op: "read", Net: "pipe", Err: err}
	}
	return n, err
}

func (p *pipe) take(b []byte) (int, error) {
	over := p.read.wait()
	switch {
	case closed(p.done):
		return 0, oserror.ErrClosedPipe
	case closed(p.otherDone):
		return 0, io.EOF
	case closed(over):
		return 0, oserror.ErrDeadlineExceeded
	}
	select {
	case offered := <-p.in:
		n := copy(b, offered)
		p.tookIn <- n
		return n, nil
	case <-p.done:
		return 0, oserror.ErrClosedPipe
	case <-p.otherDone:
		return 0, io.EOF
	case <-over:
		return 0, oserror.ErrDeadlineExceeded
	}
}

func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.offer(b)
	if err != nil && err != oserror.ErrClosedPipe {
		err = &OpError{Op: "write", Net: "pipe", Err: err}
	}
	return n, err
}

func (p *pipe) offer(b []byte) (n int, err error) {
	over := p.write.wait()
	switch {
	case closed(p.done), closed(p.otherDone):
		return 0, oserror.ErrClosedPipe
	case closed(over):
		return 0, oserror.ErrDeadlineExceeded
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	for first := true; first || len(b) > 0; first = false {
		select {
		case p.out <- b:
			took := <-p.tookOut
			b = b[took:]
			n += took
		case <-p.done:
			return n, oserror.ErrClosedPipe
		case <-p.otherDone:
			return n, oserror.ErrClosedPipe
		case <-over:
			return n, oserror.ErrDeadlineExceeded
		}
	}
	return n, nil
}

func (p *pipe) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipe) SetDeadline(t time.Time) error {
	if closed(p.done) || closed(p.otherDone) {
		return oserror.ErrClosedPipe
	}
	p.read.set(t)
	p.write.set(t)
	return nil
}

func (p *pipe) SetReadDeadline(t time.Time) error {
	if closed(p.done) || closed(p.otherDone) {
		return oserror.ErrClosedPipe
	}
	p.read.set(t)
	return nil
}

func (p *pipe) SetWriteDeadline(t time.Time) error {
	if closed(p.done) || closed(p.otherDone) {
		return oserror.ErrClosedPipe
	}
	p.write.set(t)
	return nil
}

// A pipeDeadline closes a channel when it is over.
type pipeDeadline struct {
	mu    sync.Mutex
	sets  int // how often it was set: only the timer of the last time counts
	timer *time.Timer
	over  chan struct{}
}

func (d *pipeDeadline) wait() chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over
}

func (d *pipeDeadline) set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	d.sets++
	if closed(d.over) {
		d.over = make(chan struct{})
	}
	if t.IsZero() {
		return
	}
	left := time.Until(t)
	if left <= 0 {
		close(d.over)
		return
	}
	mine := d.sets
	d.timer = time.AfterFunc(left, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.sets == mine {
			close(d.over)
		}
	})
}
