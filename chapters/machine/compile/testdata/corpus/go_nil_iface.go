package main

import (
	"fmt"
	"runtime"
)

func main() {
	var s fmt.Stringer
	fmt.Println("before")
	go s.String()
	fmt.Println("after")
	runtime.Gosched()
}
