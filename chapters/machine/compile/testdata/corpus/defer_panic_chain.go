package main

import "fmt"

type myErr struct{ code int }

func (e *myErr) Error() string { return fmt.Sprintf("code %d", e.code) }

func main() {
	defer fmt.Println("deferred runs")
	defer func() {
		panic(fmt.Sprint("third ", 3))
	}()
	defer func() {
		fmt.Println(recover())
		panic(&myErr{2})
	}()
	panic("first")
}
