package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Println("a")
	os.Exit(0)
	fmt.Println("b")
}
