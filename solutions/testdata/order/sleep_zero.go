// A sleep of no time is no yield.
package main

import (
	"fmt"
	"time"
)

func main() {
	done := make(chan bool)
	go func() {
		fmt.Println("other")
		close(done)
	}()
	for i := range 3 {
		time.Sleep(0)
		fmt.Println("main", i)
	}
	<-done
}
