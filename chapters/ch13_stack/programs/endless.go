//go:build ignore

// Endless calls itself without an end.
package main

func down(n int) int { return down(n+1) + 1 }

func main() { down(0) }
