package main

import (
	"fmt"
	"time"
)

// It is not a deadlock while somebody sleeps; then it is.
func main() {
	go func() {
		time.Sleep(50 * time.Millisecond)
		fmt.Println("awake")
	}()
	<-make(chan int)
}
