// The main goroutine ends, and the only one that is left calls finalizers.
package main

import (
	"fmt"
	"runtime"
	"time"
)

type thing struct{ n int }

func main() {
	done := make(chan bool)
	make1(done)
	runtime.GC()
	<-done
	time.Sleep(time.Millisecond) // it waits again
	fmt.Println("finalized")
	runtime.Goexit()
}

func make1(done chan bool) {
	runtime.SetFinalizer(&thing{1}, func(*thing) { done <- true })
}
