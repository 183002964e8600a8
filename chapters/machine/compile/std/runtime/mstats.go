//go:build gosched

package runtime

func readMemStats() (alloc, total, sys, mallocs, frees, numGC, nextGC uint64)

// MemStats are figures about memory: those that a collector of this size has.
type MemStats struct {
	Alloc       uint64 // bytes of objects, also of those that cannot be reached and were not collected yet
	TotalAlloc  uint64 // bytes of all objects that were ever made
	Sys         uint64 // bytes of the machine's memory
	Mallocs     uint64 // objects that were made
	Frees       uint64 // objects that were freed
	HeapAlloc   uint64 // Alloc
	HeapObjects uint64 // Mallocs - Frees
	NextGC      uint64 // HeapAlloc at which the next collection begins
	NumGC       uint32 // collections
}

// ReadMemStats fills m.
func ReadMemStats(m *MemStats) {
	alloc, total, sys, mallocs, frees, numGC, nextGC := readMemStats()
	*m = MemStats{
		Alloc: alloc, TotalAlloc: total, Sys: sys, Mallocs: mallocs, Frees: frees,
		HeapAlloc: alloc, HeapObjects: mallocs - frees, NextGC: nextGC, NumGC: uint32(numGC),
	}
}

// MemProfileRate is there for programs that set it. There is no memory profile.
var MemProfileRate = 512 * 1024
