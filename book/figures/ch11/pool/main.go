// Pool runs eight goroutines that each spend 200 µs in a system call, and four that compute, on
// two simulated CPUs and on several versions of Go. It tells how long the program takes, and
// how many Ms there are in the end.
//
//	go run ./book/figures/ch11/pool
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
)

const program = `package main

import "syscall"

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func main() {
	done := make(chan int)
	for range 8 {
		go func() {
			syscall.Nanosleep(&syscall.Timespec{Nsec: 200_000}, nil)
			done <- 0
		}()
	}
	for i := range 4 {
		go func() { done <- work(25_000 + i) }()
	}
	for range 12 {
		<-done
	}
}
`

func main() {
	fmt.Println("Go    takes     Ms")
	for _, version := range []string{"0.x", "1.0", "1.1"} {
		took, ms, _, err := run(version, 1)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%-4s  %4d µs  %2d\n", version, took/time.Microsecond, ms)
	}
}

// run plays the program on a version, and says how long it takes, how many Ms there are, and what
// happened.
func run(version string, seed uint64) (time.Duration, int64, *trace.Log, error) {
	v, err := solutions.Go(version)
	if err != nil {
		return 0, 0, nil, err
	}
	prog, err := compile.Compile([]machine.File{{Name: "pool.go", Source: program}})
	if err != nil {
		return 0, 0, nil, err
	}
	s, err := gmp.New(v, prog, gmp.Options{Procs: 2, Seed: seed, Trace: true, Machine: machine.Options{Stderr: new(strings.Builder)}})
	if err != nil {
		return 0, 0, nil, err
	}
	var res gmp.Result
	report, err := sim.Run(sim.Options{CPUs: 2, Seed: seed}, func() { res = s.Main() })
	if err == nil {
		err = res.Err
	}
	took := report.Elapsed
	if v.Threads == nil {
		took = time.Duration(s.Nanotime()) // one M does not really sleep
	}
	return took, s.Mnext.Get(), res.Log, err
}
