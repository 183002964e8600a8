package main

import (
	"fmt"
	"runtime"
)

func depth(n int, p *int) int {
	var a [20]int
	for i := range a {
		a[i] = n + i
	}
	*p++
	if n%50 == 0 {
		runtime.Gosched()
	}
	if n == 0 {
		return a[7]
	}
	s := depth(n-1, p)
	for i := range a {
		s += a[i] - n - i
	}
	return s + a[3] - n
}

func main() {
	var res, cnt [4]int
	left := len(res)
	for i := range res {
		go func() {
			res[i] = depth(100*(i+1), &cnt[i])
			left--
		}()
	}
	for left > 0 {
		runtime.Gosched()
	}
	fmt.Println(res, cnt)
}
