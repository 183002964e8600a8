package main

import (
	"fmt"
	"runtime"
)

func main() {
	fmt.Println(runtime.NumCPU() > 0, runtime.GOMAXPROCS(0) > 0)
	old := runtime.GOMAXPROCS(1)
	fmt.Println(old > 0, runtime.GOMAXPROCS(0))
	fmt.Println(runtime.NumGoroutine())
	f := runtime.Gosched
	f()
	go runtime.Gosched()
	runtime.Gosched()
	fmt.Println(runtime.GOOS != "", runtime.GOARCH != "")
}
