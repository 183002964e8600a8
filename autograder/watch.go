package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/chapters"
	"gosched/chapters/check"
)

func (a *app) watchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch [chapter]",
		Short: "run the checks again whenever you save a file",
		Long: `Runs the checks of the chapter that you are at, or of the named one, then waits
for you to save a file in exercises/ and runs the checks of its chapter again.
After the first run it shows what came out differently from before, and explains
the first check that fails. Saving while checks run ends them and starts again.
With a chapter, only its files count. Enter runs the checks of the chapter that ran
last again, saved or not: some file systems, such as those that a container or a
virtual machine shares, do not tell when a file is saved. End with Ctrl-C.`,
		Example: `  go run ./autograder watch
  go run ./autograder watch ch01`,
		Annotations: exitHelp("  0 ended with Ctrl-C, 2 wrong usage or nothing could be run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("one chapter at a time, or none for all")
			}
			return a.watch(cmd.Context(), args)
		},
	}
}

// settleTime is how long the files must rest before they are looked at: editors
// and formatters write a file in several steps.
const settleTime = 150 * time.Millisecond

func (a *app) watch(ctx context.Context, args []string) error {
	w := &watch{app: a, of: a.written(), last: map[string]grade.Chapter{}}
	first, err := a.current(a.loadState())
	if err != nil {
		return err
	}
	if len(args) == 1 {
		if first, err = a.chapter(args[0]); err != nil {
			return err
		}
		w.of = []chapters.Chapter{first}
	}
	w.edits, err = edits(ctx, a.path(grade.Exercises))
	if err != nil {
		return err
	}
	w.enters = enters(ctx, os.Stdin)
	w.settle = func() <-chan time.Time { return time.After(settleTime) }
	w.grade = func(ctx context.Context, ids []string, judged func(*grade.Report)) (*grade.Report, error) {
		return a.checked(ctx, &grade.Grader{Root: a.root, Of: grade.Exercises, All: a.course, Chapters: ids, Own: grade.OwnIfPassing, Patience: patience, Course: a.courseCode, Judged: judged})
	}
	return w.run(ctx, first.ID)
}

// A watch runs checks whenever their exercises change. Its fields before app
// stand for the world around it, so that tests can do without.
type watch struct {
	edits  <-chan struct{}         // a file may have changed
	enters <-chan struct{}         // Enter was pressed
	settle func() <-chan time.Time // the channel receives when files have rested long enough
	// grade grades chapters. If something follows their verdicts, judged gets these before.
	grade func(ctx context.Context, ids []string, judged func(*grade.Report)) (*grade.Report, error)

	app     *app
	of      []chapters.Chapter       // the chapters whose files count
	sources map[string]string        // by ID, what app.sources said when they were looked at last
	last    map[string]grade.Chapter // by ID, what was shown last, build errors aside
	judged  *grade.Report            // what has been shown of the pass that is running, nil if nothing
}

// A pass is one run of checks.
type pass struct {
	ids    []string
	goesOn bool // something follows these results
	report *grade.Report
	err    error
}

// run watches until ctx ends, which is no error. It begins with the checks of
// one chapter. At most one pass goes on at a time.
func (w *watch) run(ctx context.Context, first string) error {
	w.sources = map[string]string{}
	w.edited()
	var (
		due     = []string{first} // chapters to be run
		last    = due             // those that ran last
		running bool
		cancel  = func() {} // the pass that is running
		results = make(chan pass)
		settled <-chan time.Time
	)
	for {
		if len(due) > 0 && !running && ctx.Err() == nil {
			var passCtx context.Context
			passCtx, cancel = context.WithCancel(ctx)
			ids := due
			due, last, running, w.judged = nil, due, true, nil
			go func() {
				report, err := w.grade(passCtx, ids, func(judged *grade.Report) {
					results <- pass{ids: ids, goesOn: true, report: judged}
				})
				results <- pass{ids: ids, report: report, err: err}
			}()
		}
		select {
		case <-ctx.Done():
			for running {
				running = (<-results).goesOn
			}
			cancel()
			return untilEnd(ctx)
		case <-w.edits:
			settled = w.settle()
		case <-w.enters:
			due = union(due, union(last, w.edited()))
			cancel()
		case <-settled:
			settled = nil
			if edited := w.edited(); len(edited) > 0 {
				due = union(due, edited)
				cancel()
			}
		case p := <-results:
			if p.goesOn {
				if len(due) == 0 {
					w.show(p.report)
				}
				continue
			}
			cancel()
			running = false
			switch {
			case p.err == nil && len(due) == 0:
				w.show(p.report)
			case p.err == nil || errors.Is(p.err, context.Canceled):
				due = union(p.ids, due) // these results are of files that are gone
			default:
				return p.err
			}
		}
	}
}

