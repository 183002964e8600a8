// As gosched_two, without package os, so that nobody calls finalizers.
package main

import (
	"runtime"
)

func say(s string) {
	for i := range 5 {
		runtime.Gosched()
		println(s, i)
	}
}

func main() {
	go say("world")
	say("hello")
}
