package machine

import (
	"runtime"
	"sync/atomic"
	"unique"
)

// A Mutex keeps threads apart: the runtime's mutex. It is for short stretches
// of the scheduler's own code. A thread that waits does not run anything else,
// so a goroutine never waits on it. It is not fair and not reentrant. Another
// thread than the one that locked it may unlock it. The zero value is unlocked;
// it must not be copied.
type Mutex struct {
	tag
	name  unique.Handle[string] // one word, since there are many mutexes of few names; zero if it has none
	state uint32                // atomic, unless m has one CPU
	wait  sleeper
	m     *Machine // see On
}

// The states of a Mutex. The one who finds it contended at Unlock wakes a
// sleeper, which leaves it contended, since it cannot know of others.
const (
	mutexUnlocked = iota
	mutexLocked
	mutexContended // locked, and someone may sleep
)

// Init gives the mutex a name for reports. It may be called only while no other thread
// uses the mutex, and need not be called at all.
func (mu *Mutex) Init(name string) { mu.Name(unique.Make(name)) }

// Name is Init for mutexes that are made often: to look up the one place of a string costs more
// than making a small object.
func (mu *Mutex) Name(name unique.Handle[string]) { mu.name = name }

// called returns the name, "" if there is none.
func (mu *Mutex) called() string {
	if mu.name == (unique.Handle[string]{}) {
		return ""
	}
	return mu.name.Value()
}

// On says that the mutex belongs to m: when m halts, the threads that sleep on it end.
// It may be called as Init may.
func (mu *Mutex) On(m *Machine) { mu.m = m }

// Lock returns when the caller holds the mutex. The runtime's lock.
func (mu *Mutex) Lock() {
	if mu.m != nil && mu.m.oneCPU && mu.state == mutexUnlocked {
		mu.state = mutexLocked
	} else {
		mu.lockMany()
	}
}

// lockMany is Lock where there may be others. It is a call, so that Lock is none.
//
//go:noinline
func (mu *Mutex) lockMany() {
	if watched && hook != nil || !atomic.CompareAndSwapUint32(&mu.state, mutexUnlocked, mutexLocked) {
		mu.lockSlow()
	}
}

// How often a thread looks again before it sleeps: with pauses of SpinCycles in
// between first, then letting others run. On one CPU the holder cannot go on
// meanwhile. The runtime's mutexActiveSpinCount, mutexPassiveSpinCount and
// mutexActiveSpinSize; a simulation of a Mutex does the same.
const (
	ActiveSpins  = 4
	PassiveSpins = 1
	SpinCycles   = 30
)

func (mu *Mutex) lockSlow() {
	if watched && hook != nil {
		hook.Lock(mu.touch(), mu.called())
		return
	}
	if runtime.NumCPU() > 1 {
		for range ActiveSpins {
			if atomic.CompareAndSwapUint32(&mu.state, mutexUnlocked, mutexLocked) {
				return
			}
			Procyield(SpinCycles)
		}
	}
	for range PassiveSpins {
		if atomic.CompareAndSwapUint32(&mu.state, mutexUnlocked, mutexLocked) {
			return
		}
		osyield() // then it sleeps, so there is no need for Osyield
	}
	for atomic.SwapUint32(&mu.state, mutexContended) != mutexUnlocked {
		mu.m.sleep(&mu.wait, -1)
	}
}

// TryLock takes the mutex if it is free, and reports whether it did.
func (mu *Mutex) TryLock() bool {
	if watched && hook != nil {
		return hook.TryLock(mu.touch(), mu.called())
	}
	return atomic.CompareAndSwapUint32(&mu.state, mutexUnlocked, mutexLocked)
}

// Unlock lets the next one in. If the mutex is not locked, that is a Fatal. The
// runtime's unlock.
func (mu *Mutex) Unlock() {
	if mu.m != nil && mu.m.oneCPU && mu.state == mutexLocked {
		mu.state = mutexUnlocked
	} else {
		mu.unlockMany()
	}
}

// unlockMany is Unlock where there may be others; a call, as lockMany is.
//
//go:noinline
func (mu *Mutex) unlockMany() {
	if watched && hook != nil || !atomic.CompareAndSwapUint32(&mu.state, mutexLocked, mutexUnlocked) {
		mu.unlockSlow()
	}
}

func (mu *Mutex) unlockSlow() {
	if watched && hook != nil {
		if !hook.Unlock(mu.touch()) {
			mu.badUnlock()
		}
		return
	}
	switch atomic.SwapUint32(&mu.state, mutexUnlocked) {
	case mutexUnlocked:
		mu.badUnlock()
	case mutexContended:
		mu.wait.wake()
	}
}

func (mu *Mutex) badUnlock() {
	if name := mu.called(); name != "" {
		throw("unlock of unlocked lock " + name)
	}
	throw("unlock of unlocked lock")
}
