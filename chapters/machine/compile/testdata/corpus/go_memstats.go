package main

import (
	"fmt"
	"runtime"
)

var kept [][]byte

// allocated is how many bytes more there are after f.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	fmt.Println(after.TotalAlloc >= before.TotalAlloc, after.Alloc == after.HeapAlloc, after.Alloc < after.Sys)
	return after.Alloc - before.Alloc
}

func main() {
	runtime.MemProfileRate = 0
	big := allocated(func() { kept = append(kept, make([]byte, 1<<20)) })
	fmt.Println("a megabyte:", big > 1_000_000, big < 1_200_000)
	small := allocated(func() {
		for range 10_000 {
			kept = append(kept, make([]byte, 64))
		}
	})
	fmt.Println("10,000 small ones:", small > 600_000, small < 2_500_000)
	fmt.Println(len(kept))
}
