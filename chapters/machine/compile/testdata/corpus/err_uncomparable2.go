package main

import "fmt"

type T struct {
	a int
	f func()
}

func main() {
	var a, b any = T{1, nil}, T{1, nil}
	fmt.Println(a == b)
}
