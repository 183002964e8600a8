package main

import "fmt"

type big struct {
	name string
	n    [40]uint16
}

func fib(c chan<- int, quit <-chan struct{}) {
	x, y := 0, 1
	for {
		select {
		case c <- x:
			x, y = y, x+y
		case <-quit:
			fmt.Println("quit")
			return
		}
	}
}

// merge forwards until both are closed, by setting what is closed to nil.
func merge(a, b <-chan big, out chan<- big) {
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			out <- v
		case v, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			out <- v
		}
	}
	close(out)
}

func source(n uint16, name string) <-chan big {
	c := make(chan big)
	go func() {
		defer0(c, n, name)
	}()
	return c
}

func defer0(c chan big, n uint16, name string) {
	for i := range n {
		b := big{name: name}
		b.n[i] = i
		c <- b
	}
	close(c)
}

func index(s []chan int, i int) chan int {
	fmt.Println("index", i)
	return s[i]
}

func value(v int) int {
	fmt.Println("value", v)
	return v
}

func main() {
	c, quit := make(chan int), make(chan struct{})
	go func() {
		for range 20 {
			fmt.Print(<-c, " ")
		}
		fmt.Println()
		close(quit)
	}()
	fib(c, quit)

	out := make(chan big, 3)
	go merge(source(9, "a"), source(11, "b"), out)
	count, sum := map0{}, 0
	for v := range out {
		count.add(v.name)
		for _, n := range v.n {
			sum += int(n)
		}
	}
	fmt.Println(count, sum)

	s := []chan int{make(chan int), make(chan int, 1), nil}
	select { // all operands are evaluated, in order
	case index(s, 0) <- value(1):
	case index(s, 1) <- value(2):
		fmt.Println("sent")
	case v := <-index(s, 2):
		fmt.Println(v)
	}
	var x [3]int
	var ok bool
	select {
	case x[value(1)], ok = <-s[1]:
	case x[value(2)] = <-s[0]:
	}
	fmt.Println(x, ok)
}

type map0 struct{ a, b int }

func (m *map0) add(s string) {
	if s == "a" {
		m.a++
	} else {
		m.b++
	}
}
