package main

import "fmt"

func main() {
	s := "abc"
	i := 3
	fmt.Println(s[i])
}
