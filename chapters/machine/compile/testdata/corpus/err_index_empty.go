package main

import "fmt"

func main() {
	var a []string
	fmt.Println(a[0])
}
