//go:build ignore

// A goroutine that does not exist yet keeps a program alive: the one that a timer will start.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	time.AfterFunc(time.Millisecond, func() { fmt.Println("the timer has fired") })
	runtime.Goexit()
}
