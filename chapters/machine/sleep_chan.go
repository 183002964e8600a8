//go:build !linux

package machine

import (
	"sync/atomic"
	"time"
)

// A sleeper is where one thread at a time waits to be woken, as in
// sleep_futex.go. This is the portable one, a Go channel.
type sleeper struct {
	ch atomic.Pointer[chan struct{}]
}

// sleep returns after a wake that comes, or came since the last sleep; after ns
// nanoseconds if ns is not negative; or for no reason.
func (s *sleeper) sleep(ns int64) {
	if ns < 0 {
		<-s.channel()
		return
	}
	timer := time.NewTimer(time.Duration(ns))
	defer timer.Stop()
	select {
	case <-s.channel():
	case <-timer.C:
	}
}

// wake ends a sleep: one under way, or else the next.
func (s *sleeper) wake() {
	select {
	case s.channel() <- struct{}{}:
	default:
	}
}

func (s *sleeper) channel() chan struct{} {
	if ch := s.ch.Load(); ch != nil {
		return *ch
	}
	ch := make(chan struct{}, 1)
	if s.ch.CompareAndSwap(nil, &ch) {
		return ch
	}
	return *s.ch.Load()
}
