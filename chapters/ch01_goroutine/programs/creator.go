//go:build ignore

// Creator dies of a panic in a goroutine; its traceback says which goroutine started it.
package main

import "runtime"

func fail() {
	panic("lost")
}

func spawn() {
	go fail()
}

func main() {
	spawn()
	for {
		runtime.Gosched()
	}
}
