package main

import "fmt"

var x = 1

type t int

func f() int { return x }

func main() {
	fmt.Println(x, f())
	x := 2
	fmt.Println(x, f())
	{
		x := x + 1
		x++
		fmt.Println(x)
		if x := "str"; true {
			fmt.Println(x)
		}
	}
	for x := 0; x < 2; x++ {
		x := x * 10
		fmt.Println(x)
	}
	type t string
	var v t = "local type"
	fmt.Printf("%v %T\n", v, v)
	len := func(s string) int { return 42 }
	fmt.Println(len("abc"))
	true := false
	fmt.Println(true)
	func(x string) {
		fmt.Println(x)
	}("param")
	fmt.Println(x)
	x, y := 5, 6
	fmt.Println(x, y)
}
