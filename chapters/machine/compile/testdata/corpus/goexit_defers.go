package main

import (
	"fmt"
	"runtime"
)

func leave(done chan<- string) {
	defer func() { done <- "first deferred" }()
	defer func() { fmt.Println("recover in Goexit:", recover()) }()
	func() {
		defer fmt.Println("inner")
		runtime.Goexit()
	}()
	fmt.Println("not reached")
}

func panicInGoexit(done chan<- string) {
	defer func() { done <- "still exits" }()
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		defer panic("during Goexit")
		runtime.Goexit()
	}()
	fmt.Println("not reached either")
}

func goexitInPanic(done chan<- string) {
	defer func() { done <- fmt.Sprint("after ", recover()) }()
	defer runtime.Goexit()
	panic("dropped")
}

func goexitInDefer(done chan<- string) {
	defer func() { done <- "end" }()
	defer func() {
		defer fmt.Println("deferred in deferred")
		runtime.Goexit()
	}()
	fmt.Println("body")
}

func main() {
	for _, f := range []func(chan<- string){leave, panicInGoexit, goexitInPanic, goexitInDefer} {
		done := make(chan string)
		go f(done)
		fmt.Println(<-done)
		runtime.Gosched()
		fmt.Println(runtime.NumGoroutine())
	}
}
