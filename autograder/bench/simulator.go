package bench

import (
	"time"

	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
)

// A Simulator says how fast the simulated CPUs are on this computer.
type Simulator struct {
	// AccessesPerSec is how often a thread reads a variable that its CPU has, while
	// no other thread wants to run.
	AccessesPerSec float64 `json:"accesses_per_s"`
	// TurnsPerSec is how often the simulator goes from one thread to another, if 64
	// threads on 64 CPUs do so at each step.
	TurnsPerSec float64 `json:"turns_per_s"`
}

// MeasureSimulator measures the simulator in so many rounds, and returns the medians.
func MeasureSimulator(rounds int) (Simulator, error) {
	var accesses, turns []float64
	for range rounds {
		for _, m := range []struct {
			rates *[]float64
			run   func() (int64, error)
		}{{&accesses, runAccesses}, {&turns, runTurns}} {
			start := time.Now()
			n, err := m.run()
			if err != nil {
				return Simulator{}, err
			}
			*m.rates = append(*m.rates, float64(n)/time.Since(start).Seconds())
		}
	}
	return Simulator{AccessesPerSec: tenth(median(accesses)), TurnsPerSec: tenth(median(turns))}, nil
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
