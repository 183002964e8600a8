package main

import (
	"fmt"
	"runtime"
)

const workers = 8

func sum(xs []int, out *int, left *int) {
	for i, x := range xs {
		*out += x
		if i%10 == 0 {
			runtime.Gosched()
		}
	}
	*left--
}

func main() {
	xs := make([]int, 1000)
	for i := range xs {
		xs[i] = i * i % 17
	}
	var parts [workers]int
	left := workers
	n := len(xs) / workers
	for w := range workers {
		go sum(xs[w*n:(w+1)*n], &parts[w], &left)
	}
	for left > 0 {
		runtime.Gosched()
	}
	total := 0
	for _, p := range parts {
		total += p
	}
	fmt.Println(total, parts)
}
