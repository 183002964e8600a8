package play

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"gosched/chapters/machine"
	"gosched/timeline"
)

// Figures say how well a run on simulated CPUs went, and can be compared with those of
// another version.
type Figures struct {
	Makespan time.Duration // from the first event to the end of the program
	LockWait time.Duration // that threads waited for sched.lock, in all
	Ms       int           // threads that run Gs
	Idle     float64       // the part of the CPUs' time in which one was idle while a G waited: Log.IdleBesideWork
}

// Figures returns the figures of a run that was simulated on so many CPUs and logged.
func (r Result) Figures(cpus int) Figures {
	f := Figures{Makespan: time.Duration(r.Log.Span()), Ms: r.Log.Header.Ms}
	for _, lock := range r.Sim.Locks {
		if lock.Name == "sched.lock" {
			f.LockWait = lock.Waited
		}
	}
	if f.Makespan > 0 {
		f.Idle = float64(r.Log.IdleBesideWork(cpus)) / float64(f.Makespan) / float64(cpus)
	}
	return f
}

// compare runs the program on both versions, tells on o.Stderr how they did, and writes
// both timelines. The status is that of the first run that does not end with 0.
func compare(program machine.File, o Options) int {
	versions := []string{o.Go, o.Against}
	for _, release := range versions { // before anything is run
		if _, err := o.Version(release); err != nil {
			fmt.Fprintln(o.Stderr, err)
			return Failed
		}
	}
	o.Log = true
	var runs []timeline.Run
	var figures []Figures
	for _, release := range versions {
		fmt.Fprintf(o.Stderr, "-- Go %s --\n", release)
		o.Go = release
		result, err := Run(program, o)
		if err != nil {
			fmt.Fprintln(o.Stderr, err)
			return Failed
		}
		if result.Err != nil {
			fmt.Fprint(o.Stderr, explain(result.Err, o.Own))
		}
		if result.Status != 0 || result.Log == nil {
			return result.Status
		}
		runs = append(runs, timeline.Run{Program: filepath.Base(program.Name), Go: release, Log: result.Log})
		figures = append(figures, result.Figures(o.Procs))
	}
	fmt.Fprint(o.Stderr, sideBySide(versions, figures))
	if o.Trace == "" {
		return 0
	}
	opt := timeline.CompareOptions{Title: filepath.Base(program.Name), Left: versions[0], Right: versions[1]}
	err := writeTrace(o.Trace, func(w io.Writer) error {
		both, err := timeline.Compare(runs, opt)
		if err != nil {
			return err
		}
		return timeline.Page(w, opt.Title, both)
	})
	if err != nil {
		fmt.Fprintf(o.Stderr, "the trace was not written: %v\n", err)
		return Failed
	}
	return 0
}

// sideBySide is a table of figures, a column for each version.
func sideBySide(versions []string, figures []Figures) string {
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
