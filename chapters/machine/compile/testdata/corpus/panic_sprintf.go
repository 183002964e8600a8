package main

import "fmt"

func main() {
	panic(fmt.Sprintf("value %d of %s", 3, "x"))
}
