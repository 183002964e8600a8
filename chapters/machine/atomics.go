package machine

import (
	"sync/atomic"
	"unsafe"
)

// The atomic variables of the scheduler under construction: those of
// sync/atomic, with the same meaning and the same order of memory, but a Hook
// sees each operation. Any thread may call any method at any time. The zero
// value is zero, and none may be copied.

// A Uint32 is an atomic uint32.
type Uint32 struct {
	tag
	v uint32
}

// Load returns the value.
func (x *Uint32) Load() uint32 {
	if watched && hook != nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadUint32(&x.v)
}

// Peek is Load without telling the Hook: for whoever writes a report. A part never calls
// it.
func (x *Uint32) Peek() uint32 { return atomic.LoadUint32(&x.v) }

// Store sets the value.
func (x *Uint32) Store(v uint32) {
	if watched && hook != nil {
		hookSwap(&x.tag, &x.v, AccessStore, v)
		return
	}
	atomic.StoreUint32(&x.v, v)
}

// Swap sets the value and returns the one before.
func (x *Uint32) Swap(new uint32) (old uint32) {
	if watched && hook != nil {
		return hookSwap(&x.tag, &x.v, AccessSwap, new)
	}
	return atomic.SwapUint32(&x.v, new)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	if watched && hook != nil {
		return hookCompareAndSwap(&x.tag, &x.v, old, new)
	}
	return atomic.CompareAndSwapUint32(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Uint32) Add(delta uint32) (new uint32) {
	if watched && hook != nil {
		return hookAdd(&x.tag, &x.v, delta)
	}
	return atomic.AddUint32(&x.v, delta)
}

// And keeps the bits of mask and returns the value before.
func (x *Uint32) And(mask uint32) (old uint32) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessAnd, mask)
	}
	return atomic.AndUint32(&x.v, mask)
}

// Or sets the bits of mask and returns the value before.
func (x *Uint32) Or(mask uint32) (old uint32) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessOr, mask)
	}
	return atomic.OrUint32(&x.v, mask)
}

// An Int32 is an atomic int32.
type Int32 struct {
	tag
	v int32
}

// Load returns the value.
func (x *Int32) Load() int32 {
	if watched && hook != nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadInt32(&x.v)
}

// Store sets the value.
func (x *Int32) Store(v int32) {
	if watched && hook != nil {
		hookSwap(&x.tag, &x.v, AccessStore, v)
		return
	}
	atomic.StoreInt32(&x.v, v)
}

// Swap sets the value and returns the one before.
func (x *Int32) Swap(new int32) (old int32) {
	if watched && hook != nil {
		return hookSwap(&x.tag, &x.v, AccessSwap, new)
	}
	return atomic.SwapInt32(&x.v, new)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	if watched && hook != nil {
		return hookCompareAndSwap(&x.tag, &x.v, old, new)
	}
	return atomic.CompareAndSwapInt32(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Int32) Add(delta int32) (new int32) {
	if watched && hook != nil {
		return hookAdd(&x.tag, &x.v, delta)
	}
	return atomic.AddInt32(&x.v, delta)
}

// And keeps the bits of mask and returns the value before.
func (x *Int32) And(mask int32) (old int32) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessAnd, mask)
	}
	return atomic.AndInt32(&x.v, mask)
}

// Or sets the bits of mask and returns the value before.
func (x *Int32) Or(mask int32) (old int32) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessOr, mask)
	}
	return atomic.OrInt32(&x.v, mask)
}

// A Hint is an int32 that is stored under a lock, and loaded by any thread, which
// cannot rely on it. So Store need not be seen before what the thread loads afterwards, as
// with the other types: the unlock sees to that. On some hosts it is cheaper then.
type Hint struct {
	tag
	v int32
}

// Load returns the value.
func (x *Hint) Load() int32 {
	if watched && hook != nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadInt32(&x.v)
}

// Store sets the value. The runtime's StoreRel.
func (x *Hint) Store(v int32) {
	switch {
	case watched && hook != nil:
		hookSwap(&x.tag, &x.v, AccessStore, v)
	case plainRelease:
		x.v = v
	default:
		atomic.StoreInt32(&x.v, v)
	}
}

// A Uint64 is an atomic uint64.
type Uint64 struct {
	tag
	v uint64
}

// Load returns the value.
func (x *Uint64) Load() uint64 {
	if watched && hook != nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadUint64(&x.v)
}

// Store sets the value.
func (x *Uint64) Store(v uint64) {
	if watched && hook != nil {
		hookSwap(&x.tag, &x.v, AccessStore, v)
		return
	}
	atomic.StoreUint64(&x.v, v)
}

