package main

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// A watchTest is a watch whose surroundings the test plays.
type watchTest struct {
	*testApp
	edits   chan struct{}
	settled chan time.Time
	passes  chan gradingCall
	shown   chan struct{} // receives when results have been drawn
	ended   chan error
	cancel  context.CancelFunc
}

// A gradingCall is a call of the grader. Its answer is sent to answer; one that
// is cancelled needs none.
type gradingCall struct {
	ids    []string
	ctx    context.Context
	judged func(*grade.Report)
	answer chan *grade.Report
}

// A drawnWriter tells when the last line of what a watch draws was written.
type drawnWriter struct {
	io.Writer
	drawn chan struct{}
}

func (w drawnWriter) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if strings.Contains(string(text), "end with Ctrl-C") {
		w.drawn <- struct{}{}
	}
	return n, err
}

func newWatchTest(t *testing.T, terminal bool) *watchTest {
	t.Helper()
	w := &watchTest{
		testApp: newTestApp(t, 80), edits: make(chan struct{}), settled: make(chan time.Time),
		passes: make(chan gradingCall), shown: make(chan struct{}), ended: make(chan error, 1),
	}
	w.app.out.Terminal = terminal
	w.app.out.Writer = drawnWriter{&w.testApp.out, w.shown}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	t.Cleanup(cancel)
	watch := &watch{app: w.app, of: w.written(), last: map[string]grade.Chapter{}, edits: w.edits}
	watch.settle = func() <-chan time.Time { return w.settled }
	watch.grade = func(ctx context.Context, ids []string, judged func(*grade.Report)) (*grade.Report, error) {
		call := gradingCall{ids, ctx, judged, make(chan *grade.Report)}
		select {
		case w.passes <- call:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		select {
		case report := <-call.answer:
			return report, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	go func() { w.ended <- watch.run(ctx, "ch01") }()
	return w
}

// save writes an exercise as an editor does, and lets it settle.
func (w *watchTest) save(t *testing.T, name, text string) {
	t.Helper()
	w.write(t, "exercises/"+name, text)
	w.edits <- struct{}{}
	w.edits <- struct{}{}
	w.settled <- time.Time{}
}

// end stops the watch and returns all that it printed.
func (w *watchTest) end(t *testing.T) string {
	t.Helper()
	w.cancel()
	require.NoError(t, <-w.ended)
	return w.testApp.out.String()
}

func (w *watchTest) report(statuses ...check.Status) *grade.Report {
	ch := w.result("ch01", statuses...)
	for i := range ch.Checks {
		if c := &ch.Checks[i]; c.Status == check.Fail {
			c.Message = c.Name + " is wrong"
		}
		if c := &ch.Checks[i]; c.Status == check.BuildError {
			c.Evidence = "exercises/ch01_goroutine/goroutine.go:3:1: undefined: thre\n"
		}
	}
	return &grade.Report{Chapters: []grade.Chapter{ch}}
}

const watched = "ch01_goroutine/goroutine.go"

// All results are shown at first, then those that changed. What does not compile
// says so, and is compared with what came before it once it compiles again.
func TestWatch(t *testing.T) {
	for _, tt := range []struct {
		name     string
		terminal bool
	}{{"watch", false}, {"watch-terminal", true}} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWatchTest(t, tt.terminal)
			for i, statuses := range [][]check.Status{
				{check.Pass, check.Fail, check.Fail, check.Todo},
				{check.Fail, check.Pass, check.Fail, check.Todo},
				{check.BuildError, check.BuildError, check.BuildError, check.BuildError},
				{check.Fail, check.Pass, check.Fail, check.Todo},
				{check.Pass, check.Pass, check.Pass, check.Pass},
			} {
				if i > 0 {
					w.save(t, watched, "package ch01 //"+strings.Repeat("!", i)+"\n")
				}
				call := <-w.passes
				assert.Equal(t, []string{"ch01"}, call.ids)
				call.answer <- w.report(statuses...)
				<-w.shown
			}
			golden(t, tt.name, w.end(t))
		})
	}
}

