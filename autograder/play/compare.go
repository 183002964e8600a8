package play

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gosched/chapters/machine"
	"gosched/timeline"
)

// compare runs the program on both versions, tells on o.Stderr how they did, and writes
// both timelines, or what there is of them if a run was ended from outside. The status is that of the
// first run that does not end with 0.
func compare(ctx context.Context, program machine.File, o Options) int {
	versions := []string{o.Go, o.Against}
	for _, release := range versions { // before anything is run
		if _, err := o.Version(release); err != nil {
			fmt.Fprintln(o.Stderr, err)
			return Failed
		}
	}
	o.Log = true
	status := 0
	var runs []timeline.Run
	var figures []timeline.Figures
	for _, release := range versions {
		if ctx.Err() != nil {
			fmt.Fprintf(o.Stderr, "\n-- Go %s was not run --\n", release)
			break
		}
		fmt.Fprintf(o.Stderr, "-- Go %s --\n", release)
		o.Go = release
		result, ok := run(ctx, program, o)
		if !ok {
			return result.Status
		}
		status = cmp.Or(status, result.Status)
		runs = append(runs, timeline.Run{Program: filepath.Base(program.Name), Go: release, Log: result.Log})
		if result.Err == nil && result.Ended == "" { // half a run cannot be compared
			figures = append(figures, timeline.FiguresOf(result.Log, result.Sim))
		}
	}
	if len(figures) == len(versions) {
		fmt.Fprint(o.Stderr, sideBySide(versions, figures))
	}
	if o.Trace == "" {
		return status
	}
	if err := writeTrace(o.Trace, func(w io.Writer) error { return writeRuns(w, runs) }); err != nil {
		fmt.Fprintf(o.Stderr, "the trace was not written: %v\n", err)
		return Failed
	}
	return status
}

// writeRuns writes the timelines of two runs next to each other, or that of one alone.
func writeRuns(w io.Writer, runs []timeline.Run) error {
	if len(runs) == 1 {
		return timeline.Render(w, runs[0].Log, timeline.Options{})
	}
	opt := timeline.CompareOptions{Title: runs[0].Program, Left: runs[0].Go, Right: runs[1].Go}
	both, err := timeline.Compare(runs, opt)
	if err != nil {
		return err
	}
	return timeline.Page(w, opt.Title, both)
}

// sideBySide is a table of figures, a column for each version.
func sideBySide(versions []string, figures []timeline.Figures) string {
	var b strings.Builder
	row := func(what string, cell func(i int) string) {
		fmt.Fprintf(&b, "%-26s", what)
		for i := range versions {
			fmt.Fprintf(&b, "%14s", cell(i))
		}
		b.WriteByte('\n')
	}
	row("-- compared --", func(i int) string { return "Go " + versions[i] })
	row("makespan", func(i int) string { return figures[i].Makespan.String() })
	row("waited for sched.lock", func(i int) string { return figures[i].LockWait.String() })
	row("Ms", func(i int) string { return fmt.Sprint(figures[i].Ms) })
	row("idle beside a runnable G", func(i int) string { return fmt.Sprintf("%.1f%%", 100*figures[i].Idle) })
	return b.String()
}
