package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gosched/autograder/bench"
	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// usual is how long bench goes on with a program: interval to ±4 %, or 41 pairs, or 12 s.
var usual = bench.Limit{Share: 0.04, Pairs: 41, Time: 12 * time.Second}

// finer is the limit of a comparison of two commits, of which a few percent are asked.
var finer = bench.Limit{Share: 0.02, Pairs: 101, Time: 20 * time.Second}

// speedRounds is how often the speed of the simulator is measured.
const speedRounds = 11

// crowd is how many goroutines are simulated at once. They need some 3 KiB each; ten times as
// many take ten times as long, and more memory than many a computer has.
const crowd = 100_000

// benchFlags are the flags of bench.
type benchFlags struct {
	format, against string
	versions, only  []string
	procs           []int
	history         bool
}

func (a *app) benchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "measure the scheduler against Go's own",
		Long: `Runs small programs on the reference schedulers of the course and, from the same
source, under the installed Go with as many Ps, in pairs. It shows what one piece
of work costs, the ratio to Go's, and the interval in which the true ratio lies
with a confidence of 95 %. It goes on with a program until that is ±4 %, or for 12
seconds. Pairs that were disturbed, by what else the computer did, do not count.
With one P it measures CPU time, and on Linux both programs of a pair run on the
same CPU at the same time; with more Ps it measures the time on the clock. The
schedulers are built without what lets checks watch threads (the tag unwatched).
The piece of work of alloc is 1 MiB that is allocated and collected; that of idle
is a connection, of which there are 10,000 if there are as many descriptors; that
of sieve is the whole program. Then it measures how fast the simulated CPUs of
play --sim are, and the explorer of models.

With --against it compares the tree as it is with a commit of it: the same
programs on both, built with the same flags, the commit in a temporary worktree of
git. It says faster or slower if 1 lies outside the interval, and otherwise that
it cannot tell. If many programs are compared, one in twenty that has not changed
is said to have. --history measures the programs in which goroutines take turns on
all versions, with one P, and writes the table of the book. Nothing of this is
graded.`,
		Example: `  go run ./autograder bench
  go run ./autograder bench --go 0.x,1.1,1.26 --only yield,pingpong
  go run ./autograder bench --go 1.0,1.1 --procs 2
  go run ./autograder bench --against HEAD~3 --procs 1
  go run ./autograder bench --format json > bench.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runBench(cmd.Context(), f) },
	}
	newest := solutions.Versions()[len(solutions.Versions())-1]
	cmd.Flags().StringVar(&f.format, "format", "text", "the `form` of the report: text or json")
	cmd.Flags().StringSliceVar(&f.versions, "go", []string{newest}, "the `versions` of Go whose schedulers run the programs")
	cmd.Flags().IntSliceVar(&f.procs, "procs", []int{1, 2}, "how many `Ps`; with more than one, only the versions with many threads")
	cmd.Flags().StringSliceVar(&f.only, "only", nil, "the `programs` to measure; without it all, and the simulator")
	cmd.Flags().StringVar(&f.against, "against", "", "compare with this `commit` instead of Go")
	cmd.Flags().BoolVar(&f.history, "history", false, "write the table of the book, "+bench.HistoryFile)
	for _, other := range []string{"format", "against", "go", "procs", "only"} {
		cmd.MarkFlagsMutuallyExclusive("history", other)
	}
	return cmd
}

func (a *app) runBench(ctx context.Context, f benchFlags) error {
	if f.format != "text" && f.format != "json" {
		return usagef("--format takes text or json, not %q", f.format)
	}
	if f.history {
		return a.writeHistory(ctx)
	}
	settings, err := benchSettings(f.versions, f.procs)
	if err != nil {
		return err
	}
	list, err := benchPrograms(f.only)
	if err != nil {
		return err
	}
	var report *bench.Report
	if f.against != "" {
		report, err = a.measuredAgainst(ctx, f.against, list, settings)
	} else {
		report, err = a.measured(ctx, list, settings, usual, f.only == nil)
	}
	if err != nil {
		return err
	}
	if f.format == "json" {
		return report.WriteJSON(a.out)
	}
	a.showBench(report, settings)
	return nil
}

// benchPrograms are the programs with these names, or all.
func benchPrograms(names []string) ([]bench.Program, error) {
	all := bench.Programs()
	if names == nil {
		return all, nil
	}
	known := make([]string, len(all))
	for i, p := range all {
		known[i] = p.Name
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, usagef("--only: there is no program %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(p bench.Program) bool { return !slices.Contains(names, p.Name) }), nil
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

// buildOurs builds the command ours of a tree of the course as the file name.
func (a *app) buildOurs(ctx context.Context, root, name string) (string, error) {
	binary := a.path(local, "bin", name)
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return "", err
	}
	// With -trimpath a package that is the same in two trees is compiled once.
	return binary, grade.BuildCommand(ctx, root, "./autograder/bench/ours", binary, nil, "-tags", "unwatched", "-trimpath", "-buildvcs=false")
}

// measured measures programs, and maybe the simulator, and shows its progress.
func (a *app) measured(ctx context.Context, list []bench.Program, settings []bench.Setting, limit bench.Limit, simulator bool) (*bench.Report, error) {
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	progress.Stage("building …")
	binary, err := a.buildOurs(ctx, a.root, "ours")
	if err != nil {
		return nil, err
	}
	report, err := bench.Measure(ctx, list, settings, limit, func(ctx context.Context, p bench.Program, version string, procs int) (ours, golang bench.Runner, err error) {
		progress.Stage("measuring %s on Go %s, %s …", p.Name, version, psOf(procs))
		golang, err = bench.Go(ctx, p, procs, a.path(local, "bin"))
		return bench.Child(binary, p, version, procs), golang, err
	})
	if err != nil || !simulator {
		return report, err
	}
	progress.Stage("measuring the simulator …")
	speed, err := bench.MeasureSimulator(speedRounds)
	if err != nil {
		return nil, err
	}
	version, err := solutions.Go(solutions.Versions()[len(solutions.Versions())-1])
	if err != nil {
		return nil, err
	}
	progress.Stage("simulating %d goroutines …", crowd)
	if speed.Crowd, err = bench.MeasureCrowd(version, sim.MaxCPUs, crowd); err != nil {
		return nil, err
	}
	report.Simulator = &speed
	progress.Stage("measuring the explorer …")
	explorer, err := bench.MeasureExplorer(speedRounds, version)
	if err != nil {
		return nil, err
	}
	report.Explorer = &explorer
	return report, nil
}

// showBench prints a table for each setting, with a line for each program and version.
func (a *app) showBench(report *bench.Report, settings []bench.Setting) {
	other := "Go"
	if report.Against != "" {
		other = "old"
	}
	for _, at := range settings {
		a.out.Println(a.out.Paint(screen.Bold, fmt.Sprintf("%-12s%-6s%9s%9s%8s  %s", psOf(at.Procs), "Go", "ours", other, "ratio", "interval")))
		for _, r := range report.Rows {
			if r.Procs != at.Procs {
				continue
			}
			line := fmt.Sprintf("%-12s%-6s%9s%9s%8.2f  %.2f–%.2f", r.Name, r.Version, amount(r.A, r.Memory), amount(r.B, r.Memory), r.Ratio, r.Low, r.High)
			if r.Against {
				line += "  " + string(r.Verdict())
			}
			a.out.Println(line)
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
		if c := s.Crowd; c != nil {
			a.out.Println(fmt.Sprintf("           %d CPUs, %d goroutines: %.1f s of CPU time, %.0f bytes a goroutine", c.CPUs, c.Goroutines, c.Sec, c.Bytes))
		}
	}
	if e := report.Explorer; e != nil {
		a.out.Println(fmt.Sprintf("explorer:  %.0f thousand executions/s of a small model, %.1f million steps/s", e.ExecutionsPerSec/1e3, e.StepsPerSec/1e6))
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
