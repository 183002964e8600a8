// Ours runs a program of bench once on a scheduler of the course and prints what that
// cost, nanoseconds or bytes:
//
//	ours PROGRAM VERSION PROCS N [ARG ...]
//
// Bench builds it with the tag unwatched: without the questions that let a simulation or
// an exploration see what threads share. See chapters/machine/watched.go.
//
// Bench also runs the commands of other commits, so this stays as it is: the arguments, a
// single number as the output, and for a program that it does not know an error on standard
// error as below.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"

	"gosched/autograder/bench"
	"gosched/solutions"
)

func main() {
	cost, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(cost)
}

func run(args []string) (cost float64, err error) {
	if len(args) < 4 {
		return 0, fmt.Errorf("usage: ours PROGRAM VERSION PROCS N [ARG ...]")
	}
	list := bench.Programs()
	i := slices.IndexFunc(list, func(p bench.Program) bool { return p.Name == args[0] })
	if i < 0 {
		return 0, fmt.Errorf(bench.NoProgram, args[0])
	}
	version, err := solutions.Go(args[1])
	if err != nil {
		return 0, err
	}
	procs, err := strconv.Atoi(args[2])
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(args[3])
	if err != nil {
		return 0, err
	}
	program := list[i]
	program.Args = args[4:]
	percent := debug.SetGCPercent(-1) // to compile leaves little garbage, and should not take long
	runner, err := bench.Ours(program, version, procs, bench.Ready)
	if err != nil {
		return 0, err
	}
	debug.SetGCPercent(percent)
	return runner(context.Background(), n)
}
