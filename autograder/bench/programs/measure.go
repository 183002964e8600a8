//go:build ignore

package main

import (
	"fmt"
	"runtime"
)

// measure prints how many bytes the goroutines and the heap have in use.
func measure() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.HeapAlloc + m.StackInuse)
}
