//go:build gosched

package runtime

func readMemStats() (alloc, sys uint64)

// MemStats are figures about memory. There are fewer than in Go: nothing is
// collected yet, so no collector has anything to tell.
type MemStats struct {
	Alloc      uint64 // bytes of objects
	TotalAlloc uint64 // the same, since none is ever freed
	HeapAlloc  uint64 // the same
	Sys        uint64 // bytes of the machine's memory
}

// ReadMemStats fills m.
func ReadMemStats(m *MemStats) {
	alloc, sys := readMemStats()
	*m = MemStats{Alloc: alloc, TotalAlloc: alloc, HeapAlloc: alloc, Sys: sys}
}

// GC does nothing: nothing is collected yet.
func GC() {}

// MemProfileRate is there for programs that set it. There is no memory profile.
var MemProfileRate = 512 * 1024
