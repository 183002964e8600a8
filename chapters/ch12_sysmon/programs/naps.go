//go:build ignore

// Naps lets a goroutine sleep in the kernel, for 300 µs each time, while another one computes.
package main

import (
	"fmt"
	"syscall"
)

//go:noinline
func step(x int) int { return (x*1103515245 + 12345) & 0x7fffffff }

func main() {
	done := make(chan bool)
	go func() {
		for range 300 {
			nap := syscall.NsecToTimespec(300_000)
			syscall.Nanosleep(&nap, nil)
		}
		done <- true
	}()
	x := 1
	for {
		select {
		case <-done:
			fmt.Println("done")
			return
		default:
		}
		for range 1000 {
			x = step(x)
		}
	}
}