// edited returns the chapters whose files are others than when it was called
// last.
func (w *watch) edited() []string {
	var ids []string
	for _, ch := range w.of {
		sources := w.app.sources(ch)
		if w.sources[ch.ID] != sources {
			w.sources[ch.ID] = sources
			ids = append(ids, ch.ID)
		}
	}
	return ids
}

// union returns the elements of a and b, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// show draws the results of a pass in place of those before it, or what has followed those
// that it has drawn of this pass.
func (w *watch) show(report *grade.Report) {
	out := w.app.out
	if w.judged != nil {
		w.app.showRest(w.judged, report)
	} else {
		w.showChapters(report)
	}
	if slices.ContainsFunc(report.Chapters, func(ch grade.Chapter) bool { return ch.Follows() }) {
		w.judged = report
		return
	}
	out.Println()
	out.Println(out.Paint(screen.Dim, "Waiting for you to save a file. Enter runs the checks again; end with Ctrl-C."))
}

// showChapters draws the chapters of a report on a screen of their own.
func (w *watch) showChapters(report *grade.Report) {
	out := w.app.out
	switch {
	case out.Terminal:
		out.Clear()
	case len(w.last) > 0:
		out.Println()
	}
	for i := range report.Chapters {
		if i > 0 {
			out.Println()
		}
		w.showChapter(&report.Chapters[i])
	}
}

// showChapter shows a chapter: all of it the first time and while it does not
// compile, later what has changed.
func (w *watch) showChapter(ch *grade.Chapter) {
	a := w.app
	last, seen := w.last[ch.ID]
	if !ch.Broken() {
		w.last[ch.ID] = *ch
	}
	if !seen || ch.Broken() {
		a.showChapter(ch, false)
		return
	}
	a.chapterTitle(ch)
	before := map[string]check.Status{}
	names := 0
	for _, c := range last.Checks {
		before[c.Name] = c.Status
		names = max(names, len(c.Name))
	}
	changed := false
	for _, c := range ch.Checks {
		if was := before[c.Name]; was != c.Status {
			changed = true
			a.out.Println(fmt.Sprintf("  %s %s  %s", a.status(c.Status), screen.Pad(c.Name, names), a.out.Paint(screen.Dim, "was "+words[was].word)))
		}
	}
	if !changed {
		a.out.Wrapped(2, "Every check came out as before.")
	}
	a.concludeSoFar(ch, false)
}

// edits sends whenever a Go file or a folder directly below dir has changed,
// until ctx ends. Several changes may come as one.
func edits(ctx context.Context, dir string) (<-chan struct{}, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("there are no exercises yet; make them with %s gen", invocation)
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("this system does not report when files change: %w", err)
	}
	folders, err := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range append([]string{dir}, folders...) {
		err = errors.Join(err, addFolder(watcher, name))
	}
	if err != nil {
		watcher.Close()
		return nil, fmt.Errorf("%s cannot be watched: %w", dir, err)
	}
	changed := make(chan struct{}, 1)
	go func() {
		defer watcher.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case e := <-watcher.Events:
				if e.Has(fsnotify.Create) {
					// A folder that is gone again is none to watch.
					_ = addFolder(watcher, e.Name)
				}
				if filepath.Dir(e.Name) != dir && !strings.HasSuffix(e.Name, ".go") {
					continue
				}
			case <-watcher.Errors: // events were lost: any file may have changed
			}
			select {
			case changed <- struct{}{}:
			default: // one is waiting to be received
			}
		}
	}()
	return changed, nil
}

// enters sends for each line that is read from in, until that or ctx ends. Several may come as one.
func enters(ctx context.Context, in io.Reader) <-chan struct{} {
	pressed := make(chan struct{}, 1)
	go func() {
		for lines := bufio.NewScanner(in); lines.Scan() && ctx.Err() == nil; {
			select {
			case pressed <- struct{}{}:
			default: // one is waiting to be received
			}
		}
	}()
	return pressed
}

// addFolder watches name if it is a folder.
func addFolder(watcher *fsnotify.Watcher, name string) error {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return err
	}
	return watcher.Add(name)
}