// Swap sets the value and returns the one before.
func (x *Uint64) Swap(new uint64) (old uint64) {
	if watched && hook != nil {
		return hookSwap(&x.tag, &x.v, AccessSwap, new)
	}
	return atomic.SwapUint64(&x.v, new)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	if watched && hook != nil {
		return hookCompareAndSwap(&x.tag, &x.v, old, new)
	}
	return atomic.CompareAndSwapUint64(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Uint64) Add(delta uint64) (new uint64) {
	if watched && hook != nil {
		return hookAdd(&x.tag, &x.v, delta)
	}
	return atomic.AddUint64(&x.v, delta)
}

// And keeps the bits of mask and returns the value before.
func (x *Uint64) And(mask uint64) (old uint64) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessAnd, mask)
	}
	return atomic.AndUint64(&x.v, mask)
}

// Or sets the bits of mask and returns the value before.
func (x *Uint64) Or(mask uint64) (old uint64) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessOr, mask)
	}
	return atomic.OrUint64(&x.v, mask)
}

// An Int64 is an atomic int64.
type Int64 struct {
	tag
	v int64
}

// Load returns the value.
func (x *Int64) Load() int64 {
	if watched && hook != nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadInt64(&x.v)
}

// Store sets the value.
func (x *Int64) Store(v int64) {
	if watched && hook != nil {
		hookSwap(&x.tag, &x.v, AccessStore, v)
		return
	}
	atomic.StoreInt64(&x.v, v)
}

// Swap sets the value and returns the one before.
func (x *Int64) Swap(new int64) (old int64) {
	if watched && hook != nil {
		return hookSwap(&x.tag, &x.v, AccessSwap, new)
	}
	return atomic.SwapInt64(&x.v, new)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	if watched && hook != nil {
		return hookCompareAndSwap(&x.tag, &x.v, old, new)
	}
	return atomic.CompareAndSwapInt64(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Int64) Add(delta int64) (new int64) {
	if watched && hook != nil {
		return hookAdd(&x.tag, &x.v, delta)
	}
	return atomic.AddInt64(&x.v, delta)
}

// And keeps the bits of mask and returns the value before.
func (x *Int64) And(mask int64) (old int64) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessAnd, mask)
	}
	return atomic.AndInt64(&x.v, mask)
}

// Or sets the bits of mask and returns the value before.
func (x *Int64) Or(mask int64) (old int64) {
	if watched && hook != nil {
		return hookUpdate(&x.tag, &x.v, AccessOr, mask)
	}
	return atomic.OrInt64(&x.v, mask)
}

// A Bool is an atomic bool.
type Bool struct {
	tag
	v uint32
}

// Load returns the value.
func (x *Bool) Load() bool {
	if watched && hook != nil {
		return hookLoad(&x.tag, &x.v) != 0
	}
	return atomic.LoadUint32(&x.v) != 0
}

// Store sets the value.
func (x *Bool) Store(v bool) {
	if watched && hook != nil {
		hookSwap(&x.tag, &x.v, AccessStore, bit32(v))
		return
	}
	atomic.StoreUint32(&x.v, bit32(v))
}

// Swap sets the value and returns the one before.
func (x *Bool) Swap(new bool) (old bool) {
	if watched && hook != nil {
		return hookSwap(&x.tag, &x.v, AccessSwap, bit32(new)) != 0
	}
	return atomic.SwapUint32(&x.v, bit32(new)) != 0
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	if watched && hook != nil {
		return hookCompareAndSwap(&x.tag, &x.v, bit32(old), bit32(new))
	}
	return atomic.CompareAndSwapUint32(&x.v, bit32(old), bit32(new))
}

func bit32(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// A Pointer is an atomic pointer to a T.
type Pointer[T any] struct {
	tag
	_ [0]*T // so that Pointers to different types do not convert
	v unsafe.Pointer
}

// Load returns the pointer.
func (x *Pointer[T]) Load() *T {
	if watched && hook != nil {
		return x.hookLoad()
	}
	return (*T)(atomic.LoadPointer(&x.v))
}

// Peek is Load without telling the Hook: for whoever writes a report. A part never calls
// it.
func (x *Pointer[T]) Peek() *T { return (*T)(atomic.LoadPointer(&x.v)) }

// Store sets the pointer.
func (x *Pointer[T]) Store(v *T) {
	if watched && hook != nil {
		x.hookSwap(AccessStore, v)
		return
	}
	atomic.StorePointer(&x.v, unsafe.Pointer(v))
}

// Swap sets the pointer and returns the one before.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	if watched && hook != nil {
		return x.hookSwap(AccessSwap, new)
	}
	return (*T)(atomic.SwapPointer(&x.v, unsafe.Pointer(new)))
}

// CompareAndSwap sets the pointer to new if it is old, and reports whether it
// did.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	if watched && hook != nil {
		return x.hookCompareAndSwap(old, new)
	}
	return atomic.CompareAndSwapPointer(&x.v, unsafe.Pointer(old), unsafe.Pointer(new))
}
