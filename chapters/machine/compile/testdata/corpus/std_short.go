package main

import (
	"fmt"
	"io"
	"strings"
)

// The error has a value also in a program that does not name it.
func main() {
	fmt.Println(io.ReadAtLeast(strings.NewReader("abcdef"), make([]byte, 4), 5))
}
