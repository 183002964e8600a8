package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	n := flag.Int("n", 100, "number of iterations")
	var verbose bool
	flag.BoolVar(&verbose, "v", false, "say more")
	name := flag.String("name", "", "the `who` of it")
	for _, again := range []func(){
		func() { flag.Int("-x", 1, "") },
		func() { flag.Bool("x=y", true, "") },
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			again()
		}()
	}
	fmt.Println(*n, verbose, *name, flag.Parsed())
	for _, args := range [][]string{
		{"prog"},
		{"prog", "-n", "7", "a", "-v"},
		{"prog", "--n=0x10", "-v", "-name", "-v", "--", "-n", "3"},
		{"prog", "-v=false", "-name=", "-"},
		{"prog", "-n", "010", "-n=-5", ""},
	} {
		os.Args = args
		flag.Parse()
		fmt.Println(*n, verbose, *name, flag.Parsed(), flag.NFlag(), flag.NArg(), flag.Args(), flag.Arg(0), flag.Arg(9) == "")
	}
}
