// Hang plays ../spin.go on one simulated CPU, under versions before signals and with them, and
// counts how often main has run after 200 million instructions of the computing goroutine, which
// take 200 ms.
//
//	go run ./book/figures/ch14/hang
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"gosched/book/figures/ch14"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

const budget = 200_000_000

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	fmt.Println("version        a call  no call")
	for _, row := range []struct {
		release string
		off     bool
	}{{"1.1", false}, {"1.2", false}, {"1.5", false}, {"1.14", false}, {"1.14", true}} {
		name := "Go " + row.release
		if row.off {
			name += ", off"
		}
		fmt.Printf("%-12s", name)
		for _, loop := range []string{"calls", "none"} {
			ticks, err := play(row.release, row.off, loop)
			if err != nil {
				return err
			}
			said := fmt.Sprintf("%d ticks", ticks)
			if ticks == 0 {
				said = "hangs"
			}
			fmt.Printf("  %7s", said)
		}
		fmt.Println()
	}
	return nil
}

// play is how often main has run.
func play(release string, off bool, loop string) (ticks int, err error) {
	v, err := solutions.Go(release)
	if err != nil {
		return 0, err
	}
	prog, err := compile.Compile([]machine.File{{Name: "spin.go", Source: ch14.Spin}})
	if err != nil {
		return 0, err
	}
	var out strings.Builder
	s, err := gmp.New(v, prog, gmp.Options{
		Machine:         machine.Options{Stdout: &out, Stderr: io.Discard, Args: []string{"spin.go", loop}},
		Procs:           1,
		Seed:            1,
		Budget:          budget,
		AsyncPreemptOff: off,
	})
	if err != nil {
		return 0, err
	}
	var result gmp.Result
	if _, err := sim.Run(sim.Options{CPUs: 1, Seed: 1}, func() { result = s.Main() }); err != nil {
		return 0, err
	}
	if result.Err != nil && !errors.Is(result.Err, gmp.ErrBudget) {
		return 0, result.Err
	}
	return strings.Count(out.String(), "tick"), nil
}
