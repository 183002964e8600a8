// Calls runs short.go, three goroutines that make 1200 system calls in all, none of which
// blocks, on two simulated CPUs: under Go 1.0 as this course has it, which takes s.Lock twice in a
// call; with P left behind, as since Go 1.1; and if each call handed off its P at once.
//
//	go run ./book/figures/ch11/calls
package main

import (
	"fmt"
	"os"
	"time"

	ch11 "gosched/chapters/ch11_syscall"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// handsOff enters each call as if it was known to block.
type handsOff struct {
	gmp.Syscalls
	s *gmp.Sched
}

func (p handsOff) Entersyscall(mp *gmp.M, gp *gmp.G) { p.s.Entersyscallblock(mp, gp) }

// A way is one of the ways to make a call.
type way struct {
	name  string
	parts gmp.Version
}

// ways are those that are compared.
func ways() ([]way, error) {
	v10, err := solutions.Go("1.0")
	if err != nil {
		return nil, err
	}
	v := solutions.Base("ch11")
	right := v.Syscalls
	return []way{
		{"the lock, as in Go 1.0", v10},
		{"P handed off at once", v.With(gmp.Version{Syscalls: func(s *gmp.Sched) gmp.Syscalls { return handsOff{right(s), s} }})},
		{"P left behind", v},
	}, nil
}

// simulate runs short.go one way.
func simulate(v gmp.Version, seed uint64) (check.Run, error) {
	return ch11.Suite.Measure(v, "short.go", sim.Options{CPUs: 2, Seed: seed}, nil)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	list, err := ways()
	if err != nil {
		return err
	}
	fmt.Println("way                     takes    sched.lock taken  sleeps")
	for _, w := range list {
		run, err := simulate(w.parts, 1)
		if err != nil {
			return err
		}
		fmt.Printf("%-22s  %4d µs  %16d  %6d\n", w.name, run.Sim.Elapsed/time.Microsecond, run.Sim.Lock("sched.lock").Acquisitions, run.Sim.Sleeps)
	}
	return nil
}
