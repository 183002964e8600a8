package ch02

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A tree is a random program: a tree of goroutines, each of which starts its
// children, prints and yields in some order. Main waits until all are done, by
// yielding: there is nothing else yet to wait with. Which lines are printed is
// known, and so is part of their order.
type tree struct {
	n       int
	steps   [][]string // of each goroutine: a statement to print, to start a child, or to yield
	parents []int
}

// newTree makes a tree of 2 to 12 goroutines.
func newTree(rng *rand.Rand) *tree {
	tr := &tree{n: 2 + rng.IntN(11)}
	tr.steps = make([][]string, tr.n)
	tr.parents = make([]int, tr.n)
	for i := 1; i < tr.n; i++ {
		parent := rng.IntN(i)
		tr.parents[i] = parent
		tr.steps[parent] = append(tr.steps[parent], fmt.Sprintf("go n%d()", i))
	}
	for i := range tr.steps {
		for range 1 + rng.IntN(3) {
			tr.steps[i] = append(tr.steps[i], "print")
		}
		for range rng.IntN(4) {
			tr.steps[i] = append(tr.steps[i], "runtime.Gosched()")
		}
		rng.Shuffle(len(tr.steps[i]), func(a, b int) {
			tr.steps[i][a], tr.steps[i][b] = tr.steps[i][b], tr.steps[i][a]
		})
		prints := 0
		for j, step := range tr.steps[i] {
			if step == "print" {
				prints++
				tr.steps[i][j] = fmt.Sprintf("fmt.Println(%q)", tr.line(i, prints))
			}
		}
	}
	return tr
}

// line is the j-th line that goroutine i prints.
func (tr *tree) line(i, j int) string { return fmt.Sprintf("n%d says %d", i, j) }

// source is the program.
func (tr *tree) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, `package main

import (
	"fmt"
	"runtime"
)

var done [%d]bool

func allDone() bool {
	for i := range done {
		if !done[i] {
			return false
		}
	}
	return true
}

func main() {
	go n0()
	for round := 0; !allDone(); round++ {
		if round == 3000 {
			fmt.Println("main gives up waiting")
			return
		}
		runtime.Gosched()
	}
}
`, tr.n)
	for i, steps := range tr.steps {
		fmt.Fprintf(&b, "\nfunc n%d() {\n\t%s\n\tdone[%d] = true\n}\n", i, strings.Join(steps, "\n\t"), i)
	}
	return b.String()
}

// want is what the program prints, in some order.
func (tr *tree) want() []string {
	var want []string
	for i := range tr.steps {
		want = append(want, tr.lines(i, len(tr.steps[i]))...)
	}
	return want
}

// lines returns what goroutine i prints in its first steps.
func (tr *tree) lines(i, steps int) []string {
	var lines []string
	for _, step := range tr.steps[i][:steps] {
		if strings.HasPrefix(step, "fmt.") {
			lines = append(lines, tr.line(i, len(lines)+1))
		}
	}
	return lines
}

// disorder looks for two lines of output that stand in the wrong order: of one
// goroutine, or one of a goroutine before what its parent printed before it
// started it. It returns the one that must come first and the other, or "", "".
func (tr *tree) disorder(output []string) (first, then string) {
	for i := range tr.steps {
		own := tr.lines(i, len(tr.steps[i]))
		for j := 1; j < len(own); j++ {
			if slices.Index(output, own[j-1]) > slices.Index(output, own[j]) {
				return own[j-1], own[j]
			}
		}
		if i == 0 {
			continue
		}
		parent := tr.parents[i]
		started := slices.Index(tr.steps[parent], fmt.Sprintf("go n%d()", i))
		for _, before := range tr.lines(parent, started) {
			if slices.Index(output, before) > slices.Index(output, own[0]) {
				return before, own[0]
			}
		}
	}
	return "", ""
}
