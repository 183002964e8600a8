//go:build ignore

// How long does an answer take, first when nothing else is to be done, and then while every P
// computes?
package main

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"sync/atomic"
	"time"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serve(l)
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	fmt.Println("idle:", ask(c, 3))
	for range runtime.GOMAXPROCS(0) {
		go compute()
	}
	time.Sleep(20 * time.Millisecond) // by then all of them run
	fmt.Println("busy:", ask(c, 3))
	stop.Store(true)
}

// ask asks some times, and returns what it took on average.
func ask(c net.Conn, times int) time.Duration {
	buf := []byte{1}
	began := time.Now()
	for range times {
		c.Write(buf)
		io.ReadFull(c, buf)
	}
	return (time.Since(began) / time.Duration(times)).Round(time.Microsecond)
}

func serve(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	buf := make([]byte, 1)
	for {
		if _, err := io.ReadFull(c, buf); err != nil {
			return
		}
		c.Write(buf)
	}
}

var stop atomic.Bool

func compute() {
	for !stop.Load() {
	}
}
