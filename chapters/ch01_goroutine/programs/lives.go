//go:build ignore

// Lives starts two goroutines, and a third one when they have ended.
package main

import (
	"fmt"
	"runtime"
)

var alive int

func live(name string) {
	fmt.Println(name, "begins")
	runtime.Gosched()
	fmt.Println(name, "ends")
	alive--
}

func start(name string) {
	alive++
	go live(name)
}

func main() {
	start("anna")
	start("ben")
	for alive > 0 {
		runtime.Gosched()
	}
	start("carla")
	for alive > 0 {
		runtime.Gosched()
	}
}
