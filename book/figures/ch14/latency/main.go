// Latency measures how long main waits for its turn beside a goroutine that computes on the only
// P: on the scheduler of Go 1.14 of the course, on real threads, and under the installed Go, from
// the same source, ../late.go, in turns.
//
//	go run ./book/figures/ch14/latency
package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"gosched/book/figures/ch14"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/solutions"
)

// Each of the four is run so often, and sleeps so often in each run.
const (
	rounds = 5
	sleeps = 20
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	binary, remove, err := ch14.Build(ch14.Late)
	if err != nil {
		return err
	}
	defer remove()
	golang := func(args ...string) (string, error) {
		out, err := exec.Command(binary, args...).Output()
		return string(out), err
	}
	v, err := solutions.Go("1.14")
	if err != nil {
		return err
	}
	prog, err := compile.Compile([]machine.File{{Name: "late.go", Source: ch14.Late}})
	if err != nil {
		return err
	}
	ours := func(args ...string) (string, error) {
		var out strings.Builder
		s, err := gmp.New(v, prog, gmp.Options{Machine: machine.Options{Stdout: &out, Stderr: &out, Args: append([]string{"late.go"}, args...)}, Procs: 1, Seed: 1})
		if err != nil {
			return "", err
		}
		result := s.Main()
		return out.String(), result.Err
	}
	rows := []struct {
		name, loop string
		run        func(args ...string) (string, error)
		waits      []int // µs
	}{
		{"a call, Go", "calls", golang, nil},
		{"a call, ours", "calls", ours, nil},
		{"a signal, Go", "none", golang, nil},
		{"a signal, ours", "none", ours, nil},
	}
	for range rounds {
		for i := range rows {
			r := &rows[i]
			out, err := r.run(r.loop, strconv.Itoa(sleeps))
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			for _, line := range strings.Fields(out) {
				us, err := strconv.Atoi(line)
				if err != nil {
					return err
				}
				r.waits = append(r.waits, us)
			}
		}
	}
	fmt.Println("stopped by      p50, ms  p99, ms  max, ms")
	for _, r := range rows {
		slices.Sort(r.waits)
		at := func(percent int) float64 { return float64(r.waits[(len(r.waits)*percent+99)/100-1]) / 1000 }
		fmt.Printf("%-14s  %7.2f  %7.2f  %7.2f\n", r.name, at(50), at(99), at(100))
	}
	return nil
}
