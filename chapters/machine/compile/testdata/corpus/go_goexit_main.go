package main

import (
	"fmt"
	"runtime"
)

func main() {
	go func() { fmt.Println("other") }()
	runtime.Goexit()
}
