//go:build ignore

// Nilfunc starts a goroutine with nothing to run.
package main

var f func()

func main() {
	go f()
}
