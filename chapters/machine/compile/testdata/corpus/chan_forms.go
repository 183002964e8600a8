package main

import "fmt"

type P struct {
	a int8
	b string
	c [3]int16
}

type holder struct {
	c   chan int
	out <-chan P
}

func gen(n int) <-chan int {
	c := make(chan int)
	go func() {
		for i := range n {
			c <- i
		}
		close(c)
	}()
	return c
}

func filter(in <-chan int, p int) <-chan int {
	out := make(chan int, 2)
	go func() {
		for {
			v, ok := <-in
			if !ok {
				break
			}
			if v%p != 0 {
				out <- v
			}
		}
		close(out)
	}()
	return out
}

func one[T any](v T) T {
	c := make(chan T, 1)
	c <- v
	return <-c
}

func rdv[T any](v T) T {
	c := make(chan T)
	go func() { c <- v }()
	x, ok := <-c
	if !ok {
		panic("not ok")
	}
	return x
}

var global chan string

func main() {
	for v := range gen(5) {
		fmt.Println(v)
	}
	for v := range filter(filter(gen(30), 2), 3) {
		fmt.Print(v, " ")
	}
	fmt.Println()
	fmt.Println(one(int8(-3)), one(uint8(250)), one(int16(-300)), one(uint16(65000)), one(int32(-5)), one(uint32(1<<31)), one(true), one(float32(1.5)), one(2.5), one("str"), one([]int{1, 2}), one(P{-1, "x", [3]int16{-1, 2, -3}}), one([0]int{}), one(struct{}{}), one(any(3)), one(error(nil)))
	fmt.Println(rdv(int8(-3)), rdv(uint8(250)), rdv(int16(-300)), rdv(uint16(65000)), rdv(int32(-5)), rdv(uint32(1<<31)), rdv(true), rdv(float32(1.5)), rdv(2.5), rdv("str"), rdv([]int{1, 2}), rdv(P{-1, "x", [3]int16{-1, 2, -3}}), rdv([0]int{}), rdv(struct{}{}), rdv(any(3)), rdv(error(nil)))
	var n chan int
	fmt.Println(n == nil, len(n), cap(n))
	c := make(chan int, 3)
	c <- 1
	c <- 2
	fmt.Println(len(c), cap(c))
	h := holder{c: c, out: make(chan P, 1)}
	fmt.Println(<-h.c, len(h.c))
	chs := []chan int{c, make(chan int, 1)}
	chs[1] <- <-chs[0] + 40
	fmt.Println(<-chs[1])
	close(c)
	v, ok := <-c
	fmt.Println(v, ok)
	<-c
	global = make(chan string)
	done := make(chan struct{})
	go func() {
		defer2(done)
		fmt.Println("got", <-global)
	}()
	global <- "hello"
	<-done
	cc := make(chan chan int, 1)
	cc <- make(chan int, 1)
	x := <-cc
	x <- 9
	fmt.Println(<-x)
	fn := make(chan func() int, 1)
	fn <- func() int { return 77 }
	fmt.Println((<-fn)())
	// select
	a, b := make(chan int, 1), make(chan string, 1)
	for i := range 4 {
		if i%2 == 0 {
			a <- i
		} else {
			b <- "s"
		}
		select {
		case v := <-a:
			fmt.Println("a", v)
		case s, ok := <-b:
			fmt.Println("b", s, ok)
		}
	}
	select {
	case v := <-a:
		fmt.Println(v)
	default:
		fmt.Println("default")
	}
	select {
	case a <- 5:
		fmt.Println("sent")
	default:
		fmt.Println("default")
	}
	select {
	case a <- 6:
		fmt.Println("sent")
	default:
		fmt.Println("default")
	}
	select {
	default:
		fmt.Println("only")
	}
	select {
	case v := <-a:
		fmt.Println("single", v)
	}
	sm := make(chan int8)
	go func() { sm <- -7 }()
	var i8 int8
	var got bool
	arr := [2]int8{}
	select {
	case arr[1], got = <-sm:
	case n <- 3:
	}
	fmt.Println(i8, arr, got)
	close(a)
L:
	for {
		select {
		case v, ok := <-a:
			fmt.Println(v, ok)
			break L
		case <-n:
		}
	}
}

func defer2(c chan struct{}) { go close2(c) }
func close2(c chan struct{}) { close(c) }
