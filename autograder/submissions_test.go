package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/content"
	"gosched/autograder/grade"
	"gosched/autograder/submission"
	"gosched/chapters/check"
)

// A counted grades as a trusted run does, but builds nothing: its report is given, and it counts.
type counted struct {
	*testApp
	dir    string // the submission
	report grade.Report
	times  int
}

func newCounted(t *testing.T) *counted {
	t.Helper()
	c := &counted{testApp: withGrader(t), dir: t.TempDir()}
	require.NoError(t, os.CopyFS(filepath.Join(c.dir, "exercises"), os.DirFS(c.path("exercises"))))
	require.NoError(t, os.RemoveAll(c.path("exercises")))
	c.write(t, "chapters/machine/machine.go", "package machine\n")
	ch := c.testApp.result("ch01", check.Pass, check.Fail, check.Pass, check.Todo)
	ch.OwnStack, ch.OwnFails = grade.OwnFail, []grade.Check{ch.Checks[0]}
	c.report = grade.Report{Schema: grade.Schema, Of: grade.Exercises, Go: "go1.26.8", Chapters: []grade.Chapter{ch}}
	return c
}

// result grades the submission, and returns what came of it in the forms that show most.
func (c *counted) result(t *testing.T, fresh bool) (report *grade.Report, forms string) {
	t.Helper()
	s, err := c.submissionsAt(t.Context(), trustedRun{level: 0}, nil)
	require.NoError(t, err)
	s.trusted = func(_ context.Context, files *submission.Files, _ func(grade.Event)) (*grade.Report, error) {
		c.times++
		r := c.report
		r.Submission = &grade.Submission{Sum: files.Sum, Taken: files.Taken, Ignored: files.Ignored}
		return &r, nil
	}
	c.out.Reset()
	c.err.Reset()
	report, err = s.result(t.Context(), c.dir, fresh)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, report.WriteJSON(&b))
	require.NoError(t, report.WriteAnnotations(&b, c.root))
	require.NoError(t, report.WriteJUnit(&b))
	c.showGrades(report)
	return report, b.String() + c.out.String()
}

// A level that cannot be had is refused for what is wrong with it.
func TestIsolationUsage(t *testing.T) {
	a := newTestApp(t, 80)
	for _, tt := range []struct {
		level, require int
		err            string
	}{
		{7, 0, "--isolation takes a level from 0 to 4, not 7"},
		{-2, 0, "--isolation takes a level from 0 to 4, not -2"},
		{highest, 5, "--require-isolation takes a level from 0 to 4, not 5"},
		{0, 2, "--isolation 0 is less than --require-isolation 2; leave it out, and the highest level is taken"},
		{highest, 4, "--require-isolation 4: checks would run at level "},
	} {
		_, err := (&trustedRun{level: tt.level, require: tt.require}).choose(t.Context(), a.app)
		assert.ErrorContains(t, err, tt.err)
	}
}

// The second grading of a submission says what the first one said, and runs nothing, whether or
// not it can be told without reading the files that nothing has changed.
func TestKeptResult(t *testing.T) {
	for name, settles := range map[string]time.Duration{"read": time.Hour, "by their state": 0} {
		t.Run(name, func(t *testing.T) {
			defer func(was time.Duration) { content.Settles = was }(content.Settles)
			content.Settles = settles
			c := newCounted(t)
			_, first := c.result(t, false)
			assert.NotContains(t, c.testApp.err.String(), "kept from")
			_, second := c.result(t, false)
			assert.Equal(t, first, second)
			assert.Contains(t, c.testApp.err.String(), "kept from "+time.Now().Format("2006"))
			assert.Equal(t, 1, c.times)
			c.result(t, true)
			assert.Equal(t, 2, c.times, "--fresh")
			assert.NotContains(t, c.testApp.err.String(), "kept from")
		})
	}
}

// Whatever a result depends on, or tells of, a change of it is graded; a change that does not
// matter is not.
func TestKeptResultIsOfThis(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are always read there")
	}
	defer func(was time.Duration) { content.Settles = was }(content.Settles)
	content.Settles = 0
	c := newCounted(t)
	free := filepath.Join(c.dir, "exercises/ch01_goroutine/free.go")
	text, err := os.ReadFile(free)
	require.NoError(t, err)
	info, err := os.Stat(free)
	require.NoError(t, err)
	c.result(t, false)
	for _, tt := range []struct {
		name   string
		change func()
		graded bool
	}{
		{"nothing", func() {}, false},
		{"the submission, of the same size and time", func() {
			require.NoError(t, os.WriteFile(free, bytes.Replace(text, []byte("takes one"), []byte("takes two"), 1), 0o644))
			require.NoError(t, os.Chtimes(free, info.ModTime(), info.ModTime()))
		}, true},
		{"the submission as it was", func() { require.NoError(t, os.WriteFile(free, text, 0o644)) }, false},
		{"a file that is ignored", func() { require.NoError(t, writeFile(filepath.Join(c.dir, "vendor/x.go"), nil)) }, true},
		{"a suite", func() { c.write(t, "chapters/gmp/contracts.go", "package gmp // new\n") }, true},
		{"a test of a suite", func() { c.write(t, "chapters/gmp/contracts_test.go", "package gmp\n") }, false},
		{"a solution", func() { c.write(t, "solutions/ch01_goroutine/status.go", "package ch01\n\nvar statuses string\n") }, true},
		{"the modules", func() { c.write(t, "go.sum", "x v1.0.0 h1:=\n") }, true},
		{"the grader", func() { c.write(t, "autograder/trusted/trusted.go", "package trusted // new\n") }, true},
		{"the whole of what is sampled", func() { t.Setenv("GOSCHED_WHOLE", "1") }, os.Getenv("GOSCHED_WHOLE") != "1"},
	} {
		before := c.times
		tt.change()
		report, _ := c.result(t, false)
		assert.Equal(t, tt.graded, c.times > before, tt.name)
		if tt.name == "a file that is ignored" {
			assert.Contains(t, report.Submission.Ignored, "vendor/")
		}
	}
}

// What the grading itself failed at is no result.
func TestBrokenResultIsNotKept(t *testing.T) {
	c := newCounted(t)
	c.report.Chapters[0].Checks[0].Status = check.InternalError
	c.result(t, false)
	c.result(t, false)
	assert.Equal(t, 2, c.times)
	c.report.Chapters[0].Checks[0].Status = check.Pass
	c.result(t, false)
	c.result(t, false)
	assert.Equal(t, 3, c.times)
}
