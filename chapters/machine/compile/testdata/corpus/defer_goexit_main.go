package main

import (
	"fmt"
	"runtime"
)

func main() {
	defer fmt.Println("main's deferred")
	go fmt.Println("other")
	runtime.Goexit()
}
