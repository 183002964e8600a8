//go:build ignore

package main

import (
	"fmt"
	"time"
)

func main() {
	go func() {
		for {
		}
	}()
	for i := 1; i <= 5; i++ {
		time.Sleep(time.Millisecond)
		fmt.Println("tick", i)
	}
}
