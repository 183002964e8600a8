package main

import (
	"fmt"
	"time"
)

const unit = 30 * time.Millisecond

// fires reports whether t fires within two units.
func fires(t *time.Timer) bool {
	select {
	case <-t.C:
		return true
	case <-time.After(2 * unit):
		return false
	}
}

func main() {
	t := time.NewTimer(unit)
	fmt.Println("len, cap:", len(t.C), cap(t.C))
	fmt.Println("fires:", fires(t))
	fmt.Println("stop after it fired:", t.Stop(), fires(t))

	t = time.NewTimer(unit)
	fmt.Println("stop before:", t.Stop(), t.Stop(), fires(t))
	fmt.Println("reset of a stopped one:", t.Reset(unit), fires(t))
	fmt.Println("reset of a fired one:", t.Reset(unit), t.Reset(unit), fires(t))

	// A value that nobody took does not outlive Stop or Reset.
	t = time.NewTimer(unit)
	time.Sleep(2 * unit)
	fmt.Println("len:", len(t.C))
	fmt.Println("stop when it was due:", t.Stop(), t.Stop(), fires(t))
	t.Reset(unit)
	time.Sleep(2 * unit)
	fmt.Println("reset when it was due:", t.Reset(time.Hour), fires(t))

	// Sooner, later.
	fmt.Println("sooner:", t.Reset(unit), fires(t))
	t.Reset(unit)
	fmt.Println("later:", t.Reset(4*unit), fires(t), fires(t), fires(t))

	done := make(chan string)
	start := time.Now()
	f := time.AfterFunc(unit, func() { done <- "called" })
	fmt.Println(<-done, time.Since(start) >= unit, f.C == nil, f.Stop())
	fmt.Println(f.Reset(unit), <-done)
	f.Reset(time.Hour)
	fmt.Println(f.Stop(), f.Stop())

	// One function of many, in order.
	for i := range 4 {
		time.AfterFunc(time.Duration(4-i)*unit, func() { done <- fmt.Sprint("after ", 4-i) })
	}
	for range 4 {
		fmt.Println(<-done)
	}

	for _, misuse := range []func(){
		func() { new(time.Timer).Stop() },
		func() { new(time.Timer).Reset(unit) },
		func() { new(time.Ticker).Reset(unit) },
		func() { time.NewTicker(unit).Reset(0) },
		func() { time.NewTicker(0) },
		func() { new(time.Ticker).Stop(); panic("no panic") },
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			misuse()
		}()
	}
}
