//go:build ignore

// Four connections wait. Then something comes on all of them, and each of the four that read
// computes.
package main

import (
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var others []net.Conn
	var readers sync.WaitGroup
	for range 4 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		other, err := l.Accept()
		if err != nil {
			panic(err)
		}
		others = append(others, other)
		readers.Go(func() {
			c.Read(make([]byte, 1))
			compute()
		})
	}
	time.Sleep(time.Millisecond)
	for _, c := range others {
		c.Write([]byte{1})
	}
	readers.Wait()
	fmt.Println("done")
}

func compute() {
	for range 100_000 {
	}
}
