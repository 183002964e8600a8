package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/grade"
	"gosched/autograder/load"
	"gosched/autograder/screen"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// serversDir is where the programs are that load can serve.
const serversDir = "chapters/ch18_whole/programs"

// loadOptions are the flags of load.
type loadOptions struct {
	version, parts                 string
	procs, conns, requests, rounds int
	faults                         bool
}

// ofLoad are the flags that faults have no use for.
var ofLoad = []string{"conns", "requests", "rounds"}

func (a *app) loadCommand() *cobra.Command {
	var o loadOptions
	names := load.Programs
	cmd := &cobra.Command{
		Use:   "load [" + strings.Join(names, "|") + "] [flags]",
		Short: "put servers on the scheduler under load, and on Go's own",
		Long: `Serves many clients from outside with the servers of chapter 18, ` + listOf(names) + `:
on a scheduler of the course and, from the same source, under the installed Go
with as many Ps, in turns. It shows the medians of several rounds: answers per
second, how long half of the answers, and all but one in a hundred, took at most,
and how many threads the process had in the end. The clients take their part of
the CPUs, too.

Of echo and http each connection sends a request when it has the answer to the
last one. In the chat a few guests talk, and a line counts as an answer for each
guest who hears it. It is an error if an answer is not there, or is another's; if
lines are lost or come in another order; and if the server in the end has not given
back its goroutines, descriptors and memory, or has more threads than it needs.

With --faults clients fail in many ways while others are served: they vanish, are
silent, too slow, or do not read; and the listener is closed, and the server
stopped, under load. Each fault is a line that says whether the others were served,
and the server gave everything back. Nothing of all this is graded.`,
		Example: `  go run ./autograder load
  go run ./autograder load http --conns 200 --requests 5000 --rounds 1
  go run ./autograder load http --parts exercises
  go run ./autograder load --faults --parts exercises`,
		Annotations: exitHelp("  0 all were served, 1 something was lost or not given back, 2 it could not be run"),
		Args: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if !slices.Contains(names, name) {
					return usagef("there is no server %q; there are %s", name, listOf(names))
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if len(args) == 0 {
				args = names
			}
			if !o.faults {
				return a.loadServers(cmd.Context(), args, o)
			}
			for _, name := range ofLoad {
				if cmd.Flags().Changed(name) {
					return usagef("--faults has clients of its own, and no rounds: leave out --%s", name)
				}
			}
			return a.loadFaults(cmd.Context(), args, o)
		},
	}
	versions := solutions.Versions()
	cmd.Flags().StringVar(&o.version, "go", versions[len(versions)-1], "the `version` of Go whose scheduler runs the servers")
	cmd.Flags().StringVar(&o.parts, "parts", grade.Solutions, "the `parts` that make the scheduler: solutions or exercises")
	cmd.Flags().IntVar(&o.procs, "procs", 4, "how many `Ps`")
	cmd.Flags().IntVar(&o.conns, "conns", 1000, "how many `connections` there are at once")
	cmd.Flags().IntVar(&o.requests, "requests", 100_000, "how many `requests` there are in all, the same on each connection")
	cmd.Flags().IntVar(&o.rounds, "rounds", 3, "how many `rounds`; the medians are shown")
	cmd.Flags().BoolVar(&o.faults, "faults", false, "let clients fail, instead of many that do not")
	return cmd
}

// check says what is wrong with the flags.
func (o loadOptions) check() error {
	version, err := solutions.Go(o.version)
	switch {
	case err != nil:
		return usagef("--go: %v", err)
	case version.Threads == nil:
		return usagef("--go %s: it has one thread, which would wait for standard input; take Go 1.0 or later", o.version)
	case o.parts != grade.Solutions && o.parts != grade.Exercises:
		return usagef("--parts takes solutions or exercises, not %q", o.parts)
	case o.procs < 1 || o.procs > sim.MaxCPUs:
		return usagef("--procs takes 1 to %d, not %d", sim.MaxCPUs, o.procs)
	case o.conns < 1 || o.conns > load.MaxConns:
		return usagef("--conns takes 1 to %d, not %d: a process has 1024 descriptors", load.MaxConns, o.conns)
	case o.requests < o.conns:
		return usagef("--requests takes at least %d, one for each connection, not %d", o.conns, o.requests)
	case o.rounds < 1:
		return usagef("--rounds takes 1 or more, not %d", o.rounds)
	}
	return nil
}

// listOf is how a sentence names these.
func listOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// servers builds what serves on the scheduler of the course, and returns how a server is started,
// and a function that shows what the servers that have been stopped had to say: which parts of the
// exercises are not written yet.
func (a *app) servers(ctx context.Context, o loadOptions) (start load.Start, tell func(), err error) {
	ours, serve := a.path(local, "bin", "serve"), load.Ours
	if o.parts == grade.Exercises {
		ours, err = a.buildExercises(ctx, "serve-exercises", "-tags", "unwatched")
		serve = load.Exercises
	} else {
		err = grade.BuildCommand(ctx, a.root, "./autograder/load/ours", ours, nil, "-tags", "unwatched")
	}
	var last *load.Server
	told := ""
	start = func(ctx context.Context, name string, args ...string) (*load.Server, error) {
		s, err := serve(ctx, ours, a.path(serversDir, name+".go"), o.version, o.procs, args...)
		last = s
		return s, err
	}
	tell = func() {
		if last != nil && last.Said() != told {
			told = last.Said()
			a.err.Println(told)
		}
	}
	return start, tell, err
}

