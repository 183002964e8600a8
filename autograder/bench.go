package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"gosched/autograder/bench"
	"gosched/autograder/play"
	"gosched/autograder/screen"
	"gosched/solutions"
)

// benchRounds is how often each program is measured; the median is shown.
const benchRounds = 9

func (a *app) benchCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "measure the scheduler beside Go's own",
		Long: `Runs small programs on the reference scheduler of the course and, from the same
source, under the installed Go with GOMAXPROCS=1, in turns, and shows the median
of several rounds. Then it measures how fast the simulated CPUs of play --sim are.
Nothing of it is graded.`,
		Example: `  go run ./autograder bench
  go run ./autograder bench --format json > bench.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usagef("--format takes text or json, not %q", format)
			}
			report, err := a.measured(cmd.Context())
			if err != nil {
				return err
			}
			if format == "json" {
				return report.WriteJSON(a.out)
			}
			a.showBench(report)
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `form` of the report: text or json")
	return cmd
}

// measured measures all programs of bench and shows its progress.
func (a *app) measured(ctx context.Context) (*bench.Report, error) {
	version, err := solutions.Go(play.DefaultGo)
	if err != nil {
		return nil, err
	}
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	report, err := bench.Measure(ctx, bench.Programs(), benchRounds, func(ctx context.Context, p bench.Program) (ours, golang bench.Runner, err error) {
		progress.Stage("measuring %s …", p.Name)
		if ours, err = bench.Ours(p, version); err != nil {
			return nil, nil, err
		}
		golang, err = bench.Go(ctx, p, a.path(local, "bin"))
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

// showBench prints the table for people.
func (a *app) showBench(report *bench.Report) {
	a.out.Println(a.out.Paint(screen.Bold, fmt.Sprintf("%-10s %15s %15s %8s", "1 P", "ours", "Go", "ratio")))
	for _, r := range report.Rows {
		unit := "ns"
		if r.Memory {
			unit = "B "
		}
		a.out.Println(fmt.Sprintf("%-10s %12.1f %s %12.1f %s %8.2f", r.Name, r.Ours, unit, r.Go, unit, r.Ratio))
	}
	if s := report.Simulator; s != nil {
		a.out.Println(fmt.Sprintf("simulator  %.0f million accesses/s, %.1f million turns of 64 threads/s", s.AccessesPerSec/1e6, s.TurnsPerSec/1e6))
	}
	for _, s := range report.Skipped {
		a.out.Labeled(0, 11, s.Name, "skipped: "+s.Reason)
	}
}
