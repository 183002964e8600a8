//go:build ignore

// Mixed has addresses of its stacks wherever there can be some: in variables that are lent
// to functions, in deferred calls, in panics, in selects, and with channels on which its
// goroutines wait.
package main

import "fmt"

type account struct {
	sum   int
	moves [3]int
}

func (a *account) put(n int) int {
	a.sum += n
	a.moves[n%3]++
	return a.sum
}

func deep(n int, a *account, last *int) int {
	var mine account
	if n == 0 {
		*last = a.put(1)
		return 1
	}
	mine.put(n)
	r := deep(n-1, &mine, last)
	a.put(mine.sum)
	return r + mine.moves[n%3]
}

func saved(n int) (r int) {
	var a account
	defer func() {
		if e := recover(); e != nil {
			r = a.put(e.(int))
		}
	}()
	defer a.put(2)
	var last int
	deep(n, &a, &last)
	panic(last)
}

func node(in <-chan [2]int, out chan<- [2]int, quit <-chan bool, done chan<- int) {
	var a account
	for {
		var v [2]int
		select {
		case v = <-in:
			var last int
			v[0] += deep(v[1]%5, &a, &last)
			v[1]--
			if v[1] < 0 {
				done <- v[0]
				return
			}
			select {
			case out <- v:
			case <-quit:
				done <- a.sum
				return
			}
		case <-quit:
			done <- a.sum
			return
		}
	}
}

func main() {
	fmt.Println(saved(3), saved(40))
	const nodes = 4
	var ring [nodes]chan [2]int
	quit, done := make(chan bool), make(chan int)
	for i := range ring {
		ring[i] = make(chan [2]int)
	}
	for i := range ring {
		go node(ring[i], ring[(i+1)%nodes], quit, done)
	}
	ring[0] <- [2]int{0, 30}
	first := <-done
	close(quit)
	rest := 0
	for range nodes - 1 {
		rest += <-done
	}
	fmt.Println(first, rest)
}
