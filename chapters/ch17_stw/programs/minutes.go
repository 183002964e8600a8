//go:build ignore

// A program that makes garbage once, and then only sleeps: it is collected every two minutes, and what
// is to happen when an object goes happens then.
package main

import (
	"fmt"
	"runtime"
	"time"
)

type box struct{ n int }

func forget() {
	b := &box{7}
	runtime.SetFinalizer(b, func(b *box) { fmt.Println("finalizer of box", b.n) })
}

func main() {
	runtime.GC()
	forget()
	last := uint32(1)
	for range 3 {
		time.Sleep(200 * time.Second)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Println("collected again:", m.NumGC > last, m.NumGC <= last+2)
		last = m.NumGC
	}
}
