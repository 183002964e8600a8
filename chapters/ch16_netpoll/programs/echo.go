//go:build ignore

// A server answers eight clients, each of which asks it twenty times.
package main

import (
	"fmt"
	"io"
	"net"
	"sync"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serve(l)
	var clients sync.WaitGroup
	var mu sync.Mutex
	answers := 0
	for i := range 8 {
		clients.Go(func() {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				panic(err)
			}
			defer c.Close()
			buf := make([]byte, 1)
			for range 20 {
				c.Write([]byte{byte(i)})
				if _, err := io.ReadFull(c, buf); err == nil && int(buf[0]) == i {
					mu.Lock()
					answers++
					mu.Unlock()
				}
			}
		})
	}
	clients.Wait()
	fmt.Println("answers:", answers)
}

func serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			buf := make([]byte, 1)
			for {
				if _, err := io.ReadFull(c, buf); err != nil {
					return
				}
				c.Write(buf)
			}
		}()
	}
}
