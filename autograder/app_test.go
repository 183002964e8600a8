package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/chapters"
	"gosched/chapters/check"
)

// A testApp is an app on a small course of its own, whose output is kept.
type testApp struct {
	*app
	out, err bytes.Buffer
}

// newTestApp makes one with a screen of that width, a terminal if it is narrow. Its course has two chapters
// that are written; the first has sources.
func newTestApp(t *testing.T, width int) *testApp {
	t.Helper()
	a := &testApp{}
	a.app = &app{root: t.TempDir(), course: []chapters.Chapter{
		{ID: "ch01", Dir: "ch01_goroutine", Title: "Life of a goroutine", Suite: &check.Suite{ID: "ch01", Dir: "ch01_goroutine", Checks: []check.Check{
			{Name: "status-edges", Kind: check.Unit, Points: 10, Methods: []string{"Casgstatus"}, Book: "legal-edges",
				Property: "Casgstatus moves a G along every edge of the diagram, and along no other one.", Hint: "Which state does a G leave first?"},
			{Name: "free-reuse", Kind: check.Unit, Points: 5, Property: "The G put last is taken first.", Hint: "A stack."},
			{Name: "runs", Kind: check.Program, Points: 4, Property: "A program's goroutines run and end."},
			{Name: "mine", Kind: check.Mine, Points: 1, Property: "Your own test fails on wrong parts."},
		}}},
		{ID: "ch02", Dir: "ch02_onethread", Title: "One thread", Go: "0.x", Suite: &check.Suite{ID: "ch02", Dir: "ch02_onethread", Checks: []check.Check{
			{Name: "queue-fifo", Points: 20, Property: "The queue is one."},
		}}},
		{ID: "ch03", Dir: "ch03_park", Title: "Park and ready", Go: "0.x–1.26"},
	}}
	a.app.out = &screen.Screen{Writer: &a.out, Width: width, Terminal: width < 80}
	a.app.err = &screen.Screen{Writer: &a.err, Width: width}
	a.write(t, "exercises/ch01_goroutine/goroutine.go", "package ch01\n\nimport \"gosched/chapters/gmp\"\n\nfunc Gfget() {\n\tpanic(gmp.TODO(\"Gfget\"))\n}\n")
	return a
}

func (a *testApp) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, writeFile(a.path(filepath.FromSlash(name)), []byte(text)))
}

// do runs a command and returns its status and what it printed.
func (a *testApp) do(args ...string) (status int, out, err string) {
	a.out.Reset()
	a.err.Reset()
	status = a.run(context.Background(), args)
	for _, text := range []string{a.out.String(), a.err.String()} {
		if text != "" && !strings.HasSuffix(text, "\n") {
			panic(fmt.Sprintf("%q ends in the middle of a line; go run writes its own behind: %q", args, text))
		}
	}
	return status, a.out.String(), a.err.String()
}

// golden compares text with a file of testdata. It ends with a newline, since go run writes
// a line behind it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	assert.True(t, strings.HasSuffix(got, "\n"), "the output ends in the middle of a line")
	file := filepath.Join("testdata", name+".golden")
	if os.Getenv(check.UpdateEnv) == "1" {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "write it with %s=1", check.UpdateEnv)
	assert.Empty(t, cmp.Diff(string(want), got), "if the new text is better, write it with %s=1", check.UpdateEnv)
}

// result is a chapter's result with these statuses, in the order of its checks.
func (a *testApp) result(id string, statuses ...check.Status) grade.Chapter {
	ch, _ := a.findChapter(id)
	result := grade.Chapter{ID: id, Dir: ch.Dir, Title: ch.Title, OwnStack: grade.OwnNA}
	for i, c := range ch.Suite.Checks {
		r := grade.Check{ID: id + "/" + c.Name, Name: c.Name, Kind: c.Kind, Points: c.Points, Status: statuses[i], Property: c.Property, Hint: c.Hint}
		switch r.Status {
		case check.Pass:
			r.Score = c.Points
		case check.Todo:
			r.Message = "Gfget is not written yet"
		}
		result.Score += r.Score
		result.MaxScore += c.Points
		result.Checks = append(result.Checks, r)
	}
	return result
}

func (a *testApp) save(t *testing.T, results ...grade.Chapter) {
	t.Helper()
	require.NoError(t, a.saveState(a.loadState(), &grade.Report{Chapters: results}))
}
