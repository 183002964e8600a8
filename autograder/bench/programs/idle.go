//go:build ignore

// n connections to the address that is the second argument exist, and for each a goroutine
// waits for something to read.
package main

import (
	"net"
	"os"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	wait := func(c net.Conn) { c.Read(make([]byte, 1)) }
	for i := 0; i < n; i++ {
		c, err := net.Dial("tcp", os.Args[2])
		if err != nil {
			panic(err)
		}
		go wait(c)
	}
	time.Sleep(time.Millisecond) // they wait
	measure()
}
