//go:build gosched

// Package context says when work is to end, and why.
package context

import (
	"errors"
	"sync"
	"time"
)

// A Context says when the work that it is for is to end.
type Context interface {
	// Deadline is when that will be, if there is such a time.
	Deadline() (deadline time.Time, ok bool)
	// Done is closed when the work is to end; nil if it never is.
	Done() <-chan struct{}
	// Err is why: Canceled or DeadlineExceeded; nil as long as Done is open.
	Err() error
	// Value is what WithValue has put in for key, nil for nothing.
	Value(key any) any
}

// Canceled is the Err of a context that was cancelled.
var Canceled = errors.New("context canceled")

// DeadlineExceeded is the Err of one whose time is over.
var DeadlineExceeded error = deadlineExceeded{}

type deadlineExceeded struct{}

func (deadlineExceeded) Error() string   { return "context deadline exceeded" }
func (deadlineExceeded) Timeout() bool   { return true }
func (deadlineExceeded) Temporary() bool { return true }

// A CancelFunc ends the work. It does not wait for that.
type CancelFunc func()

// A CancelCauseFunc does so, and says why.
type CancelCauseFunc func(cause error)

type empty struct{ name string }

func (*empty) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
func (*empty) Done() <-chan struct{}                   { return nil }
func (*empty) Err() error                              { return nil }
func (*empty) Value(key any) any                       { return nil }

// The fields keep the two apart.
var (
	background = &empty{"context.Background"}
	todo       = &empty{"context.TODO"}
)

// Background is never done.
func Background() Context { return background }

// TODO is never done either.
func TODO() Context { return todo }

// A cancelCtx can be cancelled. So can its children, with it.
type cancelCtx struct {
	Context // its parent
	done    chan struct{}

	mu       sync.Mutex
	err      error
	cause    error
	children map[*cancelCtx]bool
	then     func()      // of AfterFunc: what is to be called, once; nil if it was, or was stopped
	timer    *time.Timer // nil if it has no deadline of its own
	deadline time.Time
	limited  bool // it has a deadline of its own
}

// selfKey is the key whose Value is the nearest cancelCtx.
var selfKey int

func newCancelCtx(parent Context) *cancelCtx {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	c := &cancelCtx{Context: parent, done: make(chan struct{})}
	return c
}

// follow lets c be cancelled with its parent.
func (c *cancelCtx) follow() {
	done := c.Context.Done()
	if done == nil {
		return
	}
	if up, ok := c.Context.Value(&selfKey).(*cancelCtx); ok && up.Done() == done {
		up.mu.Lock()
		if up.err == nil {
			if up.children == nil {
				up.children = map[*cancelCtx]bool{}
			}
			up.children[c] = true
			up.mu.Unlock()
			return
		}
		err, cause := up.err, up.cause
		up.mu.Unlock()
		c.cancel(err, cause)
		return
	}
	go func() { // a Context of the program's own
		select {
		case <-done:
			c.cancel(c.Context.Err(), Cause(c.Context))
		case <-c.done:
		}
	}()
}

// leave takes c off its parent's list.
func (c *cancelCtx) leave() {
	if up, ok := c.Context.Value(&selfKey).(*cancelCtx); ok {
		up.mu.Lock()
		delete(up.children, c)
		up.mu.Unlock()
	}
}

func (c *cancelCtx) cancel(err, cause error) {
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err, c.cause = err, cause
	close(c.done)
	children, then := c.children, c.then
	c.children, c.then = nil, nil
	if c.timer != nil {
		c.timer.Stop()
	}
	c.mu.Unlock()
	for child := range children {
		child.cancel(err, cause)
	}
	if then != nil {
		go then()
	}
}

func (c *cancelCtx) Done() <-chan struct{} { return c.done }

func (c *cancelCtx) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *cancelCtx) Value(key any) any {
	if key == &selfKey {
		return c
	}
	return c.Context.Value(key)
}

func (c *cancelCtx) Deadline() (deadline time.Time, ok bool) {
	if c.limited {
		return c.deadline, true
	}
	return c.Context.Deadline()
}

// WithCancel returns a child of parent that is done when it is cancelled, or parent is done.
func WithCancel(parent Context) (Context, CancelFunc) {
	c := newCancelCtx(parent)
	c.follow()
	return c, func() {
		c.cancel(Canceled, nil)
		c.leave()
	}
}

// WithCancelCause is WithCancel for which Cause says why.
func WithCancelCause(parent Context) (Context, CancelCauseFunc) {
	c := newCancelCtx(parent)
	c.follow()
	return c, func(cause error) {
		c.cancel(Canceled, cause)
		c.leave()
	}
}

// WithDeadline is WithCancel for a context that is done at d at the latest.
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is WithDeadline; cause is the Cause if the time is over.
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	c := newCancelCtx(parent)
	if earlier, ok := parent.Deadline(); ok && !d.Before(earlier) {
		c.follow()
		return c, func() {
			c.cancel(Canceled, nil)
			c.leave()
		}
	}
	c.deadline, c.limited = d, true
	c.follow()
	over := func() {
		c.cancel(DeadlineExceeded, cause)
		c.leave()
	}
	if left := time.Until(d); left <= 0 {
		over()
	} else {
		c.mu.Lock()
		if c.err == nil {
			c.timer = time.AfterFunc(left, over)
		}
		c.mu.Unlock()
	}
	return c, func() {
		c.cancel(Canceled, nil)
		c.leave()
	}
}

// WithTimeout is WithDeadline for the time d from now.
func WithTimeout(parent Context, d time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, time.Now().Add(d))
}

// WithTimeoutCause is WithTimeout; cause is the Cause if the time is over.
func WithTimeoutCause(parent Context, d time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, time.Now().Add(d), cause)
}

// Cause is why c is done: what its canceller has said, else its Err.
func Cause(c Context) error {
	if up, ok := c.Value(&selfKey).(*cancelCtx); ok {
		up.mu.Lock()
		defer up.mu.Unlock()
		return up.cause
	}
	return c.Err()
}

// AfterFunc calls f in a goroutine of its own when ctx is done. stop keeps it from that, and
// reports whether it has.
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	c := newCancelCtx(ctx)
	c.then = f
	c.follow()
	return func() bool {
		c.mu.Lock()
		stopped := c.then != nil
		c.then = nil
		c.mu.Unlock()
		c.cancel(Canceled, nil)
		c.leave()
		return stopped
	}
}

type withoutCancel struct{ Context }

func (withoutCancel) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
func (withoutCancel) Done() <-chan struct{}                   { return nil }
func (withoutCancel) Err() error                              { return nil }
func (c withoutCancel) Value(key any) any {
	if key == &selfKey {
		return nil
	}
	return c.Context.Value(key)
}

// WithoutCancel returns a child of parent that has its values, and is never done.
func WithoutCancel(parent Context) Context { return withoutCancel{parent} }

type valueCtx struct {
	Context
	key, value any
}

func (c *valueCtx) Value(key any) any {
	if key == c.key {
		return c.value
	}
	return c.Context.Value(key)
}

// WithValue returns a child of parent whose Value for key is value.
func WithValue(parent Context, key, value any) Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if key == nil {
		panic("nil key")
	}
	return &valueCtx{parent, key, value}
}
