//go:build ignore

// The main goroutine ends, and the only one that is left calls finalizers.
package main

import (
	"fmt"
	"runtime"
	"time"
)

type thing struct{ next *thing }

func main() {
	done := make(chan bool)
	finalized(done)
	runtime.GC()
	<-done
	time.Sleep(time.Millisecond) // it waits again
	fmt.Println("finalized")
	runtime.Goexit()
}

func finalized(done chan bool) {
	runtime.SetFinalizer(&thing{}, func(*thing) { done <- true })
}
