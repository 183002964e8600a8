//go:build gosched

package atomic

// An Int32 is an int32 that is used atomically.
type Int32 struct{ v int32 }

func (x *Int32) Load() int32                        { return load(&x.v) }
func (x *Int32) Store(v int32)                      { store(&x.v, v) }
func (x *Int32) Add(delta int32) int32              { return add(&x.v, delta) }
func (x *Int32) Swap(v int32) int32                 { return swap(&x.v, v) }
func (x *Int32) CompareAndSwap(old, new int32) bool { return compareAndSwap(&x.v, old, new) }
func (x *Int32) And(mask int32) int32               { return and(&x.v, mask) }
func (x *Int32) Or(mask int32) int32                { return or(&x.v, mask) }

// An Int64 is an int64 that is used atomically.
type Int64 struct{ v int64 }

func (x *Int64) Load() int64                        { return load(&x.v) }
func (x *Int64) Store(v int64)                      { store(&x.v, v) }
func (x *Int64) Add(delta int64) int64              { return add(&x.v, delta) }
func (x *Int64) Swap(v int64) int64                 { return swap(&x.v, v) }
func (x *Int64) CompareAndSwap(old, new int64) bool { return compareAndSwap(&x.v, old, new) }
func (x *Int64) And(mask int64) int64               { return and(&x.v, mask) }
func (x *Int64) Or(mask int64) int64                { return or(&x.v, mask) }

// A Uint32 is a uint32 that is used atomically.
type Uint32 struct{ v uint32 }

func (x *Uint32) Load() uint32                        { return load(&x.v) }
func (x *Uint32) Store(v uint32)                      { store(&x.v, v) }
func (x *Uint32) Add(delta uint32) uint32             { return add(&x.v, delta) }
func (x *Uint32) Swap(v uint32) uint32                { return swap(&x.v, v) }
func (x *Uint32) CompareAndSwap(old, new uint32) bool { return compareAndSwap(&x.v, old, new) }
func (x *Uint32) And(mask uint32) uint32              { return and(&x.v, mask) }
func (x *Uint32) Or(mask uint32) uint32               { return or(&x.v, mask) }

// A Uint64 is a uint64 that is used atomically.
type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64                        { return load(&x.v) }
func (x *Uint64) Store(v uint64)                      { store(&x.v, v) }
func (x *Uint64) Add(delta uint64) uint64             { return add(&x.v, delta) }
func (x *Uint64) Swap(v uint64) uint64                { return swap(&x.v, v) }
func (x *Uint64) CompareAndSwap(old, new uint64) bool { return compareAndSwap(&x.v, old, new) }
func (x *Uint64) And(mask uint64) uint64              { return and(&x.v, mask) }
func (x *Uint64) Or(mask uint64) uint64               { return or(&x.v, mask) }

// A Uintptr is a uintptr that is used atomically.
type Uintptr struct{ v uintptr }

func (x *Uintptr) Load() uintptr                        { return load(&x.v) }
func (x *Uintptr) Store(v uintptr)                      { store(&x.v, v) }
func (x *Uintptr) Add(delta uintptr) uintptr            { return add(&x.v, delta) }
func (x *Uintptr) Swap(v uintptr) uintptr               { return swap(&x.v, v) }
func (x *Uintptr) CompareAndSwap(old, new uintptr) bool { return compareAndSwap(&x.v, old, new) }

// A Bool is a bool that is used atomically.
type Bool struct{ v uint32 }

func (x *Bool) Load() bool                        { return loadBool(&x.v) }
func (x *Bool) Store(v bool)                      { storeBool(&x.v, v) }
func (x *Bool) Swap(v bool) bool                  { return swapBool(&x.v, v) }
func (x *Bool) CompareAndSwap(old, new bool) bool { return compareAndSwapBool(&x.v, old, new) }

// A Pointer is a *T that is used atomically.
type Pointer[T any] struct{ p *T }

func (x *Pointer[T]) Load() *T                        { return load(&x.p) }
func (x *Pointer[T]) Store(v *T)                      { store(&x.p, v) }
func (x *Pointer[T]) Swap(v *T) *T                    { return swap(&x.p, v) }
func (x *Pointer[T]) CompareAndSwap(old, new *T) bool { return compareAndSwap(&x.p, old, new) }

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
