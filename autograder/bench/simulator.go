package bench

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"gosched/chapters/cputime"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
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
	// Crowd is many goroutines on 256 CPUs.
	Crowd *Crowd `json:"crowd,omitempty"`
}

// A Crowd says what it takes to simulate so many goroutines, all of which exist at once.
type Crowd struct {
	CPUs       int     `json:"cpus"`
	Goroutines int     `json:"goroutines"`
	Sec        float64 `json:"s"`     // of CPU time, or, where that is unknown, of any
	Bytes      float64 `json:"bytes"` // for each of them, in all: its stack, the G, and what the simulator knows of it
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

// MeasureCrowd plays a program with so many goroutines, once.
func MeasureCrowd(version gmp.Version, cpus, goroutines int) (*Crowd, error) {
	text, err := programs.ReadFile("programs/crowd.go")
	if err != nil {
		panic(err) // it is embedded
	}
	prog, err := compile.Compile([]machine.File{{Name: "crowd.go", Source: string(text)}})
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	before := heap()
	s, err := gmp.New(version, prog, gmp.Options{Machine: machine.Options{
		MemBytes: machine.DefaultMemBytes + 3<<10*int64(goroutines), Stdout: &output, Stderr: &output,
		Args: []string{"crowd", strconv.Itoa(goroutines)},
	}, Procs: cpus, Seed: 1})
	if err != nil {
		return nil, err
	}
	crowd := &Crowd{CPUs: cpus, Goroutines: goroutines}
	var result gmp.Result
	started, used := time.Now(), cputime.Own()
	_, err = sim.Run(sim.Options{CPUs: cpus, Seed: 1}, func() {
		result = s.Main()
		took := time.Since(started)
		if cputime.Known {
			took = cputime.Own() - used
		}
		crowd.Sec = took.Seconds()
		// While the simulation still knows its lines.
		m := s.Machine
		inUse := heap() - before - float64(m.Size()) + float64(m.HeapBytes()) + float64(m.StackBytes())
		crowd.Bytes = tenth(inUse / float64(goroutines))
	})
	runtime.KeepAlive(s)
	switch {
	case err != nil:
		return nil, err
	case result.Err != nil:
		return nil, result.Err
	case result.Status != 0:
		return nil, fmt.Errorf("it ended with status %d: %s", result.Status, &output)
	}
	return crowd, nil
}
