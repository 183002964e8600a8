package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/bench"
	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// benchRounds is how often each program is measured; the median is shown.
const benchRounds = 11

func (a *app) benchCommand() *cobra.Command {
	var format string
	var versions []string
	var procs []int
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "measure the scheduler against Go's own",
		Long: `Runs small programs on the reference schedulers of the course and, from the same
source, under the installed Go with as many Ps, in turns, and shows the medians
of several rounds: what one piece of work costs, and the ratio to Go's. With one
P it measures CPU time, with more the time on the clock. The schedulers are built
without what lets checks watch threads (the tag unwatched). The piece of work of
alloc is 1 MiB that is allocated and collected; that of idle is a connection, of
which there are 10,000 if there are as many descriptors. Then it measures how
fast the simulated CPUs of play --sim are. Nothing of this is graded.`,
		Example: `  go run ./autograder bench
  go run ./autograder bench --go 0.x,1.1,1.26
  go run ./autograder bench --go 1.0,1.1 --procs 2
  go run ./autograder bench --format json > bench.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usagef("--format takes text or json, not %q", format)
			}
			settings, err := benchSettings(versions, procs)
			if err != nil {
				return err
			}
			report, err := a.measured(cmd.Context(), settings)
			if err != nil {
				return err
			}
			if format == "json" {
				return report.WriteJSON(a.out)
			}
			a.showBench(report, settings)
			return nil
		},
	}
	newest := solutions.Versions()[len(solutions.Versions())-1]
	cmd.Flags().StringVar(&format, "format", "text", "the `form` of the report: text or json")
	cmd.Flags().StringSliceVar(&versions, "go", []string{newest}, "the `versions` of Go whose schedulers run the programs")
	cmd.Flags().IntSliceVar(&procs, "procs", []int{1, 2}, "how many `Ps`; with more than one, only the versions with many threads")
	return cmd
}

// benchSettings are the settings that the flags ask for.
func benchSettings(versions []string, procs []int) ([]bench.Setting, error) {
	var settings []bench.Setting
	for _, n := range procs {
		if n < 1 || n > sim.MaxCPUs {
			return nil, usagef("--procs takes 1 to %d, not %d", sim.MaxCPUs, n)
		}
		at := bench.Setting{Procs: n}
		for _, name := range versions {
			version, err := solutions.Go(name)
			if err != nil {
				return nil, usagef("--go: %v", err)
			}
			if n == 1 || version.Threads != nil {
				at.Versions = append(at.Versions, name)
			}
		}
		if len(at.Versions) == 0 {
			return nil, usagef("Go %s runs one goroutine at a time: --procs %d needs Go 1.0 or later", strings.Join(versions, " and "), n)
		}
		settings = append(settings, at)
	}
	return settings, nil
}

// measured measures all programs of bench and shows its progress.
func (a *app) measured(ctx context.Context, settings []bench.Setting) (*bench.Report, error) {
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	progress.Stage("building …")
	binary := a.path(local, "bin", "ours")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return nil, err
	}
	if err := grade.BuildCommand(ctx, a.root, "./autograder/bench/ours", binary, nil, "-tags", "unwatched"); err != nil {
		return nil, err
	}
	report, err := bench.Measure(ctx, bench.Programs(), settings, benchRounds, func(ctx context.Context, p bench.Program, at bench.Setting) (ours []bench.Runner, golang bench.Runner, err error) {
		progress.Stage("measuring %s, %s …", p.Name, psOf(at.Procs))
		for _, name := range at.Versions {
			ours = append(ours, bench.Child(binary, p, name, at.Procs))
		}
		golang, err = bench.Go(ctx, p, at.Procs, a.path(local, "bin"))
		return ours, golang, err
	})
	if err != nil {
		return nil, err
	}
	progress.Stage("measuring the simulator …")
	speed, err := bench.MeasureSimulator(benchRounds)
	if err != nil {
		return nil, err
	}
	report.Simulator = &speed
	return report, nil
}

// showBench prints a table for each setting: a line for each program, and in it each
// version with its ratio to Go.
func (a *app) showBench(report *bench.Report, settings []bench.Setting) {
	for _, at := range settings {
		head := fmt.Sprintf("%-12s", psOf(at.Procs))
		for _, version := range at.Versions {
			head += fmt.Sprintf("%9s%7s", version, "ratio")
		}
		a.out.Println(a.out.Paint(screen.Bold, head+fmt.Sprintf("%9s", "Go")))
		rows := slices.DeleteFunc(slices.Clone(report.Rows), func(r bench.Row) bool { return r.Procs != at.Procs })
		for len(rows) > 0 {
			name, golang := rows[0].Name, amount(rows[0].Go, rows[0].Memory)
			line := fmt.Sprintf("%-12s", name)
			for _, version := range at.Versions {
				if len(rows) == 0 || rows[0].Name != name || rows[0].Version != version { // it would not end
					line += fmt.Sprintf("%9s%7s", "-", "")
					continue
				}
				line += fmt.Sprintf("%9s%7.2f", amount(rows[0].Ours, rows[0].Memory), rows[0].Ratio)
				rows = rows[1:]
			}
			a.out.Println(line + fmt.Sprintf("%9s", golang))
		}
		for _, n := range report.Notes {
			if n.Procs == at.Procs {
				a.out.Labeled(0, 13, n.Name, n.Text)
			}
		}
		for _, s := range report.Skipped {
			if s.Procs == at.Procs {
				a.out.Labeled(0, 13, s.Name, "skipped: "+s.Reason)
			}
		}
		a.out.Println("")
	}
	if s := report.Simulator; s != nil {
		a.out.Println(fmt.Sprintf("simulator: %.0f million accesses/s, %.1f million turns of 64 threads/s", s.AccessesPerSec/1e6, s.TurnsPerSec/1e6))
	}
}

// amount writes a number of nanoseconds or bytes in at most 7 places.
func amount(v float64, memory bool) string {
	unit := "B"
	if !memory {
		unit = "ns"
		for _, larger := range []string{"µs", "ms", "s"} {
			if v < 1000 {
				break
			}
			v, unit = v/1000, larger
		}
	}
	decimals := 0
	switch {
	case v < 10:
		decimals = 2
	case v < 100:
		decimals = 1
	}
	return fmt.Sprintf("%.*f %s", decimals, v, unit)
}

// psOf is "1 P", "2 Ps".
func psOf(n int) string {
	if n == 1 {
		return "1 P"
	}
	return fmt.Sprintf("%d Ps", n)
}
