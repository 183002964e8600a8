//go:build ignore

// Idle sleeps, computes for a moment, and sleeps again.
package main

import "time"

func main() {
	for range 3 {
		time.Sleep(30 * time.Millisecond)
	}
}
