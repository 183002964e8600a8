package main

import (
	"fmt"
	"os"
	"runtime"
)

func main() {
	go func() {
		fmt.Println("other")
		os.Exit(4)
	}()
	runtime.Goexit()
}
