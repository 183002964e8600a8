package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/grade"
	"gosched/autograder/play"
	"gosched/autograder/screen"
	"gosched/chapters"
	"gosched/solutions"
)

func (a *app) playCommand() *cobra.Command {
	o := play.Options{Version: solutions.Go}
	var parts string
	cmd := &cobra.Command{
		Use:   "play [flags] FILE.go [-- arguments]",
		Short: "run a Go program on a scheduler of the course",
		Long: `Compiles a Go program for the machine of the course and runs it there, on the
scheduler of the given version of Go, or of the newest. The program is ordinary
Go: go run takes it, too. With --parts exercises the scheduler is made of your own
parts; if no version is given it is the newest that your finished chapters have
reached.

The trace shows every decision of the scheduler: as a page to step through
(.html), for Perfetto or Chrome (.json), or as a log (.jsonl).

Ctrl-C or SIGTERM ends the run, also one that loops or waits for ever: it says where
each M and each goroutine of the program stands, and writes the trace up to there. A
second one ends it without waiting. If nobody reads the output any more, as with
| head -1, the trace is written, too. Signal the group of processes if you use go run:
SIGTERM to go alone ends the run on Linux only.

With --sim the threads of the machine run on simulated CPUs, in virtual time: with
the same seed, every run is the same.

Versions that can be played:
` + versions(),
		Example: `  go run ./autograder play hello.go
  go run ./autograder play hello.go --trace hello.html
  go run ./autograder play hello.go --parts exercises
  go run ./autograder play hello.go --sim --procs 4 --seed 7
  go run ./autograder play hello.go --sim --procs 4 --go 1.0 --against 1.1 --trace both.html`,
		Annotations: exitHelp("  the program's own; 2 if it panics, does not compile, or cannot be run;\n  130 after Ctrl-C, 143 after SIGTERM, 141 if nobody reads the output"),
		Args:        oneOf("which program? play FILE.go"),
		// The solutions are in this binary; only the exercises must be found.
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if parts != grade.Exercises {
				return nil
			}
			return a.findCourse(filepath.Dir(args[0]))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o = o.Standard()
			o.Args = args[1:]
			if err := o.Check(); err != nil {
				return usagef("%v", err)
			}
			if info, err := os.Stat(args[0]); err != nil || info.IsDir() {
				return usagef("there is no program %s", args[0])
			}
			switch parts {
			case grade.Solutions:
				return exited(play.Status(cmd.Context(), args[0], o))
			case grade.Exercises:
				return a.playExercises(cmd.Context(), args[0], o)
			}
			return usagef("--parts takes solutions or exercises, not %q", parts)
		},
	}
	o.AddFlags(cmd.Flags())
	cmd.Flags().StringVar(&parts, "parts", grade.Solutions, "the `parts` that make the scheduler: solutions or exercises")
	return cmd
}

// versions lists the versions that can be played, one a line, and what each lacks.
func versions() string {
	var lines []string
	for _, release := range solutions.Versions() {
		line := "  " + release
		if missing := solutions.Missing(release); len(missing) > 0 {
			var names []string
			for _, id := range missing {
				names = append(names, number(chapters.Chapter{ID: id}))
			}
			line = "  " + screen.Pad(release, 5) + "without what these chapters will add: " + strings.Join(names, ", ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// exited is the error for a status, nil for 0.
func exited(status int) error {
	if status == 0 {
		return nil
	}
	return exit{status: status}
}

// buildExercises builds the command in exercises/play under a name in .gosched/bin, and returns
// where it is. An error that the student's code causes says so.
func (a *app) buildExercises(ctx context.Context, name string, flags ...string) (binary string, err error) {
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	a.building(progress)("your scheduler")
	binary = a.path(local, "bin", name)
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return "", err
	}
	err = grade.BuildCommand(ctx, a.root, "./exercises/play", binary, nil, flags...)
	if broken, ok := errors.AsType[*grade.BuildError](err); ok {
		return "", usagef("your exercises do not compile:\n  %s", strings.Join(broken.Lines, "\n  "))
	}
	return binary, err
}

// playExercises plays on the student's own parts, in a binary of their own. The process becomes
// that: whoever sends it a signal reaches the run, once.
func (a *app) playExercises(ctx context.Context, file string, o play.Options) error {
	binary, err := a.buildExercises(ctx, "play")
	if err != nil {
		return err
	}
	args := []string{"--go", o.Go, "--seed", fmt.Sprint(o.Seed), "--trace", o.Trace, "--against", o.Against,
		fmt.Sprintf("--sim=%v", o.Sim), "--procs", fmt.Sprint(o.Procs), "--ask", fmt.Sprint(o.Ask), "--signal", fmt.Sprint(o.Signal),
		fmt.Sprintf("--asyncpreemptoff=%v", o.NoAsync), "--mem", fmt.Sprint(o.Mem), "--net", o.Net,
		"--schedtrace", fmt.Sprint(o.Sched), fmt.Sprintf("--scheddetail=%v", o.Detail), "--", file}
	return become(binary, append(args, o.Args...))
}