// loadServers puts the servers under load, one after the other, and shows how they did.
func (a *app) loadServers(ctx context.Context, names []string, o loadOptions) error {
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	progress.Stage("building …")
	dir := a.path(local, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	ours, tell, err := a.servers(ctx, o)
	if err != nil {
		return err
	}
	a.out.Println(fmt.Sprintf("%d connections, %d requests, %s", o.conns, o.requests, psOf(o.procs)))
	for _, name := range names {
		golang := filepath.Join(dir, "serve-"+name)
		if err := grade.BuildCommand(ctx, a.root, a.path(serversDir, name+".go"), golang, nil); err != nil {
			return err
		}
		work := load.Of(name, o.conns, o.requests)
		var results [2][]load.Result // ours, and Go's
		for round := range o.rounds {
			progress.Stage("%s, round %d of %d …", name, round+1, o.rounds)
			for i, start := range []func() (*load.Server, error){
				func() (*load.Server, error) { return ours(ctx, name) },
				func() (*load.Server, error) { return load.Go(ctx, golang, o.procs) },
			} {
				r, err := load.Serve(ctx, work, start, o.procs)
				if err != nil {
					return exit{exitFailed, fmt.Sprintf("%s, %s: %v", name, []string{"Go " + o.version + " of the course", "Go"}[i], err)}
				}
				results[i] = append(results[i], r)
			}
		}
		progress.Clear()
		tell()
		a.showLoad(name, o.version, results)
	}
	return nil
}

// loadFaults lets the servers meet their faults, and shows how they did.
func (a *app) loadFaults(ctx context.Context, names []string, o loadOptions) error {
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	progress.Stage("building …")
	if err := os.MkdirAll(a.path(local, "bin"), 0o755); err != nil {
		return err
	}
	start, tell, err := a.servers(ctx, o)
	if err != nil {
		return err
	}
	progress.Clear()
	a.out.Println("Go " + o.version + ", " + psOf(o.procs))
	wrong := false
	for _, fault := range load.Faults {
		if !slices.Contains(names, fault.Program) {
			continue
		}
		progress.Stage("%s: %s …", fault.Program, fault.Name)
		err := fault.Run(ctx, start, o.procs)
		progress.Clear()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			tell() // otherwise the error has it
		}
		a.showFault(fault, err)
		wrong = wrong || err != nil
	}
	if wrong {
		return failed
	}
	return nil
}

// showFault prints how a server has met a fault.
func (a *app) showFault(fault load.Fault, err error) {
	line := screen.Pad(fault.Program, 6) + fault.Name
	if err == nil {
		a.out.Println(a.out.Paint(screen.Green, "  pass ") + line)
		return
	}
	a.out.Println(a.out.Paint(screen.Red, "  FAIL ") + line)
	a.out.Println("       " + err.Error())
}

// showLoad prints the table of one server.
func (a *app) showLoad(name, version string, results [2][]load.Result) {
	a.out.Println(a.out.Paint(screen.Bold, fmt.Sprintf("\n%-12s%12s%10s%10s%10s", name, "answers/s", "p50", "p99", "threads")))
	median := func(of []load.Result, value func(load.Result) float64) float64 {
		var values []float64
		for _, r := range of {
			values = append(values, value(r))
		}
		slices.Sort(values)
		return values[(len(values)-1)/2]
	}
	columns := []func(load.Result) float64{
		func(r load.Result) float64 { return r.PerSecond },
		func(r load.Result) float64 { return float64(r.P50) },
		func(r load.Result) float64 { return float64(r.P99) },
	}
	for i, who := range []string{version, "Go"} {
		threads := ""
		if n := median(results[i], func(r load.Result) float64 { return float64(r.Threads) }); n > 0 {
			threads = fmt.Sprint(n)
		}
		a.out.Println(strings.TrimRight(fmt.Sprintf("%-12s%12.0f%10s%10s%10s", who, median(results[i], columns[0]),
			amount(median(results[i], columns[1]), false), amount(median(results[i], columns[2]), false), threads), " "))
	}
	line := fmt.Sprintf("%-12s", "ratio")
	for i, column := range columns {
		var ratios []load.Result // in PerSecond, of the same round
		for round := range results[0] {
			ratios = append(ratios, load.Result{PerSecond: column(results[0][round]) / column(results[1][round])})
		}
		line += fmt.Sprintf("%*.2f", []int{12, 10, 10}[i], median(ratios, columns[0]))
	}
	a.out.Println(line)
}
