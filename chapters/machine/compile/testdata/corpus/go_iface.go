package main

import (
	"fmt"
	"os"
	"runtime"
)

type Task interface{ Run(id int) string }
type A struct{ n int }
type B string

var done int

func (a *A) Run(id int) string { a.n += id; done++; return "a" }
func (b B) Run(id int) string  { done++; return string(b) }

func main() {
	a := &A{}
	tasks := []Task{a, B("x"), a}
	for i, t := range tasks {
		go t.Run(i + 1)
	}
	for done < 3 {
		runtime.Gosched()
	}
	fmt.Println(a.n)
	f := tasks[0].Run
	go f(10)
	for done < 4 {
		runtime.Gosched()
	}
	fmt.Fprintln(os.Stdout, a.n, "to stdout")
	fmt.Fprintf(os.Stderr, "to stderr %d\n", 1)
	fmt.Fprint(os.Stdout, "a", 1, 2, "b\n")
	os.Stdout.WriteString("direct\n")
}
