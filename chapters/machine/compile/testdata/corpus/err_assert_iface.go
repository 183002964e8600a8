package main

import "fmt"

type T struct{}
type I interface {
	B()
	A()
}

func (T) B() {}

func main() {
	var v any = T{}
	fmt.Println(v.(I))
}
