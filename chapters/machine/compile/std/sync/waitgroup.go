//go:build gosched

package sync

import "sync/atomic"

// A WaitGroup waits for a number of goroutines to finish.
type WaitGroup struct {
	state atomic.Uint64 // the counter in the upper half, those that wait in the lower
	sema  uint32
}

// Add adds delta to the counter. At zero, all that wait go on.
func (wg *WaitGroup) Add(delta int) {
	s := wg.state.Add(uint64(delta) << 32)
	count, waiters := int32(s>>32), uint32(s)
	if count < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if waiters != 0 && delta > 0 && count == int32(delta) {
		panic("sync: WaitGroup misuse: Add called concurrently with Wait")
	}
	if count > 0 || waiters == 0 {
		return
	}
	if wg.state.Load() != s {
		panic("sync: WaitGroup misuse: Add called concurrently with Wait")
	}
	wg.state.Store(0)
	for range waiters {
		semrelease(&wg.sema, false)
	}
}

// Done takes one off the counter.
func (wg *WaitGroup) Done() { wg.Add(-1) }

// Wait waits until the counter is zero.
func (wg *WaitGroup) Wait() {
	for {
		s := wg.state.Load()
		if s>>32 == 0 {
			return
		}
		if wg.state.CompareAndSwap(s, s+1) {
			semacquire(&wg.sema, false, waitWaitGroup)
			if wg.state.Load() != 0 {
				panic("sync: WaitGroup is reused before previous Wait has returned")
			}
			return
		}
	}
}

// Go runs f in a new goroutine that counts.
func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
}

// A Once does something once.
type Once struct {
	done atomic.Uint32
	m    Mutex
}

// Do calls f if it is the first call of Do. Other calls return when f has.
func (o *Once) Do(f func()) {
	if o.done.Load() != 0 {
		return
	}
	o.m.Lock()
	defer o.m.Unlock()
	if o.done.Load() == 0 {
		defer o.done.Store(1)
		f()
	}
}
