//go:build ignore

// Turns starts 200 goroutines on one P and yields, again and again. Each time that main
// goes on it notes how many of them have run.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	runtime.GOMAXPROCS(1)
	time.Sleep(time.Millisecond) // by then, whatever else there was to run has run

	ran := 0
	for range 200 {
		go func() { ran++ }()
	}
	var seen []int
	for ran < 200 {
		runtime.Gosched()
		seen = append(seen, ran)
	}
	fmt.Println("main went on after", seen)
}
