package main

import (
	"fmt"
	"runtime"
)

func main() {
	done := 0
	for i := 0; i < 5; i++ {
		go func() {
			done++
		}()
	}
	for done < 5 {
		runtime.Gosched()
	}
	fmt.Println("done", done)
}
