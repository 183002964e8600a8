//go:build ignore

// Raw asks the kernel for a sleep of 10 s, by a call of which the scheduler is not told.
package main

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	span := syscall.NsecToTimespec(10_000_000_000)
	began := time.Now()
	_, _, err := syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&span)), 0, 0)
	fmt.Printf("%v after %v\n", err, time.Since(began).Round(time.Millisecond))
}
