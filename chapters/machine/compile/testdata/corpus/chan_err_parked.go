package main

import "runtime"

func main() {
	c := make(chan string)
	go func() {
		runtime.Gosched()
		close(c)
	}()
	c <- "never"
}
