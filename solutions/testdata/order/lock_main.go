// Main is locked, and plays ping-pong.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	runtime.LockOSThread()
	ping, pong := make(chan int), make(chan int)
	go func() {
		for v := range ping {
			fmt.Println("ping", v)
			pong <- v
		}
		close(pong)
	}()
	for i := range 5 {
		ping <- i
		fmt.Println("pong", <-pong)
	}
	close(ping)
	<-pong
}
