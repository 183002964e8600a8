package ch17_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// change raises and lowers GOMAXPROCS, from two goroutines at once, while others compute,
// talk and sleep.
const change = `package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	sums, ended := make(chan int), make(chan bool)
	for i := range 8 {
		go func() {
			sum, talk := 0, make(chan int, i%2)
			go func() {
				for n := range 50 {
					talk <- n
					if n%16 == 0 {
						time.Sleep(20 * time.Microsecond)
					}
				}
				close(talk)
			}()
			for n := range talk {
				sum += n
				runtime.Gosched()
			}
			sums <- sum
		}()
	}
	for _, list := range [][]int{{4, 2, 300, 1, 3}, {2, 8, 1, 5}} {
		go func() {
			for _, n := range list {
				runtime.GOMAXPROCS(n)
				runtime.Gosched()
			}
			ended <- true
		}()
	}
	total := 0
	for range 8 {
		total += <-sums
	}
	<-ended
	<-ended
	runtime.GOMAXPROCS(2)
	fmt.Println("total", total, "of", runtime.GOMAXPROCS(0))
}`

// dead is stuck, but for the one that changes GOMAXPROCS, who then is, too.
const dead = `package main

import "runtime"

func main() {
	c := make(chan int)
	for range 3 {
		go func() { <-c }()
	}
	for n := range 5 {
		runtime.GOMAXPROCS(5 - n)
		runtime.Gosched()
	}
	<-c
}`

func play(t *testing.T, source string, opt gmp.Options, simulated bool) (gmp.Result, string) {
	v, err := solutions.Go("1.1")
	require.NoError(t, err)
	prog, err := compile.Compile([]machine.File{{Name: "prog.go", Source: source}})
	require.NoError(t, err)
	var out bytes.Buffer
	opt.Check = true
	opt.Machine = machine.Options{MemBytes: 16 << 20, Stdout: &out}
	s, err := gmp.New(v, prog, opt)
	require.NoError(t, err)
	var result gmp.Result
	if simulated {
		_, err = sim.Run(sim.Options{CPUs: opt.Procs, Seed: opt.Seed, Limit: sim.Second}, func() { result = s.Main() })
		require.NoError(t, err)
	} else {
		result = s.Main()
	}
	require.NoError(t, result.Err)
	return result, out.String()
}

func TestChange(t *testing.T) {
	for _, simulated := range []bool{true, false} {
		for seed := range uint64(12) {
			opt := gmp.Options{Procs: []int{1, 2, 4}[seed%3], Seed: seed, Slice: int64(seed%5) * 17}
			what := fmt.Sprintf("simulated: %v, seed %d", simulated, seed)
			_, out := play(t, change, opt, simulated)
			assert.Equal(t, "total 9800 of 2\n", out, what)
			result, _ := play(t, dead, opt, simulated)
			assert.Equal(t, "fatal error: all goroutines are asleep - deadlock!", result.Fatal, what)
		}
	}
}
