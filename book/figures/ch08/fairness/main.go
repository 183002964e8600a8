// Fairness changes how often a P looks at the global queue before its own, and tells
// what becomes of the goroutines. "turns" is who runs how often on one P, "cost" how much
// is done in a ms on 1 to 64 simulated CPUs.
//
//	go run ./book/figures/ch08/fairness turns
//	go run ./book/figures/ch08/fairness cost
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	ch08 "gosched/chapters/ch08_loop"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
	every "gosched/solutions/ch08_loop"
)

func main() {
	figures := map[string]func() error{"turns": turns, "slices": slicesFigure, "cost": cost}
	if len(os.Args) != 2 || figures[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "which figure? turns, slices or cost")
		os.Exit(2)
	}
	if err := figures[os.Args[1]](); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// budget is how many instructions serve.go may execute: ten times what it needs.
const budget = 2_000_000

// turns plays serve.go on one P: 1000 rounds.
func turns() error {
	fmt.Println("looks at the global queue   in the ring   in the global queue   1000 rounds")
	for _, n := range []uint32{0, 61, 2, 1} {
		v, err := looking(n)
		if err != nil {
			return err
		}
		ring, global, ended, err := serve(v, 2)
		if err != nil {
			return err
		}
		if !ended {
			fmt.Printf("%-27s %11s   %19s   no end\n", looks(n), "-", "all")
			continue
		}
		fmt.Printf("%-27s %11d   %19d   done\n", looks(n), ring, global)
	}
	return nil
}

// looks says how often the global queue comes first.
func looks(n uint32) string {
	switch n {
	case 0:
		return "when it has nothing else"
	case 1:
		return "always first"
	}
	return "first, every " + ordinal(n) + " slice"
}

func ordinal(n uint32) string {
	switch n {
	case 2:
		return "2nd"
	case 61:
		return "61st"
	}
	return strconv.Itoa(int(n)) + "th"
}

// slicesFigure plays serve.go on one P with one servant: 1000 rounds of ping-pong.
func slicesFigure() error {
	fmt.Println("the G that is woken                   in the ring   in the global queue")
	for _, row := range []struct{ name, version string }{
		{"goes to the tail (Go 1.1)", "1.1"},
		{"runs next, in the same slice", "ch08"},
		{"runs next, in a slice of its own", ""},
	} {
		v, err := version(row.version)
		if err != nil {
			return err
		}
		ring, global, _, err := serve(v, 1)
		if err != nil {
			return err
		}
		fmt.Printf("%-37s %11d   %19d\n", row.name, ring, global)
	}
	return nil
}

// version returns a version by its name; "" is that of the chapter where no slice is
// inherited.
func version(name string) (gmp.Version, error) {
	if name != "" {
		return solutions.Go(name)
	}
	v, err := solutions.Go("ch08")
	for _, m := range solutions.Mutants("ch08") {
		if m.Name == "execute-counts-all" {
			v = v.With(m.Parts)
		}
	}
	return v, err
}

// serve plays 1000 rounds of serve.go on one P. ring and global are how often those ran
// who wait there. ended is false if the rounds do not come to an end.
func serve(v gmp.Version, servants int) (ring, global int, ended bool, err error) {
	run, err := ch08.Suite.Measure(v, "serve.go", sim.Options{CPUs: 1, Seed: 1}, func(o *gmp.Options) {
		o.Budget = budget
		o.Machine.Args = []string{"serve.go", "1000", strconv.Itoa(servants)}
	})
	if errors.Is(err, gmp.ErrBudget) {
		return 0, 0, false, nil
	}
	if err != nil {
		return 0, 0, false, err
	}
	_, err = fmt.Sscanf(run.Stdout, "rounds: 1000 servants: %d\nthe one in the ring ran %d times\nthe one in the global queue ran %d times", &servants, &ring, &global)
	return ring, global, true, err
}

// A block of a bar stands for so many steps per ms.
const block = 500

// cost plays mixed.go on more and more CPUs.
func cost() error {
	fmt.Println("steps/ms with a look at every 61st slice, or at every slice (░: what that loses); time in the lock")
	fmt.Println("CPUs  every 61st  in the lock: 61st  every slice  in the lock: every")
	for cpus := 1; cpus <= 64; cpus *= 2 {
		var rate, wait [2]float64
		for i, n := range []uint32{61, 1} {
			run, err := measure(n, cpus, 1)
			if err != nil {
				return err
			}
			rate[i], wait[i] = throughput(run), run.Waited()
		}
		fmt.Printf("%4d  %10.0f  %16.1f%%  %11.0f  %17.1f%%  %s\n", cpus, rate[0], 100*wait[0], rate[1], 100*wait[1], bars(rate[0], rate[1]))
	}
	return nil
}

// bars draws the greater number light as far as it exceeds the other.
func bars(a, b float64) string {
	n, m := int(max(a, b)/block+0.5), int(min(a, b)/block+0.5)
	return strings.Repeat("█", m) + strings.Repeat("░", n-m)
}

// throughput is how many steps were done in a ms.
func throughput(run check.Run) float64 {
	steps, err := strconv.Atoi(strings.TrimSpace(run.Stdout))
	if err != nil {
		panic(err) // the program prints a number
	}
	return float64(steps) / run.Sim.Elapsed.Seconds() / 1000
}

// measure plays mixed.go where each nth slice begins with the global queue.
func measure(n uint32, cpus int, seed uint64) (check.Run, error) {
	v, err := looking(n)
	if err != nil {
		return check.Run{}, err
	}
	return ch08.Suite.Measure(v, "mixed.go", sim.Options{CPUs: cpus, Seed: seed}, nil)
}

// looking is the scheduler of the chapter, where each nth slice begins with the global
// queue.
func looking(n uint32) (gmp.Version, error) {
	v, err := solutions.Go("ch08")
	return v.With(every.Every(n)), err
}
