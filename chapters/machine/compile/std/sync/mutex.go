//go:build gosched

package sync

import "sync/atomic"

// A Mutex lets one goroutine at a time through. Its zero value is unlocked.
//
// Those that wait queue up, but who comes by while it is free may take it first,
// which is fast. A goroutine that has waited for more than a millisecond turns
// the mutex to starving: from then on each Unlock hands it to the head of the
// queue, until one gets it that has waited less, or is the last.
type Mutex struct {
	state int32 // flags, and from waiter on the number of those that wait
	sema  uint32
}

const (
	locked   = 1
	woken    = 2 // one is on its way to take it: no other has to be woken
	starving = 4
	waiter   = 8

	starvation = 1_000_000 // ns
)

// Lock waits until m is unlocked, and locks it.
func (m *Mutex) Lock() {
	if !atomic.CompareAndSwapInt32(&m.state, 0, locked) {
		m.wait()
	}
}

// TryLock locks m if it can do so at once.
func (m *Mutex) TryLock() bool {
	s := atomic.LoadInt32(&m.state)
	return s&(locked|starving) == 0 && atomic.CompareAndSwapInt32(&m.state, s, s|locked)
}

// wait locks m, which was not unlocked or has others that wait.
func (m *Mutex) wait() {
	since := int64(0) // when this one began to wait
	flag := int32(0)  // of state, for this one: woken from when it was
	hungry := false
	for {
		old := atomic.LoadInt32(&m.state)
		if old&(locked|starving) == 0 {
			if atomic.CompareAndSwapInt32(&m.state, old, old&^flag|locked) {
				return
			}
			continue
		}
		next := old&^flag + waiter
		if hungry && old&locked != 0 {
			next |= starving
		}
		if !atomic.CompareAndSwapInt32(&m.state, old, next) {
			continue
		}
		if since == 0 {
			since = nanotime()
		}
		semacquire(&m.sema, flag != 0, waitMutex)
		hungry = hungry || nanotime()-since > starvation
		if old = atomic.LoadInt32(&m.state); old&starving != 0 {
			// It was handed over: unlocked, and this one still counted.
			delta := int32(locked - waiter)
			if !hungry || old/waiter == 1 {
				delta -= starving
			}
			atomic.AddInt32(&m.state, delta)
			return
		}
		flag = woken
	}
}

// Unlock unlocks m, which may have been locked by another goroutine.
func (m *Mutex) Unlock() {
	if s := atomic.AddInt32(&m.state, -locked); s != 0 {
		m.wake(s)
	}
}

// wake wakes one that waits, if that is needed: Unlock has left the state s.
func (m *Mutex) wake(s int32) {
	if s&(locked|starving) != 0 {
		if s&locked != 0 {
			throw("sync: unlock of unlocked mutex")
		}
		semrelease(&m.sema, true)
		return
	}
	for s >= waiter && s&(locked|woken|starving) == 0 {
		if atomic.CompareAndSwapInt32(&m.state, s, s-(waiter-woken)) {
			semrelease(&m.sema, false)
			return
		}
		s = atomic.LoadInt32(&m.state)
	}
}

// A RWMutex lets one writer or any number of readers through. A writer that waits
// keeps new readers out.
type RWMutex struct {
	w          Mutex  // held by writers
	writer     uint32 // semaphore of the writer that waits for readers
	reader     uint32 // semaphore of readers that wait for the writer
	readers    int32  // less maxReaders while there is a writer
	unfinished int32  // readers that the writer still has to wait for
}

const maxReaders = 1 << 30

// RLock waits until no writer is there, and locks for reading.
func (rw *RWMutex) RLock() {
	if atomic.AddInt32(&rw.readers, 1) < 0 {
		semacquire(&rw.reader, false, waitRLock)
	}
}

// TryRLock locks for reading if it can do so at once.
func (rw *RWMutex) TryRLock() bool {
	for {
		n := atomic.LoadInt32(&rw.readers)
		if n < 0 {
			return false
		}
		if atomic.CompareAndSwapInt32(&rw.readers, n, n+1) {
			return true
		}
	}
}

// RUnlock undoes one RLock.
func (rw *RWMutex) RUnlock() {
	n := atomic.AddInt32(&rw.readers, -1)
	if n >= 0 {
		return
	}
	if n+1 == 0 || n+1 == -maxReaders {
		throw("sync: RUnlock of unlocked RWMutex")
	}
	if atomic.AddInt32(&rw.unfinished, -1) == 0 {
		semrelease(&rw.writer, false)
	}
}

// Lock waits until no other goroutine is there, and locks for writing.
func (rw *RWMutex) Lock() {
	rw.w.Lock()
	n := atomic.AddInt32(&rw.readers, -maxReaders) + maxReaders
	if n != 0 && atomic.AddInt32(&rw.unfinished, n) != 0 {
		semacquire(&rw.writer, false, waitRWLock)
	}
}

// TryLock locks for writing if it can do so at once.
func (rw *RWMutex) TryLock() bool {
	if !rw.w.TryLock() {
		return false
	}
	if !atomic.CompareAndSwapInt32(&rw.readers, 0, -maxReaders) {
		rw.w.Unlock()
		return false
	}
	return true
}

// Unlock undoes Lock: first the readers that waited go on.
func (rw *RWMutex) Unlock() {
	n := atomic.AddInt32(&rw.readers, maxReaders)
	if n >= maxReaders {
		throw("sync: Unlock of unlocked RWMutex")
	}
	for range n {
		semrelease(&rw.reader, false)
	}
	rw.w.Unlock()
}

// RLocker returns a Locker that locks rw for reading.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
