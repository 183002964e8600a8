package main

import (
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

func TestWithoutPlacesLeavesTheFailureAlone(t *testing.T) {
	f := &explore.Failure{Steps: []explore.Step{{File: "find.go", Line: 1, Code: "f()"}}}
	assert.Equal(t, []explore.Step{{Code: "f()"}}, withoutPlaces(f).Steps)
	assert.Equal(t, "find.go", f.Steps[0].File)
}
