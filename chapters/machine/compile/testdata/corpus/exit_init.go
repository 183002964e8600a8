package main

import (
	"fmt"
	"os"
)

func init() { fmt.Println("init"); os.Exit(7) }

func main() {
	fmt.Println("main")
}
