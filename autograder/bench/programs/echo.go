//go:build ignore

// A message goes over the network to another goroutine and back n times.
package main

import (
	"io"
	"net"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		buf := make([]byte, 64)
		for {
			if _, err := io.ReadFull(c, buf); err != nil {
				return
			}
			c.Write(buf)
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	buf := make([]byte, 64)
	for i := 0; i < n; i++ {
		c.Write(buf)
		if _, err := io.ReadFull(c, buf); err != nil {
			panic(err)
		}
	}
}
