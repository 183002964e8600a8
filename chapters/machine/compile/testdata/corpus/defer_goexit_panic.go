package main

import "runtime"

func main() {
	defer func() {
		panic("in Goexit")
	}()
	runtime.Goexit()
}
