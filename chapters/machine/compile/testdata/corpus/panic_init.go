package main

import "fmt"

var x = f()

func f() int { fmt.Println("init"); panic("in init") }

func main() {
	fmt.Println("not reached")
}
