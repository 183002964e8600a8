//go:build ignore

// Limit calls itself without an end, with a low limit for its stack.
package main

import "runtime/debug"

func down(n int) int { return down(n+1) + 1 }

func main() {
	debug.SetMaxStack(100_000)
	down(0)
}
