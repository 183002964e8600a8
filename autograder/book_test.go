package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters"
	"gosched/chapters/machine/explore"
)

// TestCounterexampleWithoutPlaces: a figure of the book names no file and no line for a row,
// whether it is a step or stands for several.
func TestCounterexampleWithoutPlaces(t *testing.T) {
	a := &app{course: chapters.All}
	c, err := a.counterexample("ch10", "wake-uncounts-late")
	require.NoError(t, err)
	assert.Contains(t, c.Text, "s.Nmspinning.CompareAndSwap(0, 1)  0 → 1")
	assert.Contains(t, c.Text, "schedule(…)")
	assert.NotContains(t, c.Text, ".go")
	assert.NotRegexp(t, `(?m):0$`, c.Text)
	for _, row := range c.Story.Rows {
		assert.Empty(t, row.Place)
	}
	for _, step := range c.Story.Steps {
		assert.Empty(t, step.Place)
	}
}

// What is kept of the book's runs is of no use any more when the code has changed, or a
// module; tests and what belongs to them do not count.
func TestCourseCode(t *testing.T) {
	a := &app{root: t.TempDir()}
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(a.path(name)), 0o755))
		require.NoError(t, os.WriteFile(a.path(name), []byte(text), 0o644))
	}
	code := func() string {
		t.Helper()
		sum, err := a.courseCode()
		require.NoError(t, err)
		return sum
	}
	_, err := a.courseCode()
	require.Error(t, err, "there is no course")
	for _, name := range []string{"go.sum", "chapters/a.go", "solutions/a.go", "timeline/a.css", "autograder/play/a.go", "book/figures/a.go"} {
		write(name, "1")
	}
	for _, name := range []string{"go.sum", "chapters/a.go", "timeline/a.css", "solutions/ch01/new.go"} {
		before := code()
		write(name, "2")
		assert.NotEqual(t, before, code(), name)
	}
	for _, name := range []string{"chapters/a_test.go", "solutions/ch01/testdata/x"} {
		before := code()
		write(name, "2")
		assert.Equal(t, before, code(), name)
	}
}

func TestWithoutPlacesLeavesTheFailureAlone(t *testing.T) {
	f := &explore.Failure{Steps: []explore.Step{{File: "find.go", Line: 1, Code: "f()"}}}
	assert.Equal(t, []explore.Step{{Code: "f()"}}, withoutPlaces(f).Steps)
	assert.Equal(t, "find.go", f.Steps[0].File)
}
