// Border lets a goroutine call and return 1000 times at a depth where its stack is a little
// more than half full, and shrinks the stack, if the rule allows it, at every call. It counts
// how often the stack is copied under two rules.
//
//	go run ./book/figures/ch13/border
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// source goes down, calls work there again and again, and comes back.
const source = `package main

func work(n int) int {
	var pad [12]int
	for i := range pad {
		pad[i] = n + i
	}
	return pad[n%12]
}

func down(n int) int {
	if n == 0 {
		sum := 0
		for i := range 1000 {
			sum += work(i)
		}
		return sum
	}
	return down(n-1) + 1
}

func main() {
	done := make(chan int)
	go func() { done <- down(DEPTH) }()
	println(<-done)
}
`

func main() {
	fmt.Println("calls deep   shrinks below a half   shrinks below a quarter")
	for _, depth := range []int{10, 20, 30, 40, 50, 60, 70, 80} {
		fmt.Printf("%10d", depth)
		for _, mutant := range []string{"shrink-at-half", ""} {
			n, err := copies(depth, mutant)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Printf("   %18d", n)
		}
		fmt.Println()
	}
}

// copies is how often a stack is copied.
func copies(depth int, mutant string) (int, error) {
	v, err := solutions.Go("1.2")
	if err != nil {
		return 0, err
	}
	for _, m := range solutions.Mutants("ch13") {
		if m.Name == mutant {
			v = v.With(m.Parts)
		}
	}
	text := strings.ReplaceAll(source, "DEPTH", strconv.Itoa(depth))
	prog, err := compile.Compile([]machine.File{{Name: "border.go", Source: text}})
	if err != nil {
		return 0, err
	}
	s, err := gmp.New(v, prog, gmp.Options{Trace: true, MayMoreStack: gmp.MayMoreStackShrink})
	if err != nil {
		return 0, err
	}
	r := s.Main()
	if r.Err != nil {
		return 0, r.Err
	}
	n := 0
	for _, e := range r.Log.Events {
		if e.Kind == trace.Stack {
			n++
		}
	}
	return n, nil
}
