package main

import (
	"fmt"
	"time"
)

type thing struct{ name string }

func start(done chan string) {
	for i := range 3 {
		t := &thing{fmt.Sprint("timer ", i)}
		time.AfterFunc(time.Duration(i+1)*time.Millisecond, func() { done <- t.name })
	}
}

func main() {
	done := make(chan string)
	start(done)
	after := time.After(10 * time.Millisecond)
	ticker := time.NewTicker(time.Millisecond)
	n := 0
	for i := range 100 {
		n += len(fmt.Sprint("garbage", i, &thing{"x"}))
	}
	got := map[string]bool{}
	for range 3 {
		got[<-done] = true
	}
	fmt.Println(got)
	for range 3 {
		<-ticker.C
		n += len(fmt.Sprint("garbage", n, &thing{"x"}))
	}
	ticker.Stop()
	<-after
	fmt.Println("after")
}
