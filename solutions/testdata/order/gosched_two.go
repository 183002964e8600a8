// Two goroutines yield in turn.
package main

import (
	"fmt"
	"runtime"
)

func say(s string) {
	for i := range 5 {
		runtime.Gosched()
		fmt.Println(s, i)
	}
}

func main() {
	go say("world")
	say("hello")
}
