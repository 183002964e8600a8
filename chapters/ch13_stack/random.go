package ch13

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RandomProgram writes a Go program, always the same one for a seed, which prints the same
// whatever the schedule: goroutines hand on numbers through channels and selects, and change
// them in functions whose frames have addresses of variables of their callers, structs, arrays,
// closures, deferred calls and panics.
func RandomProgram(seed uint64) string {
	w := &writer{rnd: rand.New(rand.NewPCG(seed, 13))}
	w.funcs = 2 + w.n(4)
	w.line("package main")
	w.line("")
	w.line("import \"fmt\"")
	w.line("")
	w.line("type acc struct {")
	w.line("\tsum  int")
	w.line("\tkept [%d]int", 2+w.n(4))
	w.line("\tseen uint8")
	w.line("}")
	w.line("")
	w.line("func (a *acc) add(v int) int {")
	w.line("\ta.sum += v")
	w.line("\ta.seen++")
	w.line("\tif v < 0 {")
	w.line("\t\tv = -v")
	w.line("\t}")
	w.line("\ta.kept[v%%len(a.kept)] ^= v")
	w.line("\treturn a.sum + int(a.seen)")
	w.line("}")
	for i := range w.funcs {
		w.function(i)
	}
	w.main()
	return w.b.String()
}

// A writer writes a program.
type writer struct {
	b     strings.Builder
	rnd   *rand.Rand
	funcs int // f0, f1, …; each calls itself, and those behind it
	vars  int // of the function that is being written: x0, x1, …
	accs  int // a0, a1, …
}

func (w *writer) n(n int) int { return w.rnd.IntN(n) }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// function writes f_i, which has a number to compute with, and the addresses of two variables.
func (w *writer) function(i int) {
	w.vars, w.accs = 1, 1
	w.line("")
	w.line("func f%d(n int, p *int, a *acc) (r int) {", i)
	w.line("\tvar x0 int")
	w.line("\tvar a0 acc")
	panics := w.n(4) == 0
	if panics {
		w.line("\tdefer func() {")
		w.line("\t\tif e := recover(); e != nil {")
		w.line("\t\t\tr += e.(int)")
		w.line("\t\t}")
		w.line("\t}()")
	}
	for range 3 + w.n(6) {
		w.statement(i)
	}
	w.line("\tif n > 0 {")
	w.line("\t\t%s += f%d(n-1-n/%d, %s, %s)", w.variable(), i, 2+w.n(20), w.addr(), w.acc())
	w.line("\t}")
	for range w.n(4) {
		w.statement(i)
	}
	for k := range w.vars {
		w.line("\tr += x%d", k)
	}
	for k := range w.accs {
		w.line("\tr += a%d.sum ^ a%d.kept[1]", k, k)
	}
	if panics {
		w.line("\tif r%%3 == 0 {")
		w.line("\t\tpanic(r %% 1000)")
		w.line("\t}")
	}
	w.line("\treturn r %% 1000003")
	w.line("}")
}

func (w *writer) variable() string { return fmt.Sprintf("x%d", w.n(w.vars)) }

// addr is the address of an int: of one of the function, or what it has of its caller.
func (w *writer) addr() string {
	if w.n(3) == 0 {
		return "p"
	}
	return "&" + w.variable()
}

// acc is the address of an acc.
func (w *writer) acc() string {
	if w.n(3) == 0 {
		return "a"
	}
	return fmt.Sprintf("&a%d", w.n(w.accs))
}

func (w *writer) statement(i int) {
	switch w.n(11) {
	case 0:
		w.line("\tvar x%d int", w.vars)
		w.vars++
	case 1:
		w.line("\tvar a%d acc", w.accs)
		w.accs++
	case 2:
		w.line("\t%s += n*%d + *p%%%d", w.variable(), 1+w.n(9), 2+w.n(99))
	case 3:
		w.line("\t*p += %s %% %d", w.variable(), 2+w.n(50))
	case 4:
		w.line("\t%s += a.add(%s %% 1009)", w.variable(), w.variable())
	case 5:
		w.line("\ta%d.add(n ^ %s)", w.n(w.accs), w.variable())
	case 6:
		if i+1 < w.funcs {
			w.line("\t%s ^= f%d(n/%d, %s, %s)", w.variable(), i+1+w.n(w.funcs-i-1), 3+w.n(3), w.addr(), w.acc())
		}
	case 7:
		w.line("\tfor i := range %d {", 1+w.n(4))
		w.line("\t\t%s += a%d.add(i + n%%7)", w.variable(), w.n(w.accs))
		w.line("\t}")
	case 8:
		w.line("\tdefer func(v int) { r += v%%%d }(%s)", 2+w.n(9), w.variable())
	case 9:
		x := w.variable()
		w.line("\tfunc(q *int, k int) { *q += k + n }(%s, %s)", "&"+x, w.variable())
	case 10:
		x := w.variable()
		w.line("\tif g := func(v int) int { return v%%%d + n }; n%%2 == 0 {", 2+w.n(30))
		w.line("\t\t%s += g(%s)", x, w.variable())
		w.line("\t}")
	}
}

// main writes a pipeline of goroutines, and what they do with the numbers that come by.
func (w *writer) main() {
	stages, items := 1+w.n(4), 2+w.n(5)
	w.line("")
	w.line("func stage(k int, in <-chan [2]int, never <-chan int, out chan<- [2]int) {")
	w.line("\tvar total int")
	w.line("\tvar all acc")
	w.line("\tfor {")
	w.line("\t\tvar v [2]int")
	w.line("\t\tok := true")
	if w.n(2) == 0 {
		w.line("\t\tselect {")
		w.line("\t\tcase v, ok = <-in:")
		w.line("\t\tcase <-never:")
		w.line("\t\t}")
	} else {
		w.line("\t\tv, ok = <-in")
	}
	w.line("\t\tif !ok {")
	w.line("\t\t\tout <- [2]int{total, all.sum}")
	w.line("\t\t\tclose(out)")
	w.line("\t\t\treturn")
	w.line("\t\t}")
	w.line("\t\tswitch (k + v[1]) %% %d {", w.funcs)
	for i := range w.funcs {
		w.line("\t\tcase %d:", i)
		w.line("\t\t\tv[0] ^= f%d(v[1], &total, &all) %% 65536", i)
	}
	w.line("\t\t}")
	if w.n(2) == 0 {
		w.line("\t\tselect {")
		w.line("\t\tcase out <- v:")
		w.line("\t\tcase <-never:")
		w.line("\t\t}")
	} else {
		w.line("\t\tout <- v")
	}
	w.line("\t}")
	w.line("}")
	w.line("")
	w.line("func main() {")
	w.line("\tfirst := make(chan [2]int)")
	w.line("\tvar in <-chan [2]int = first")
	w.line("\tnever := make(chan int)")
	w.line("\tfor k := range %d {", stages)
	w.line("\t\tout := make(chan [2]int, %d)", w.n(3))
	w.line("\t\tgo stage(k, in, never, out)")
	w.line("\t\tin = out")
	w.line("\t}")
	w.line("\tgo func() {")
	w.line("\t\tfor i := range %d {", items)
	w.line("\t\t\tfirst <- [2]int{i, %d + i*%d}", w.n(12), 1+w.n(5))
	w.line("\t\t}")
	w.line("\t\tclose(first)")
	w.line("\t}()")
	w.line("\tsum := 0")
	w.line("\tfor v := range in {")
	w.line("\t\tsum += v[0]%%1000003 + v[1]%%1009")
	w.line("\t}")
	w.line("\tfmt.Println(sum)")
	w.line("}")
}
