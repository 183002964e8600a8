package main

import "fmt"

func main() {
	s := "hello"
	n := 9
	fmt.Println(s[:n])
}
