// Awake draws what each M does in a run of breath.go on four simulated CPUs, and tells how
// many of them spin at the same time.
//
//	go run ./book/figures/ch10/awake
package main

import (
	"fmt"
	"os"
	"strings"

	ch10 "gosched/chapters/ch10_spin"
	"gosched/chapters/check"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
)

const (
	cpus   = 4
	column = 20_000 // ns
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	log, err := log(1)
	if err != nil {
		return err
	}
	h := follow(log)
	fmt.Printf("a column is %d µs; █ runs a G, s spins, · sleeps\n", column/1000)
	for id, lane := range h.lanes {
		fmt.Printf("M%d  %s\n", id, string(lane))
	}
	for n, ns := range h.spun {
		fmt.Printf("spinning Ms: %d  %5.1f%% of the time\n", n, 100*float64(ns)/float64(h.end))
	}
	return nil
}

// log is the trace of the run.
func log(seed uint64) (*trace.Log, error) {
	run, err := ch10.Suite.Measure(solutions.Base("ch10"), "breath.go", sim.Options{CPUs: cpus, Seed: seed}, check.Traced)
	return run.Log, err
}

// A history is what the Ms have done.
type history struct {
	lanes [][]rune // of each M, what it did in each column
	spun  []int64  // for how long so many Ms have spun at the same time, in ns
	end   int64
}

// follow goes through a log. An M runs a G from Run until that G leaves it, spins from Spin
// to Unspin, and sleeps from Idle to Wake.
func follow(log *trace.Log) history {
	h := history{end: log.Events[len(log.Events)-1].T}
	h.lanes = make([][]rune, log.Header.Ms)
	for id := range h.lanes {
		h.lanes[id] = []rune(strings.Repeat(" ", int(h.end/column)+1))
	}
	doing, since := make([]rune, len(h.lanes)), make([]int64, len(h.lanes))
	spinning, last := 0, int64(0)
	change := func(m int32, t int64, to rune) {
		h.draw(m, since[m], t, doing[m])
		for spinning >= len(h.spun) {
			h.spun = append(h.spun, 0)
		}
		h.spun[spinning] += t - last
		last = t
		if doing[m] == 's' {
			spinning--
		}
		if to == 's' {
			spinning++
		}
		doing[m], since[m] = to, t
	}
	for _, e := range log.Events {
		switch e.Kind {
		case trace.Run:
			change(e.M, e.T, '█')
		case trace.Spin:
			change(e.M, e.T, 's')
		case trace.Idle:
			change(e.M, e.T, '·')
		case trace.Wake, trace.Unspin, trace.Park, trace.Yield, trace.Exit:
			change(e.M, e.T, 0)
		case trace.End:
			for m := range doing {
				change(int32(m), e.T, 0)
			}
		}
	}
	return h
}

// draw puts a stretch of time into the lane of m. To run is more than to spin, and both are
// more than to sleep.
func (h *history) draw(m int32, from, to int64, what rune) {
	rank := strings.IndexRune("·s█", what)
	if what == 0 {
		return
	}
	for c := from / column; c <= to/column; c++ {
		if strings.IndexRune("·s█", h.lanes[m][c]) < rank {
			h.lanes[m][c] = what
		}
	}
}
