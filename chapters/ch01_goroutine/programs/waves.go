//go:build ignore

// Waves starts 10,000 short goroutines, ten at a time.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(1)
	done := 0
	for done < 10_000 {
		wave := done + 10
		for i := 0; i < 10; i++ {
			go func() { done++ }()
		}
		for done < wave {
			runtime.Gosched()
		}
	}
	fmt.Println(done, "goroutines have run")
}
