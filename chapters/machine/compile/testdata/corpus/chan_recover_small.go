package main

import "fmt"

// A deferred recover is not called by a deferred function: it does nothing.
func direct() {
	defer fmt.Println("after")
	defer recover()
	panic("goes on")
}

func main() {
	c, d := make(chan int8, 1), make(chan int16, 1)
	c <- -1
	d <- -300
	v := <-c
	w, ok := <-d
	fmt.Println(v < 0, int(v)+1, w < 0, int64(w), ok)
	c <- -128
	select {
	case v := <-c:
		fmt.Println(v < 0, int(v))
	case <-d:
	}
	defer func() { fmt.Println(recover()) }()
	direct()
}
