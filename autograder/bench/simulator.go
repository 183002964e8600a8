package bench

import (
	"errors"
	"time"

	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
	"gosched/chapters/machine/sim"
)

// A Simulator says how fast the simulated CPUs and the explorer of models are on this computer.
type Simulator struct {
	// AccessesPerSec is how often a thread reads a variable that its CPU has, while
	// no other thread wants to run.
	AccessesPerSec float64 `json:"accesses_per_s"`
	// TurnsPerSec is how often the simulator goes from one thread to another, if 64
	// threads on 64 CPUs do so at each step.
	TurnsPerSec float64 `json:"turns_per_s"`
	// ExecutionsPerSec is how many executions the explorer runs of a small model.
	ExecutionsPerSec float64 `json:"executions_per_s"`
}

// MeasureSimulator measures the simulator in so many rounds, and returns the medians.
func MeasureSimulator(rounds int) (Simulator, error) {
	var accesses, turns, executions []float64
	for range rounds {
		for _, m := range []struct {
			rates *[]float64
			run   func() (int64, error)
		}{{&accesses, runAccesses}, {&turns, runTurns}, {&executions, runExecutions}} {
			start := time.Now()
			n, err := m.run()
			if err != nil {
				return Simulator{}, err
			}
			*m.rates = append(*m.rates, float64(n)/time.Since(start).Seconds())
		}
	}
	return Simulator{AccessesPerSec: tenth(median(accesses)), TurnsPerSec: tenth(median(turns)), ExecutionsPerSec: tenth(median(executions))}, nil
}

func runAccesses() (int64, error) {
	report, err := sim.Run(sim.Options{CPUs: 1}, func() {
		var v machine.Uint32
		for range 3_000_000 {
			v.Load()
		}
	})
	return report.Accesses, err
}

func runTurns() (int64, error) {
	const threads = 64
	report, err := sim.Run(sim.Options{CPUs: threads}, func() {
		for range threads - 1 {
			machine.Newosproc("spinner", func() {
				for {
					machine.Procyield(10)
				}
			})
		}
		machine.Usleep(1000)
	})
	return report.Turns, err
}

// runExecutions explores to the end how three threads count, each in two steps that others
// may come between.
func runExecutions() (int64, error) {
	result := explore.Explore(explore.Options{}, func(m *explore.Model) {
		var count machine.Uint32
		for range 3 {
			m.Thread("counter", func() {
				for range 2 {
					count.Store(count.Load() + 1)
				}
			})
		}
	})
	if !result.Exhaustive {
		return 0, errors.New("the explorer did not explore a small model to its end")
	}
	return int64(result.Executions), nil
}