// Verdicts are shown before what follows them; that stands below them then.
func TestWatchFollowed(t *testing.T) {
	w := newWatchTest(t, false)
	pass := []check.Status{check.Pass, check.Pass, check.Pass, check.Pass}
	for i := range 2 {
		if i > 0 {
			w.save(t, watched, "package ch01 // new\n")
		}
		call := <-w.passes
		judged, rest := w.report(pass...), w.report(pass...)
		judged.Chapters[0].OwnFollows = true
		rest.Chapters[0].OwnStack = grade.OwnPass
		call.judged(judged)
		call.answer <- rest
		<-w.shown
	}
	golden(t, "watch-followed", w.end(t))
}

// What follows the verdicts on files that are gone is not waited for.
func TestWatchFollowedCancels(t *testing.T) {
	w := newWatchTest(t, false)
	first := <-w.passes
	judged := w.report(check.Pass, check.Pass, check.Pass, check.Pass)
	judged.Chapters[0].OwnFollows = true
	first.judged(judged)
	w.save(t, watched, "package ch01 // new\n")
	<-first.ctx.Done()
	second := <-w.passes
	second.answer <- w.report(check.Fail, check.Pass, check.Pass, check.Pass)
	<-w.shown
	text := w.end(t)
	assert.Contains(t, text, "What follows: the same checks on your own stack.\n\nChapter 1")
	assert.Contains(t, text, "FAIL  status-edges  was pass\n", "it is compared with what was shown last")
}

// A file that is saved while checks run ends them; both chapters are run then.
func TestWatchCancels(t *testing.T) {
	w := newWatchTest(t, false)
	first := <-w.passes
	w.save(t, "ch02_onethread/loop.go", "package ch02\n")
	<-first.ctx.Done()
	second := <-w.passes
	assert.Equal(t, []string{"ch01", "ch02"}, second.ids)
	assert.Empty(t, w.testApp.out.String(), "nothing is shown of a pass that was ended")
	assert.Empty(t, w.end(t), "nor of the last one")
}

// What was saved unchanged, and what is not a Go file, runs nothing.
func TestWatchUnchanged(t *testing.T) {
	w := newWatchTest(t, false)
	first := <-w.passes
	text, err := os.ReadFile(w.path("exercises", watched))
	require.NoError(t, err)
	w.save(t, watched, string(text))
	w.save(t, "ch01_goroutine/notes.txt", "think")
	require.NoError(t, first.ctx.Err())
	w.save(t, watched, "package ch01 // new\n")
	assert.Equal(t, []string{"ch01"}, (<-w.passes).ids)
	w.end(t)
}

// The system's own notices of changes: in a folder, in a new one, and none of
// other files.
func TestEdits(t *testing.T) {
	a := newTestApp(t, 80)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	changed, err := edits(ctx, a.path("exercises"))
	require.NoError(t, err)
	// The folder is new: its making is told once, so the second change of the
	// file in it is told only if the folder is watched by then.
	for i, name := range []string{"ch02_onethread/loop.go", "ch02_onethread/loop.go", watched} {
		a.write(t, "exercises/"+name, "package p //"+strings.Repeat("!", i)+"\n")
		select {
		case <-changed:
		case <-ctx.Done():
			require.FailNow(t, "the change was not told", name)
		}
	}
	_, err = edits(ctx, a.path("nowhere"))
	assert.ErrorContains(t, err, "make them with go run ./autograder gen")
}

func TestWatchUsage(t *testing.T) {
	a := newTestApp(t, 80)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.Equal(t, exitOK, a.run(ctx, []string{"watch", "ch01"}), "Ctrl-C is how it ends")
	status, _, errs := a.do("watch", "ch99")
	assert.Equal(t, exitUsage, status)
	assert.Contains(t, errs, `there is no chapter "ch99"`)
	status, _, errs = a.do("watch", "1", "2")
	assert.Equal(t, exitUsage, status)
	assert.Contains(t, errs, "one chapter at a time")
}

// Each line that is typed asks for a run; what is typed meanwhile asks for one more, not for many.
func TestEnters(t *testing.T) {
	pressed := enters(t.Context(), strings.NewReader("\n"))
	<-pressed
	select {
	case <-pressed:
		assert.Fail(t, "Enter was pressed once")
	default:
	}
}
