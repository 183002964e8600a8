package main

import "fmt"

func main() {
	var s fmt.Stringer
	fmt.Println("x")
	fmt.Println(s.String())
}
