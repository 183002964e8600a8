//go:build gosched

// Package atomic reads and writes variables that other goroutines use at the
// same time. Each function is one instruction of the machine, and so is each
// method but those of Value.
package atomic

// The instructions. T is a type of 32 or 64 bits.
func load[T any](addr *T) T
func store[T any](addr *T, v T)
func swap[T any](addr *T, v T) T // returns what was there
func compareAndSwap[T any](addr *T, old, new T) bool
func add[T any](addr *T, delta T) T // returns what is there now
func and[T any](addr *T, mask T) T  // returns what was there
func or[T any](addr *T, mask T) T

// The same of a bool, which is 0 or 1 in the variable.
func loadBool(addr *uint32) bool
func storeBool(addr *uint32, v bool)
func swapBool(addr *uint32, v bool) bool
func compareAndSwapBool(addr *uint32, old, new bool) bool

func LoadInt32(addr *int32) int32           { return load(addr) }
func LoadInt64(addr *int64) int64           { return load(addr) }
func LoadUint32(addr *uint32) uint32        { return load(addr) }
func LoadUint64(addr *uint64) uint64        { return load(addr) }
func LoadUintptr(addr *uintptr) uintptr     { return load(addr) }
func StoreInt32(addr *int32, v int32)       { store(addr, v) }
func StoreInt64(addr *int64, v int64)       { store(addr, v) }
func StoreUint32(addr *uint32, v uint32)    { store(addr, v) }
func StoreUint64(addr *uint64, v uint64)    { store(addr, v) }
func StoreUintptr(addr *uintptr, v uintptr) { store(addr, v) }

func AddInt32(addr *int32, delta int32) int32         { return add(addr, delta) }
func AddInt64(addr *int64, delta int64) int64         { return add(addr, delta) }
func AddUint32(addr *uint32, delta uint32) uint32     { return add(addr, delta) }
func AddUint64(addr *uint64, delta uint64) uint64     { return add(addr, delta) }
func AddUintptr(addr *uintptr, delta uintptr) uintptr { return add(addr, delta) }

func SwapInt32(addr *int32, v int32) int32         { return swap(addr, v) }
func SwapInt64(addr *int64, v int64) int64         { return swap(addr, v) }
func SwapUint32(addr *uint32, v uint32) uint32     { return swap(addr, v) }
func SwapUint64(addr *uint64, v uint64) uint64     { return swap(addr, v) }
func SwapUintptr(addr *uintptr, v uintptr) uintptr { return swap(addr, v) }

func CompareAndSwapInt32(addr *int32, old, new int32) bool    { return compareAndSwap(addr, old, new) }
func CompareAndSwapInt64(addr *int64, old, new int64) bool    { return compareAndSwap(addr, old, new) }
func CompareAndSwapUint32(addr *uint32, old, new uint32) bool { return compareAndSwap(addr, old, new) }
func CompareAndSwapUint64(addr *uint64, old, new uint64) bool { return compareAndSwap(addr, old, new) }
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) bool {
	return compareAndSwap(addr, old, new)
}

func AndInt32(addr *int32, mask int32) int32     { return and(addr, mask) }
func AndUint32(addr *uint32, mask uint32) uint32 { return and(addr, mask) }
func AndInt64(addr *int64, mask int64) int64     { return and(addr, mask) }
func AndUint64(addr *uint64, mask uint64) uint64 { return and(addr, mask) }
func OrInt32(addr *int32, mask int32) int32      { return or(addr, mask) }
func OrUint32(addr *uint32, mask uint32) uint32  { return or(addr, mask) }
func OrInt64(addr *int64, mask int64) int64      { return or(addr, mask) }
func OrUint64(addr *uint64, mask uint64) uint64  { return or(addr, mask) }
