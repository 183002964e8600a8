// Locked runs a ping-pong between two goroutines, on two simulated CPUs: when none of them, and
// when one is locked to its thread. It tells how long a round trip takes, and how often a thread
// goes to sleep for it.
//
//	go run ./book/figures/ch11/locked
package main

import (
	"fmt"
	"os"
	"time"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

const rounds = 500

const program = `package main

import "runtime"

func main() {
	ping, pong := make(chan int), make(chan int)
	go func() {
		if LOCKED {
			runtime.LockOSThread()
		}
		for n := range ping {
			pong <- n
		}
	}()
	for n := range ROUNDS {
		ping <- n
		<-pong
	}
}

`

func main() {
	fmt.Println("ping-pong   round trip  sleeps per round trip")
	for _, locked := range []bool{false, true} {
		trip, sleeps, err := run(locked, 1)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		name := "not locked"
		if locked {
			name = "one locked"
		}
		fmt.Printf("%-10s  %7.1f µs  %21.1f\n", name, float64(trip)/float64(time.Microsecond), sleeps)
	}
}

// run plays it: how long a round trip takes, and how many sleeps there are in one.
func run(locked bool, seed uint64) (trip time.Duration, sleeps float64, err error) {
	v, err := solutions.Go("1.1")
	if err != nil {
		return 0, 0, err
	}
	source := program + fmt.Sprintf("const LOCKED, ROUNDS = %v, %d\n", locked, rounds)
	prog, err := compile.Compile([]machine.File{{Name: "pingpong.go", Source: source}})
	if err != nil {
		return 0, 0, err
	}
	s, err := gmp.New(v, prog, gmp.Options{Procs: 2, Seed: seed})
	if err != nil {
		return 0, 0, err
	}
	var res gmp.Result
	report, err := sim.Run(sim.Options{CPUs: 2, Seed: seed}, func() { res = s.Main() })
	if err == nil {
		err = res.Err
	}
	return report.Elapsed / rounds, float64(report.Sleeps) / rounds, err
}
