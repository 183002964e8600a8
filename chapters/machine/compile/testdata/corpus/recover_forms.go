package main

import (
	"errors"
	"fmt"
	"runtime"
)

func try(name string, f func()) {
	defer func() {
		r := recover()
		switch v := r.(type) {
		case nil:
			fmt.Println(name, "ok")
		case runtime.Error:
			fmt.Printf("%s: %T runtime error %q\n", name, v, v.Error())
		case error:
			fmt.Printf("%s: error %v\n", name, v)
		default:
			fmt.Printf("%s: %T %v\n", name, v, v)
		}
	}()
	f()
}

var zero int

type node struct{ next *node }

func (n node) value() int { return 1 }

type iface interface{ value() int }

func safeDiv(a, b int) (q int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("safeDiv: %v", r)
		}
	}()
	q = -1
	return a / b, nil
}

func results() (a int, s string, arr [3]int) {
	defer func() { recover() }()
	a, s, arr = 1, "set", [3]int{1, 2, 3}
	panic("x")
}

func unnamed() (int, string) {
	defer func() { recover() }()
	if zero == 0 {
		panic("x")
	}
	return 5, "five"
}

func deep(n int) int {
	var pad [25]int
	if n == 0 {
		panic(fmt.Sprint("bottom ", len(pad)))
	}
	defer func() { depth++ }()
	return deep(n-1) + pad[n%25]
}

var depth int

func helper() any { return recover() }

func notDirect() {
	defer func() {
		fmt.Println("outer", recover())
	}()
	defer func() {
		fmt.Println("helper", helper())
		func() { fmt.Println("closure", recover()) }()
	}()
	panic("p")
}

func deferredRecover() {
	defer func() { fmt.Println("outer", recover()) }()
	defer recover()
	defer panic("deferred panic")
	panic("first")
}

type recoverer struct{ name string }

func (r recoverer) rec()   { fmt.Println(r.name, recover()) }
func (r *recoverer) prec() { fmt.Println(r.name, recover()) }

func methodRecover() {
	func() {
		defer recoverer{"value"}.rec()
		panic(1)
	}()
	func() {
		defer (&recoverer{"pointer"}).prec()
		panic(2)
	}()
	func() {
		var i interface{ rec() } = recoverer{"interface"}
		defer i.rec()
		panic(3)
	}()
	func() {
		f := recoverer{"method value"}.rec
		defer f()
		panic(4)
	}()
	func() {
		defer helper()
		panic(5)
	}()
}

func again() {
	defer func() { fmt.Println("again", recover()) }()
	defer func() {
		fmt.Println("first", recover())
		panic("second")
	}()
	panic("first")
}

func replaced() {
	defer func() { fmt.Println("replaced", recover(), recover()) }()
	defer func() { panic("two") }()
	defer func() { panic("one") }()
	panic("zero")
}

func inner() {
	defer func() { fmt.Println("outer panic", recover()) }()
	defer func() {
		defer func() { fmt.Println("inner panic", recover()) }()
		panic("inner")
	}()
	panic("outer")
}

func normalCallDuringPanic() {
	defer func() { fmt.Println("end", recover()) }()
	defer func() {
		try("inside", func() { panic("other") })
		try("inside quietly", func() {})
	}()
	panic("main one")
}

func restRuns() (s string) {
	defer func() { s += " last" }()
	defer func() { s += fmt.Sprint(recover()) }()
	defer func() { s += "before " }()
	panic("x")
}

func afterwards() {
	for i := range 3 {
		func() {
			defer func() { recover() }()
			panic(i)
		}()
	}
	fmt.Println("recover without panic", recover())
}

func main() {
	try("nothing", func() {})
	try("divide", func() { fmt.Println(1 / zero) })
	try("index", func() { fmt.Println([]int{1, 2}[zero+5]) })
	try("negative index", func() { fmt.Println([]int{1, 2}[zero-5]) })
	try("slice", func() { fmt.Println([]int{1, 2}[zero+1 : zero]) })
	try("nil", func() { var n *node; fmt.Println(n.next) })
	try("nil func", func() { var f func(); f() })
	try("nil method", func() { var i iface; i.value() })
	try("shift", func() { fmt.Println(1 << (zero - 1)) })
	try("makeslice", func() { fmt.Println(make([]int, zero-1)) })
	try("assert", func() { var a any = 1; fmt.Println(a.(string)) })
	try("assert nil", func() { var a any; fmt.Println(a.(string)) })
	try("assert iface", func() { var a any = 1; fmt.Println(a.(iface)) })
	try("compare", func() { var a, b any = []int{1}, []int{1}; fmt.Println(a == b) })
	try("array", func() { s := []int{1}; fmt.Println([2]int(s)) })
	try("chan send", func() { c := make(chan int); close(c); c <- 1 })
	try("chan close", func() { var c chan int; close(c) })
	try("chan make", func() { fmt.Println(make(chan int, zero-1)) })
	try("select", func() {
		c := make(chan int)
		close(c)
		select {
		case c <- 1:
		case c <- 2:
		}
	})
	try("string", func() { panic("text") })
	try("error", func() { panic(errors.New("an error")) })
	try("struct", func() { panic(struct{ a, b int }{1, 2}) })
	try("nil value", func() { panic(nil) })
	fmt.Println(safeDiv(7, 2))
	fmt.Println(safeDiv(7, zero))
	fmt.Println(results())
	fmt.Println(unnamed())
	try("deep", func() { deep(200) })
	fmt.Println(depth)
	notDirect()
	deferredRecover()
	methodRecover()
	again()
	replaced()
	inner()
	normalCallDuringPanic()
	fmt.Println(restRuns())
	afterwards()

	c := make(chan string)
	go func() {
		defer close(c)
		defer func() { c <- fmt.Sprint("goroutine recovered ", recover()) }()
		var n *node
		n.next = nil
	}()
	for s := range c {
		fmt.Println(s)
	}
	parked := make(chan int)
	go func() {
		defer func() { c2 <- fmt.Sprint("parked recovered ", recover()) }()
		parked <- 1
	}()
	runtime.Gosched()
	close(parked)
	fmt.Println(<-c2)
}

var c2 = make(chan string)
