package main

import (
	"flag"
	"fmt"
)

// flag_test.go runs it with all kinds of arguments.
func main() {
	x := flag.Bool("x", false, "one letter")
	deep := flag.Bool("deep", true, "look `deeper`")
	n := flag.Int("n", 10, "number of `rounds`\nof the game")
	zero := flag.Int("zero", 0, "an int `that")
	who := flag.String("who", "you", "whom to greet")
	empty := flag.String("empty", "", "nothing")
	flag.Parse()
	fmt.Printf("%v %v %v %v %q %q %q\n", *x, *deep, *n, *zero, *who, *empty, flag.Args())
}
