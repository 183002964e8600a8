//go:build ignore

// Ten goroutines read with a deadline, three times, and nothing comes. Then a deadline is
// moved while a goroutine waits, and something comes.
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
	var readers sync.WaitGroup
	var mu sync.Mutex
	timeouts := 0
	for range 10 {
		c, _ := pair(l)
		readers.Go(func() {
			for range 3 {
				c.SetReadDeadline(time.Now().Add(time.Millisecond))
				_, err := c.Read(make([]byte, 1))
				if e, ok := err.(net.Error); ok && e.Timeout() {
					mu.Lock()
					timeouts++
					mu.Unlock()
				}
			}
		})
	}
	readers.Wait()
	fmt.Println("timeouts:", timeouts)

	c, other := pair(l)
	c.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
	go func() {
		time.Sleep(time.Millisecond)
		c.SetReadDeadline(time.Now().Add(time.Second))
		time.Sleep(3 * time.Millisecond)
		other.Write([]byte("x"))
	}()
	buf := make([]byte, 1)
	if _, err := c.Read(buf); err != nil {
		fmt.Println(err)
	} else {
		fmt.Println("answer:", string(buf))
	}
}

// pair returns two connections that are connected.
func pair(l net.Listener) (a, b net.Conn) {
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	b, err = l.Accept()
	if err != nil {
		panic(err)
	}
	return a, b
}
