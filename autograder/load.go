package main

import (
	"context"
	"fmt"
	"maps"
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
}

func (a *app) loadCommand() *cobra.Command {
	var o loadOptions
	names := slices.Sorted(maps.Keys(load.Protocols))
	cmd := &cobra.Command{
		Use:   "load [" + strings.Join(names, "|") + "] [flags]",
		Short: "put servers on the scheduler under load, and on Go's own",
		Long: `Serves many clients from outside with the servers of chapter 18, ` + strings.Join(names, " and ") + `:
on a scheduler of the course and, from the same source, under the installed Go
with as many Ps, in turns. Each connection sends a request when it
has the answer to the last one. A request that gets no answer, or another's, is
an error. It shows the medians of several rounds: requests per second, and how
long half of the requests, and all but one in a hundred, took at most. The
clients take their part of the CPUs, too. Nothing of this is graded.`,
		Example: `  go run ./autograder load
  go run ./autograder load http --conns 200 --requests 5000 --rounds 1
  go run ./autograder load http --parts exercises`,
		Args: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if load.Protocols[name] == nil {
					return usagef("there is no server %q; there are %s", name, strings.Join(names, " and "))
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
			return a.loadServers(cmd.Context(), args, o)
		},
	}
	versions := solutions.Versions()
	cmd.Flags().StringVar(&o.version, "go", versions[len(versions)-1], "the `version` of Go whose scheduler runs the servers")
	cmd.Flags().StringVar(&o.parts, "parts", grade.Solutions, "the `parts` that make the scheduler: solutions or exercises")
	cmd.Flags().IntVar(&o.procs, "procs", 4, "how many `Ps`")
	cmd.Flags().IntVar(&o.conns, "conns", 1000, "how many `connections` there are at once")
	cmd.Flags().IntVar(&o.requests, "requests", 100_000, "how many `requests` there are in all, the same on each connection")
	cmd.Flags().IntVar(&o.rounds, "rounds", 3, "how many `rounds`; the medians are shown")
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

// loadServers puts the servers under load, one after the other, and shows how they did.
func (a *app) loadServers(ctx context.Context, names []string, o loadOptions) error {
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	progress.Stage("building …")
	dir := a.path(local, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	ours, serve := filepath.Join(dir, "serve"), load.Ours
	var err error
	if o.parts == grade.Exercises {
		ours, err = a.buildExercises(ctx, "serve-exercises", "-tags", "unwatched")
		serve = load.Exercises
	} else {
		err = grade.BuildCommand(ctx, a.root, "./autograder/load/ours", ours, nil, "-tags", "unwatched")
	}
	if err != nil {
		return err
	}
	a.out.Println(fmt.Sprintf("%d connections, %d requests, %s", o.conns, o.requests, psOf(o.procs)))
	for _, name := range names {
		file := a.path(serversDir, name+".go")
		golang := filepath.Join(dir, "serve-"+name)
		if err := grade.BuildCommand(ctx, a.root, file, golang, nil); err != nil {
			return err
		}
		l := load.Load{Protocol: load.Protocols[name], Conns: o.conns, Requests: o.requests}
		var results [2][]load.Result // ours, and Go's
		for round := range o.rounds {
			progress.Stage("%s, round %d of %d …", name, round+1, o.rounds)
			for i, start := range []func() (*load.Server, error){
				func() (*load.Server, error) { return serve(ctx, ours, file, o.version, o.procs) },
				func() (*load.Server, error) { return load.Go(ctx, golang, o.procs) },
			} {
				r, err := l.Serve(ctx, start)
				if err != nil {
					return exit{exitFailed, fmt.Sprintf("%s, %s: %v", name, []string{"Go " + o.version + " of the course", "Go"}[i], err)}
				}
				results[i] = append(results[i], r)
			}
		}
		progress.Clear()
		a.showLoad(name, o.version, results)
	}
	return nil
}

// showLoad prints the table of one server.
func (a *app) showLoad(name, version string, results [2][]load.Result) {
	a.out.Println(a.out.Paint(screen.Bold, fmt.Sprintf("\n%-12s%12s%10s%10s", name, "requests/s", "p50", "p99")))
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
		a.out.Println(fmt.Sprintf("%-12s%12.0f%10s%10s", who, median(results[i], columns[0]),
			amount(median(results[i], columns[1]), false), amount(median(results[i], columns[2]), false)))
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
