// AfterFunc, and a timer that is stopped.
package main

import (
	"fmt"
	"time"
)

func main() {
	done := make(chan bool)
	time.AfterFunc(60*time.Millisecond, func() {
		fmt.Println("second")
		close(done)
	})
	time.AfterFunc(10*time.Millisecond, func() { fmt.Println("first") })
	fmt.Println(time.AfterFunc(30*time.Millisecond, func() { fmt.Println("never") }).Stop())
	<-done
}
