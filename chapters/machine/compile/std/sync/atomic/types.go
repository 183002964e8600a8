//go:build gosched

package atomic

// An Int32 is an int32 that is used atomically.
type Int32 struct{ v int32 }

func (x *Int32) Load() int32                        { return LoadInt32(&x.v) }
func (x *Int32) Store(v int32)                      { StoreInt32(&x.v, v) }
func (x *Int32) Add(delta int32) int32              { return AddInt32(&x.v, delta) }
func (x *Int32) Swap(v int32) int32                 { return SwapInt32(&x.v, v) }
func (x *Int32) CompareAndSwap(old, new int32) bool { return CompareAndSwapInt32(&x.v, old, new) }
func (x *Int32) And(mask int32) int32               { return AndInt32(&x.v, mask) }
func (x *Int32) Or(mask int32) int32                { return OrInt32(&x.v, mask) }

// An Int64 is an int64 that is used atomically.
type Int64 struct{ v int64 }

func (x *Int64) Load() int64                        { return LoadInt64(&x.v) }
func (x *Int64) Store(v int64)                      { StoreInt64(&x.v, v) }
func (x *Int64) Add(delta int64) int64              { return AddInt64(&x.v, delta) }
func (x *Int64) Swap(v int64) int64                 { return SwapInt64(&x.v, v) }
func (x *Int64) CompareAndSwap(old, new int64) bool { return CompareAndSwapInt64(&x.v, old, new) }
func (x *Int64) And(mask int64) int64               { return AndInt64(&x.v, mask) }
func (x *Int64) Or(mask int64) int64                { return OrInt64(&x.v, mask) }

// A Uint32 is a uint32 that is used atomically.
type Uint32 struct{ v uint32 }

func (x *Uint32) Load() uint32                        { return LoadUint32(&x.v) }
func (x *Uint32) Store(v uint32)                      { StoreUint32(&x.v, v) }
func (x *Uint32) Add(delta uint32) uint32             { return AddUint32(&x.v, delta) }
func (x *Uint32) Swap(v uint32) uint32                { return SwapUint32(&x.v, v) }
func (x *Uint32) CompareAndSwap(old, new uint32) bool { return CompareAndSwapUint32(&x.v, old, new) }
func (x *Uint32) And(mask uint32) uint32              { return AndUint32(&x.v, mask) }
func (x *Uint32) Or(mask uint32) uint32               { return OrUint32(&x.v, mask) }

// A Uint64 is a uint64 that is used atomically.
type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64                        { return LoadUint64(&x.v) }
func (x *Uint64) Store(v uint64)                      { StoreUint64(&x.v, v) }
func (x *Uint64) Add(delta uint64) uint64             { return AddUint64(&x.v, delta) }
func (x *Uint64) Swap(v uint64) uint64                { return SwapUint64(&x.v, v) }
func (x *Uint64) CompareAndSwap(old, new uint64) bool { return CompareAndSwapUint64(&x.v, old, new) }
func (x *Uint64) And(mask uint64) uint64              { return AndUint64(&x.v, mask) }
func (x *Uint64) Or(mask uint64) uint64               { return OrUint64(&x.v, mask) }

// A Uintptr is a uintptr that is used atomically.
type Uintptr struct{ v uintptr }

func (x *Uintptr) Load() uintptr                        { return LoadUintptr(&x.v) }
func (x *Uintptr) Store(v uintptr)                      { StoreUintptr(&x.v, v) }
func (x *Uintptr) Add(delta uintptr) uintptr            { return AddUintptr(&x.v, delta) }
func (x *Uintptr) Swap(v uintptr) uintptr               { return SwapUintptr(&x.v, v) }
func (x *Uintptr) CompareAndSwap(old, new uintptr) bool { return CompareAndSwapUintptr(&x.v, old, new) }

// A Bool is a bool that is used atomically.
type Bool struct{ v uint32 }

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func (x *Bool) Load() bool       { return LoadUint32(&x.v) != 0 }
func (x *Bool) Store(v bool)     { StoreUint32(&x.v, bit(v)) }
func (x *Bool) Swap(v bool) bool { return SwapUint32(&x.v, bit(v)) != 0 }
func (x *Bool) CompareAndSwap(old, new bool) bool {
	return CompareAndSwapUint32(&x.v, bit(old), bit(new))
}

// A Pointer is a *T that is used atomically.
type Pointer[T any] struct{ p *T }

func (x *Pointer[T]) Load() *T     { return opPointer(opLoad, bits64, &x.p, nil, nil) }
func (x *Pointer[T]) Store(v *T)   { opPointer(opStore, bits64, &x.p, v, nil) }
func (x *Pointer[T]) Swap(v *T) *T { return opPointer(opSwap, bits64, &x.p, v, nil) }
func (x *Pointer[T]) CompareAndSwap(old, new *T) bool {
	return casPointer(opCompareAndSwap, bits64, &x.p, old, new)
}

// A Value is a value of any type that is used atomically.
type Value struct{ p Pointer[any] }

// Load returns the value stored last, or nil.
func (v *Value) Load() any {
	if p := v.p.Load(); p != nil {
		return *p
	}
	return nil
}

// Store makes x the value.
func (v *Value) Store(x any) {
	if x == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	v.p.Store(&x)
}
