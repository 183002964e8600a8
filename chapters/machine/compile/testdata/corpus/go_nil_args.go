package main

import "runtime"

func main() {
	var f func(int)
	println("before")
	go f(1)
	println("after")
	runtime.Gosched()
}
