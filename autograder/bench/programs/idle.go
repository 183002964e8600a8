//go:build ignore

// n connections exist, and at both ends of each a goroutine waits for something to read.
package main

import (
	"net"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	wait := func(c net.Conn) { c.Read(make([]byte, 1)) }
	var accepted sync.WaitGroup
	for i := 0; i < n; i++ {
		accepted.Go(func() {
			c, err := l.Accept()
			if err != nil {
				panic(err)
			}
			go wait(c)
		})
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		go wait(c)
		accepted.Wait()
	}
	time.Sleep(time.Millisecond) // they wait
	measure()
	runtime.KeepAlive(l)
}
