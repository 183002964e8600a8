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

// make3 makes an object that leads to another one, and a finalizer that does, too.
func make3() {
	n := &node{name: fmt.Sprint("three ", 3), next: &node{name: fmt.Sprint("next of ", 3)}}
	says := fmt.Sprint("captured ", 3)
	runtime.SetFinalizer(n, func(n *node) { fmt.Println(n.name, n.next.name, says) })
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
	make3()
	garbage := fmt.Sprint("some garbage ", 1)
	runtime.GC()
	runtime.GC() // what is to be called waits meanwhile
	garbage = fmt.Sprint("more garbage ", garbage)
	time.Sleep(time.Millisecond)
	fmt.Println("goroutines:", runtime.NumGoroutine())
	debug.FreeOSMemory()
}
