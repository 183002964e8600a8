package main

import "errors"

func main() {
	panic(errors.New("wrapped trouble"))
}
