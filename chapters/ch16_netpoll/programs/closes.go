//go:build ignore

// Twenty goroutines read, and one accepts. All of the connections, and the listener, are
// closed by others meanwhile.
package main

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var readers sync.WaitGroup
	var mu sync.Mutex
	ended := 0
	for range 20 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		if _, err := l.Accept(); err != nil {
			panic(err)
		}
		readers.Go(func() {
			if _, err := c.Read(make([]byte, 1)); errors.Is(err, net.ErrClosed) {
				mu.Lock()
				ended++
				mu.Unlock()
			}
		})
		readers.Go(func() {
			runtime.Gosched()
			c.Close()
		})
	}
	readers.Wait()
	fmt.Println("ended:", ended)
	accepted := make(chan error)
	go func() {
		_, err := l.Accept()
		accepted <- err
	}()
	runtime.Gosched()
	l.Close()
	if <-accepted != nil {
		fmt.Println("accept ended")
	}
}
