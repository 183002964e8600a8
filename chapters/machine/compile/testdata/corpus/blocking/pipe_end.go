package main

import (
	"fmt"
	"os"
	"syscall"
)

// Those who wait are woken when the other end is closed.
func main() {
	r, w, _ := os.Pipe()
	done := make(chan string)
	go func() {
		n, err := r.Read(make([]byte, 4))
		done <- fmt.Sprint("read ", n, " ", err)
	}()
	rest(w)
	w.Close()
	fmt.Println(<-done)

	r, w, _ = os.Pipe()
	go func() {
		n, err := w.Write(make([]byte, 100_000))
		done <- fmt.Sprint("write ", n > 0 && n < 100_000, " ", err)
	}()
	var some [1000]byte
	n, err := r.Read(some[:])
	fmt.Println(n, err)
	rest(r)
	r.Close()
	fmt.Println(<-done)
}

// rest gives the other goroutine the time to wait; it comes to the same if it does not.
func rest(*os.File) {
	ts := syscall.NsecToTimespec(200_000)
	syscall.Nanosleep(&ts, nil)
}
