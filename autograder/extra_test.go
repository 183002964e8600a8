package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/class"
	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// What is wrong with --extra is told before anything is graded.
func TestExtraUsage(t *testing.T) {
	a := withGrader(t)
	dir := t.TempDir()
	roster := filepath.Join(dir, "roster.csv")
	require.NoError(t, writeFile(roster, []byte("student,source\nann,ann\n")))
	empty, none := filepath.Join(dir, "empty"), filepath.Join(dir, "none")
	require.NoError(t, os.MkdirAll(filepath.Join(empty, "ch01_goroutine"), 0o755))
	for _, tt := range []struct {
		args []string
		err  string
	}{
		{[]string{"grade", "--extra", empty}, "--extra is for --submission DIR, and for --of solutions"},
		{[]string{"grade", "--of", "solutions", "--extra", none}, "--extra " + none + ": there is no such folder\n"},
		{[]string{"grade", "--submission", dir, "--isolation", "0", "--extra", empty}, "--extra " + empty + ": " + empty + " has no Go files; put them in the folder of a chapter"},
		{[]string{"batch", "--roster", roster, "--out", filepath.Join(dir, "out"), "--isolation", "0", "--extra", empty}, empty + " has no Go files"},
		{[]string{"batch", "plan", "--roster", "r.csv", "--out", dir, "--extra", "/etc"}, "the folder of extra checks /etc is not a path below the repository"},
	} {
		status, out, errs := a.do(tt.args...)
		assert.Equal(t, exitUsage, status, "%q", tt.args)
		assert.Empty(t, out)
		assert.Contains(t, errs, tt.err)
	}
	assert.NoDirExists(t, filepath.Join(dir, "out"))
}

// The report for people is what students may be shown.
func TestExtraAsText(t *testing.T) {
	a := newTestApp(t, 80)
	report := &grade.Report{Of: grade.Exercises, Go: "go1.26.8", Score: 10, MaxScore: 15}
	report.Chapters = append(report.Chapters, a.result("ch02", check.Pass))
	extra := &grade.Report{Chapters: []grade.Chapter{{ID: "ch02"}}}
	show := map[string]check.Shown{"ch02/secret-name": check.Hidden, "ch02/laps": check.NameOnly, "ch02/crowd": check.Full}
	for _, name := range []string{"secret-name", "laps", "crowd"} {
		extra.Chapters[0].Checks = append(extra.Chapters[0].Checks, grade.Check{ID: "ch02/" + name, Name: name, Kind: check.Unit, Points: 2, Status: check.Fail, Message: "said of " + name})
	}
	report.Extra = grade.NewExtra("5a", extra, show)
	a.showGrades(report)
	text := a.out.String()
	assert.Contains(t, text, "10 of 15 points, and 0 of 6 extra\n")
	assert.Contains(t, text, `
    Extra checks                                                             0/6
    3 fail
    FAIL  ch02-laps
          what it looks at is not shown
    FAIL  ch02-crowd
          said of crowd
    FAIL  hidden
          0 of 2 points
`)
	assert.NotContains(t, text, "secret")
	assert.NotContains(t, text, "said of laps")
}

// Results with extra checks, and with others, are not taken for each other.
func TestExtraIsACondition(t *testing.T) {
	var c class.Conditions
	keys := map[string]bool{c.Key("s"): true}
	for _, sum := range []string{"a", "b"} {
		c.Extra = sum
		keys[c.Key("s")] = true
	}
	assert.Len(t, keys, 3)
}
