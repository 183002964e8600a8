package main

import "fmt"

func f() int { fmt.Println("f"); return 1 }
func g() int { fmt.Println("g"); return 2 }

func main() {
	var a []int
	a[g()] = f()
}
