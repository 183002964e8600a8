//go:build ignore

// Nap sleeps for a while: there is nothing else to do.
package main

import (
	"fmt"
	"time"
)

func main() {
	time.Sleep(100 * time.Microsecond)
	fmt.Println("awake")
}
