package main

import "fmt"

func main() {
	a, b, c := 3, -7, 12
	fmt.Println(min(a, b), max(a, b), min(a, b, c), max(a, b, c), min(a), max(5, a))
	fmt.Println(min("b", "a", "c"), max("b", "a", "c"), min("x"))
	var u, v uint8 = 200, 100
	fmt.Println(min(u, v), max(u, v), min(uint64(1<<63), 5), max(int8(-1), int8(1)))
	s := []string{"a", "b"}
	clear(s)
	fmt.Printf("%q\n", s)
	t := []int{1, 2, 3}
	clear(t[1:])
	fmt.Println(t)
	clear([]int(nil))
}
