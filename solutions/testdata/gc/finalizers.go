package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

type node struct {
	next *node
	name string
}

func make1() {
	n := &node{name: "alone"}
	runtime.SetFinalizer(n, func(n *node) { fmt.Println("finalizer of", n.name) })
}

func make2() *node {
	a, b := &node{name: "a"}, &node{name: "b"}
	a.next = b
	runtime.SetFinalizer(a, func(n *node) { fmt.Println("finalizer of", n.name, "before that of", n.next.name) })
	runtime.SetFinalizer(b, func(n *node) { fmt.Println("finalizer of", n.name) })
	return a
}

func main() {
	make1()
	runtime.GC()
	time.Sleep(time.Millisecond)
	a := make2()
	runtime.GC()
	time.Sleep(time.Millisecond)
	fmt.Println("a lives:", a.name)
	runtime.KeepAlive(a)
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	p := new([100]int)
	c := runtime.AddCleanup(p, func(s string) { fmt.Println("cleanup", s) }, "stopped")
	c.Stop()
	runtime.AddCleanup(p, func(s string) { fmt.Println("cleanup", s) }, "one")
	p[0] = 1
	runtime.KeepAlive(p)
	runtime.GC()
	time.Sleep(time.Millisecond)
	fmt.Println(debug.SetGCPercent(50), debug.SetGCPercent(-1), debug.SetGCPercent(100))
	fmt.Println("goroutines:", runtime.NumGoroutine())
	debug.FreeOSMemory()
}
