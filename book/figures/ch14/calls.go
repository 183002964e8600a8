//go:build ignore

// Calls sleeps in three ways, and says how each sleep ended. Its main goroutine
// is locked to the first thread of the process.
package main

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

func init() { runtime.LockOSThread() }

func main() {
	span := syscall.NsecToTimespec(10_000_000_000) // more than enough for a signal to come
	if err := syscall.Nanosleep(&span, nil); err != nil {
		fmt.Println("syscall.Nanosleep: ", err)
	} else {
		fmt.Println("syscall.Nanosleep:  10 s")
	}

	began := time.Now()
	time.Sleep(20 * time.Millisecond)
	fmt.Println("time.Sleep:         20 ms, not less:", time.Since(began) >= 20*time.Millisecond)

	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	go func() {
		time.Sleep(20 * time.Millisecond)
		syscall.Write(pipe[1], []byte("x"))
	}()
	n, err := syscall.Read(pipe[0], make([]byte, 1))
	fmt.Println("read from a pipe:  ", n, "byte, error:", err)
}
