package main

import "fmt"

func run(f func()) {
	defer f()
	fmt.Println("body")
}

func main() {
	run(nil)
}
