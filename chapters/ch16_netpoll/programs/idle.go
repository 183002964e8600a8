//go:build ignore

// Two hundred connections are idle; then something comes on all of them.
package main

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var others []net.Conn
	var readers sync.WaitGroup
	var answers atomic.Int32
	for range 200 {
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
			if n, _ := c.Read(make([]byte, 1)); n == 1 {
				answers.Add(1)
			}
		})
	}
	fmt.Println("idle:", len(others))
	for _, c := range others {
		c.Write([]byte{1})
	}
	readers.Wait()
	fmt.Println("answers:", answers.Load())
}
