//go:build ignore

// Nap sleeps for a while: nothing else is there to do.
package main

import (
	"fmt"
	"time"
)

func main() {
	time.Sleep(100 * time.Microsecond)
	fmt.Println("awake")
}
