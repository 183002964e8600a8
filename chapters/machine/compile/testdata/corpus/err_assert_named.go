package main

import "fmt"

type Shape interface{ Area() int }
type A struct{}
type B struct{ n int }

func (A) Area() int  { return 1 }
func (*B) Area() int { return 2 }

func main() {
	var s Shape = A{}
	fmt.Println(s.Area())
	fmt.Println(s.(*B).n)
}
