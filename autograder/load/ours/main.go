// Ours runs a program on a scheduler of the course, with the host's network:
//
//	ours VERSION PROCS FILE ARGUMENTS
//
// The command load builds it with the tag unwatched; see chapters/machine/watched.go.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/solutions"
)

// memory is the size of the machine's memory in bytes: what 1,000 connections need, and as much
// again for garbage.
const memory = 256 << 20

func main() {
	status, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(status)
}

func run(args []string) (status int, err error) {
	if len(args) < 3 {
		return 0, fmt.Errorf("usage: ours VERSION PROCS FILE ARGUMENTS")
	}
	version, err := solutions.Go(args[0])
	if err != nil {
		return 0, err
	}
	procs, err := strconv.Atoi(args[1])
	if err != nil {
		return 0, err
	}
	source, err := os.ReadFile(args[2])
	if err != nil {
		return 0, err
	}
	prog, err := compile.Compile([]machine.File{{Name: filepath.Base(args[2]), Source: string(source)}})
	if err != nil {
		return 0, err
	}
	s, err := gmp.New(version, prog, gmp.Options{Procs: procs, Seed: 1, Machine: machine.Options{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Args: args[2:], Network: machine.HostNetwork, MemBytes: memory,
	}})
	if err != nil {
		return 0, err
	}
	res := s.Main()
	return res.Status, res.Err
}
