package main

import (
	"fmt"
	"os"
)

type T struct {
	n    int
	name string
}

func (t T) show(s string)        { fmt.Println("show", t.n, t.name, s) }
func (t *T) inc(by int) (int, T) { t.n += by; fmt.Println("inc", t.n); return t.n, *t }

type shower interface{ show(string) }

type big [12]int

func order() {
	for i := range 4 {
		defer fmt.Println("deferred", i)
	}
	defer fmt.Print("a", 1, "b\n")
	fmt.Println("order done")
}

func args() {
	x := 1
	defer fmt.Println("x was", x)
	x++
	defer func(y int, b big, s string, t T) {
		fmt.Println(x, y, b, s, t)
	}(x, big{1, 2, 11: 5}, "text", T{3, "t"})
	x++
}

func methods() {
	t := T{1, "one"}
	defer t.show("value")
	defer (&t).inc(5)
	var s shower = t
	defer s.show("interface")
	f := t.show
	defer f("method value")
	g := T.show
	defer g(t, "method expression")
	t.n = 100
}

func named() (n int, err error) {
	defer func() {
		n *= 2
		err = fmt.Errorf("wrapped: %w", err)
	}()
	n = 3
	return n + 1, fmt.Errorf("inner %d", n)
}

func unnamed() int {
	x := 1
	defer func() { x = 50 }()
	return x
}

func several(n int) (s string) {
	defer func() { s += "!" }()
	switch {
	case n == 0:
		return "zero"
	case n < 0:
		defer func() { s += "?" }()
		return "negative"
	}
	for i := range n {
		defer func() { s += fmt.Sprint(i) }()
		if i == 3 {
			return "early"
		}
	}
	s = "end"
	return
}

func nested() {
	defer func() {
		defer fmt.Println("inner deferred")
		func() {
			defer fmt.Println("innermost")
		}()
		fmt.Println("deferred body")
	}()
	fmt.Println("nested body")
}

func large() (b big, s string, t T) {
	defer func() {
		b[3] += 7
		s += "-changed"
		t.n++
	}()
	return big{3: 1}, "s", T{1, "x"}
}

func loop() {
	for i := 0; i < 3; i++ {
		func() {
			defer func() { fmt.Print("end ", i, "; ") }()
			fmt.Print("begin ", i, "; ")
		}()
	}
	fmt.Println()
}

func builtins() {
	c := make(chan int)
	defer func() { _, ok := <-c; fmt.Println(ok) }()
	defer close(c)
	defer print("printed\n")
	defer println("println", 1, 2.5, true)
}

func gone() {
	defer fmt.Println("not printed")
	os.Exit(3)
}

func recursive(n int) (sum int) {
	var pad [30]int
	pad[n%30] = n
	defer func() { sum += pad[n%30] }()
	if n == 0 {
		return 0
	}
	return recursive(n - 1)
}

func main() {
	order()
	args()
	methods()
	fmt.Println(named())
	fmt.Println(unnamed())
	fmt.Println(several(0), several(-1), several(2), several(9))
	nested()
	fmt.Println(large())
	loop()
	builtins()
	fmt.Println(recursive(100))
	gone()
}
