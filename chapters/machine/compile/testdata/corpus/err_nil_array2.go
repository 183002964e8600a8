package main

import "fmt"

func main() {
	var p *[4]int
	fmt.Println(len(p))
	for i := range p {
		fmt.Println(i)
	}
	for i, v := range p {
		fmt.Println(i, v)
	}
}
