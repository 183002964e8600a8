//go:build ignore

// Pipeline passes values of several words through three stages. Each stage closes
// its channel when it has nothing more to say.
package main

import "fmt"

type item struct {
	id   int
	text string
	half [3]uint8
}

func source(n int) <-chan item {
	out := make(chan item, 1)
	go func() {
		for i := 1; i <= n; i++ {
			out <- item{id: i, text: "item", half: [3]uint8{uint8(i), 0, uint8(i)}}
		}
		close(out)
	}()
	return out
}

func square(in <-chan item) <-chan item {
	out := make(chan item)
	go func() {
		for it := range in {
			it.id *= it.id
			it.half[1] = it.half[0] / 2
			out <- it
		}
		close(out)
	}()
	return out
}

func main() {
	sum := 0
	for it := range square(square(source(6))) {
		fmt.Println(it.text, it.id, it.half[0], it.half[1], it.half[2])
		sum += it.id
	}
	fmt.Println("the sum is", sum)
}
