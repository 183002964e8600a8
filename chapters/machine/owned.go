package machine

import (
	"sync/atomic"
	"unsafe"
)

// An Owned is a pointer that belongs to one thread at a time: its owner gets and sets
// it, and any other thread may look at it at any time. Whoever looks learns what it was
// at that moment and nothing about what it is now, but sees all that the owner did
// before the Set. Where two threads would be owners at once, an exploration reports it,
// as for a Cell. Get costs what a field costs, and on some hosts so does Set. The
// runtime has plain fields for this, such as p.m and m.curg, which sysmon reads.
type Owned[T any] struct {
	tag
	v unsafe.Pointer
}

// Get returns the pointer. Only the owner calls it.
func (x *Owned[T]) Get() *T {
	if watched && hook != nil {
		x.access(AccessGet)
	}
	return (*T)(x.v)
}

// Set sets it. Only the owner calls it.
func (x *Owned[T]) Set(p *T) {
	switch {
	case watched && hook != nil:
		h, id := hook, x.touch()
		h.Access(id, AccessRelease)
		old := (*T)(x.v)
		x.v = unsafe.Pointer(p)
		h.Done(id, AccessStore, ptr(old), ptr(p), true)
	case plainRelease:
		x.v = unsafe.Pointer(p)
	default:
		atomic.StorePointer(&x.v, unsafe.Pointer(p))
	}
}

// Look returns what the pointer is at this moment. Any thread may call it.
func (x *Owned[T]) Look() *T {
	if watched && hook != nil {
		h, id := hook, x.touch()
		h.Access(id, AccessLoad)
		v := (*T)(x.v)
		h.Done(id, AccessLoad, ptr(v), ptr(v), true)
		return v
	}
	return (*T)(atomic.LoadPointer(&x.v))
}

// Peek is Look without telling the Hook: for whoever writes a report. A part never calls
// it.
func (x *Owned[T]) Peek() *T { return (*T)(atomic.LoadPointer(&x.v)) }

// An OwnedUint32 is a number of which the same holds as of an Owned.
type OwnedUint32 struct {
	tag
	v uint32
}

// Get returns the number. Only the owner calls it.
func (x *OwnedUint32) Get() uint32 {
	if watched && hook != nil {
		x.access(AccessGet)
	}
	return x.v
}

// Set sets it. Only the owner calls it.
func (x *OwnedUint32) Set(v uint32) {
	switch {
	case watched && hook != nil:
		h, id := hook, x.touch()
		h.Access(id, AccessRelease)
		old := x.v
		x.v = v
		h.Done(id, AccessStore, num(old), num(v), true)
	case plainRelease:
		x.v = v
	default:
		atomic.StoreUint32(&x.v, v)
	}
}

// Look returns what the number is at this moment. Any thread may call it.
func (x *OwnedUint32) Look() uint32 {
	if watched && hook != nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadUint32(&x.v)
}

// A Guard is where a stack ends for the prologues of a goroutine: Context.Guard. Its
// owner sets it to the end, and any thread may poison it with StackPreempt. For an
// exploration each Load and Store is a step. Simulated CPUs do not count them: the guard
// lies beside what Gogo loads.
type Guard struct {
	tag
	v uint64
}

// Load returns the guard.
func (x *Guard) Load() uint64 {
	if watched && hook != nil && costs == nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadUint64(&x.v)
}

// Store sets it.
func (x *Guard) Store(v uint64) {
	if watched && hook != nil && costs == nil {
		hookSwap(&x.tag, &x.v, AccessStore, v)
		return
	}
	atomic.StoreUint64(&x.v, v)
}

// A Flag is a bool that any thread may get and set, and that says nothing about anything
// else: a Set need not be seen before what the thread loads afterwards. On some hosts it
// is cheaper then. For an exploration Get and Set are steps, unlike those of a Cell; on
// simulated CPUs they cost what a Cell's cost.
type Flag struct {
	tag
	v uint32
}

// Get returns the flag.
func (x *Flag) Get() bool {
	if watched && hook != nil {
		if costs == nil {
			return hookLoad(&x.tag, &x.v) != 0
		}
		x.access(AccessGet)
	}
	return atomic.LoadUint32(&x.v) != 0
}

// Set sets it.
func (x *Flag) Set(v bool) {
	switch {
	case watched && hook != nil && costs == nil:
		hookSwap(&x.tag, &x.v, AccessStore, bit32(v))
	case watched && hook != nil:
		x.access(AccessSet)
		x.v = bit32(v)
	case plainRelease:
		x.v = bit32(v)
	default:
		atomic.StoreUint32(&x.v, bit32(v))
	}
}
