package main

import "fmt"

func main() {
	var v fmt.Stringer
	fmt.Println(v.(error))
}
