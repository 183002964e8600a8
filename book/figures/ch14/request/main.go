// Request measures the time from a request to stop until a goroutine in a loop without a call
// has stopped, and whoever asked knows it: on the scheduler of Go 1.14 of the course, on real
// threads, and under the installed Go, where stopping the world is the request.
//
//	go run ./book/figures/ch14/request
package main

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gosched/book/figures/ch14"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/solutions"
)

//go:embed stop.go
var stop string

// requests is how often each of the two is asked.
const requests = 1000

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	theirs, err := golang()
	if err != nil {
		return err
	}
	ours, err := course()
	if err != nil {
		return err
	}
	fmt.Println("scheduler  p50, µs  p99, µs  max, µs")
	for _, row := range []struct {
		name string
		took []float64
	}{{"Go", theirs}, {"ours", ours}} {
		slices.Sort(row.took)
		at := func(percent int) float64 { return row.took[(len(row.took)*percent+99)/100-1] }
		fmt.Printf("%-9s  %7.0f  %7.0f  %7.0f\n", row.name, at(50), at(99), at(100))
	}
	return nil
}

// golang is how many µs each request took under the installed Go.
func golang() (took []float64, err error) {
	binary, remove, err := ch14.Build(stop)
	if err != nil {
		return nil, err
	}
	defer remove()
	out, err := exec.Command(binary, strconv.Itoa(requests)).Output()
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Fields(string(out)) {
		us, err := strconv.ParseFloat(line, 64)
		if err != nil {
			return nil, err
		}
		took = append(took, us)
	}
	return took, nil
}

// course is how many they took on our scheduler. The M that asks is none of its own, but a
// thread beside it.
func course() (took []float64, err error) {
	prog, err := compile.Compile([]machine.File{{Name: "spin.go", Source: "package main\n\nfunc main() {\n\tfor {\n\t}\n}\n"}})
	if err != nil {
		return nil, err
	}
	v, err := solutions.Go("1.14")
	if err != nil {
		return nil, err
	}
	var stopped machine.Note
	var asked atomic.Bool
	signals := v.Signals
	v.Signals = func(s *gmp.Sched) gmp.Signals { return &tells{signals(s), &asked, &stopped} }
	v.Monitor = nil // nobody else asks
	s, err := gmp.New(v, prog, gmp.Options{Machine: machine.Options{Stdout: io.Discard, Stderr: io.Discard}, Procs: 1, Seed: 1})
	if err != nil {
		return nil, err
	}
	go s.Main()
	time.Sleep(100 * time.Millisecond) // until the loop runs
	mp := s.Allm.Load()
	for mp.Curg.Look() == nil {
		if mp = mp.Alllink.Peek(); mp == nil {
			return nil, fmt.Errorf("no M runs the loop")
		}
	}
	for range requests {
		time.Sleep(time.Millisecond)
		asked.Store(true)
		began := time.Now()
		for again := true; again; again = !stopped.SleepTimeout(10_000_000) { // as the monitor asks
			if gp := mp.Curg.Look(); gp != nil {
				gp.Ask()
			}
			s.PreemptM(nil, mp)
		}
		took = append(took, float64(time.Since(began).Nanoseconds())/1000)
		stopped.Clear()
	}
	return took, nil
}

// tells says when a G is being stopped.
type tells struct {
	gmp.Signals
	asked   *atomic.Bool
	stopped *machine.Note
}

func (t *tells) Asyncpreempt2(mp *gmp.M, gp *gmp.G) {
	if t.asked.CompareAndSwap(true, false) { // it may have been asked twice
		t.stopped.Wakeup()
	}
	t.Signals.Asyncpreempt2(mp, gp)
}
