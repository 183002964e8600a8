package main

import (
	"fmt"
	"os"
)

func f() { os.Exit(3) }

func main() {
	fmt.Print("no newline")
	f()
}
