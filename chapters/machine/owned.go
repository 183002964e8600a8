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
		id := x.touch()
		hook.Access(id, AccessRelease)
		old := (*T)(x.v)
		x.v = unsafe.Pointer(p)
		done(id, AccessStore, ptr(old), ptr(p), true)
	case plainRelease:
		x.v = unsafe.Pointer(p)
	default:
		atomic.StorePointer(&x.v, unsafe.Pointer(p))
	}
}

// Look returns what the pointer is at this moment. Any thread may call it.
func (x *Owned[T]) Look() *T {
	if watched && hook != nil {
		id := x.touch()
		hook.Access(id, AccessLoad)
		v := (*T)(x.v)
		done(id, AccessLoad, ptr(v), ptr(v), true)
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
		id := x.touch()
		hook.Access(id, AccessRelease)
		old := x.v
		x.v = v
		done(id, AccessStore, num(old), num(v), true)
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
