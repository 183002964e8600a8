//go:build ignore

// A timer fires, and nobody has received the time when it is stopped.
package main

import (
	"fmt"
	"time"
)

func main() {
	t := time.NewTimer(time.Millisecond)
	time.Sleep(3 * time.Millisecond)
	fmt.Println("stopped:", t.Stop())
	select {
	case <-t.C:
		fmt.Println("a time that nobody waits for any more")
	default:
		fmt.Println("nothing is in the channel")
	}
	begin := time.Now()
	t.Reset(time.Millisecond)
	time.Sleep(2 * time.Millisecond)
	t.Reset(3 * time.Millisecond)
	<-t.C
	fmt.Println("after the reset, not too early:", time.Since(begin) >= 5*time.Millisecond)
}
