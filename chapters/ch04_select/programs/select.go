//go:build ignore

package main

import (
	"fmt"
	"sync"
)

func fair() {
	a, b := make(chan int, 1000), make(chan int, 1000)
	for i := range 1000 {
		a <- i
		b <- i
	}
	na, nb := 0, 0
	for range 1000 {
		select {
		case <-a:
			na++
		case <-b:
			nb++
		}
	}
	fmt.Println("fair:", na > 400 && nb > 400, na+nb)
}

func fanin() {
	a, b, done := make(chan int), make(chan int), make(chan bool)
	go func() {
		for i := range 50 {
			a <- i
		}
		done <- true
	}()
	go func() {
		for i := range 50 {
			b <- 100 * i
		}
		done <- true
	}()
	sum, left := 0, 2
	for left > 0 {
		select {
		case v := <-a:
			sum += v
		case v, ok := <-b:
			if !ok {
				panic("closed")
			}
			sum += v
		case <-done:
			left--
		}
	}
	fmt.Println("sum:", sum)
}

func both() {
	c := make(chan int)
	got := make(chan int, 200)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 100 {
				select {
				case c <- i*1000 + j:
				case v := <-c:
					got <- v
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println("both:", len(got))
}

func closedSend() (r any) {
	defer func() { r = recover() }()
	c, d := make(chan int), make(chan int)
	go close(c)
	select {
	case c <- 1:
	case d <- 2:
	}
	return nil
}

func closedNow() (r any) {
	defer func() { r = recover() }()
	c := make(chan int)
	close(c)
	select {
	case c <- 1:
	default:
	}
	return nil
}

func closedRecv() {
	c, d := make(chan int), make(chan string)
	go close(d)
	select {
	case <-c:
		fmt.Println("c?")
	case s, ok := <-d:
		fmt.Printf("%q %v\n", s, ok)
	}
}

func nils() {
	var c chan int
	select {
	case c <- 1:
	case <-c:
	default:
		fmt.Println("default")
	}
}

func losers() {
	a, b := make(chan int), make(chan int)
	go func() { b <- 1 }()
	select {
	case <-a:
	case v := <-b:
		fmt.Println("b", v)
	}
	select {
	case a <- 1:
		fmt.Println("a loser is still on the queue")
	default:
		fmt.Println("nobody")
	}
}

type T struct {
	a, b int
	s    string
}

func big() {
	c := make(chan T, 1)
	d := make(chan T)
	go func() {
		for i := range 10 {
			select {
			case c <- T{i, i, "c"}:
			case d <- T{i, i, "d"}:
			}
		}
		close(c)
	}()
	n := 0
	for {
		select {
		case t, ok := <-c:
			if !ok {
				fmt.Println("big:", n)
				return
			}
			n += t.a
		case t := <-d:
			n += t.b
		}
	}
}

func main() {
	fair()
	fanin()
	both()
	fmt.Println(closedSend())
	fmt.Println(closedNow())
	closedRecv()
	nils()
	losers()
	big()
}
