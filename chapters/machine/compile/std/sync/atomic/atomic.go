//go:build gosched

// Package atomic reads and writes variables that other goroutines use at the
// same time. The machine does it in one step.
package atomic

// The operations of the machine.
const (
	opLoad = iota
	opStore
	opAdd
	opSwap
	opCompareAndSwap
	opAnd
	opOr
)

// The sizes of variables in bytes, negative if signed.
const (
	signed32 = -4
	bits32   = 4
	bits64   = 8
)

// opInt32 does op on the variable at addr and returns what it was before, for
// opAdd what it is now, and for opCompareAndSwap 1 if it was x. So do the others.
func opInt32(op, size int, addr *int32, x, y int32) int32
func opInt64(op, size int, addr *int64, x, y int64) int64
func opUint32(op, size int, addr *uint32, x, y uint32) uint32
func opUint64(op, size int, addr *uint64, x, y uint64) uint64
func opUintptr(op, size int, addr *uintptr, x, y uintptr) uintptr
func opPointer[T any](op, size int, addr **T, x, y *T) *T
func casPointer[T any](op, size int, addr **T, x, y *T) bool

func LoadInt32(addr *int32) int32           { return opInt32(opLoad, signed32, addr, 0, 0) }
func LoadInt64(addr *int64) int64           { return opInt64(opLoad, bits64, addr, 0, 0) }
func LoadUint32(addr *uint32) uint32        { return opUint32(opLoad, bits32, addr, 0, 0) }
func LoadUint64(addr *uint64) uint64        { return opUint64(opLoad, bits64, addr, 0, 0) }
func LoadUintptr(addr *uintptr) uintptr     { return opUintptr(opLoad, bits64, addr, 0, 0) }
func StoreInt32(addr *int32, v int32)       { opInt32(opStore, signed32, addr, v, 0) }
func StoreInt64(addr *int64, v int64)       { opInt64(opStore, bits64, addr, v, 0) }
func StoreUint32(addr *uint32, v uint32)    { opUint32(opStore, bits32, addr, v, 0) }
func StoreUint64(addr *uint64, v uint64)    { opUint64(opStore, bits64, addr, v, 0) }
func StoreUintptr(addr *uintptr, v uintptr) { opUintptr(opStore, bits64, addr, v, 0) }

func AddInt32(addr *int32, delta int32) int32     { return opInt32(opAdd, signed32, addr, delta, 0) }
func AddInt64(addr *int64, delta int64) int64     { return opInt64(opAdd, bits64, addr, delta, 0) }
func AddUint32(addr *uint32, delta uint32) uint32 { return opUint32(opAdd, bits32, addr, delta, 0) }
func AddUint64(addr *uint64, delta uint64) uint64 { return opUint64(opAdd, bits64, addr, delta, 0) }
func AddUintptr(addr *uintptr, delta uintptr) uintptr {
	return opUintptr(opAdd, bits64, addr, delta, 0)
}

func SwapInt32(addr *int32, v int32) int32         { return opInt32(opSwap, signed32, addr, v, 0) }
func SwapInt64(addr *int64, v int64) int64         { return opInt64(opSwap, bits64, addr, v, 0) }
func SwapUint32(addr *uint32, v uint32) uint32     { return opUint32(opSwap, bits32, addr, v, 0) }
func SwapUint64(addr *uint64, v uint64) uint64     { return opUint64(opSwap, bits64, addr, v, 0) }
func SwapUintptr(addr *uintptr, v uintptr) uintptr { return opUintptr(opSwap, bits64, addr, v, 0) }

func CompareAndSwapInt32(addr *int32, old, new int32) bool {
	return opInt32(opCompareAndSwap, signed32, addr, old, new) != 0
}
func CompareAndSwapInt64(addr *int64, old, new int64) bool {
	return opInt64(opCompareAndSwap, bits64, addr, old, new) != 0
}
func CompareAndSwapUint32(addr *uint32, old, new uint32) bool {
	return opUint32(opCompareAndSwap, bits32, addr, old, new) != 0
}
func CompareAndSwapUint64(addr *uint64, old, new uint64) bool {
	return opUint64(opCompareAndSwap, bits64, addr, old, new) != 0
}
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) bool {
	return opUintptr(opCompareAndSwap, bits64, addr, old, new) != 0
}

func AndInt32(addr *int32, mask int32) int32     { return opInt32(opAnd, signed32, addr, mask, 0) }
func AndUint32(addr *uint32, mask uint32) uint32 { return opUint32(opAnd, bits32, addr, mask, 0) }
func AndInt64(addr *int64, mask int64) int64     { return opInt64(opAnd, bits64, addr, mask, 0) }
func AndUint64(addr *uint64, mask uint64) uint64 { return opUint64(opAnd, bits64, addr, mask, 0) }
func OrInt32(addr *int32, mask int32) int32      { return opInt32(opOr, signed32, addr, mask, 0) }
func OrUint32(addr *uint32, mask uint32) uint32  { return opUint32(opOr, bits32, addr, mask, 0) }
func OrInt64(addr *int64, mask int64) int64      { return opInt64(opOr, bits64, addr, mask, 0) }
func OrUint64(addr *uint64, mask uint64) uint64  { return opUint64(opOr, bits64, addr, mask, 0) }
