package main

import "fmt"

func work() {
	defer func() {
		r := recover()
		fmt.Println("cleaning up after", r)
		panic(r)
	}()
	var p *int
	*p = 1
}

func main() {
	work()
}
