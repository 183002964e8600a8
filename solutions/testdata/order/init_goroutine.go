// A goroutine that an init function has made.
package main

import (
	"fmt"
	"runtime"
)

func say(s string) {
	for i := range 3 {
		fmt.Println(s, i)
		runtime.Gosched()
	}
}

func init() {
	go say("init")
	runtime.Gosched()
	fmt.Println("init ends")
}

func main() {
	go say("main's")
	say("main")
}
