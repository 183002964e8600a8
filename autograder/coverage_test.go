package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/coverage"
	"gosched/chapters"
)

func TestCoverage(t *testing.T) {
	a := newTestApp(t, 80)
	var err error
	a.root, err = filepath.Abs("..")
	require.NoError(t, err)
	a.course = chapters.All

	status, out, errs := a.do("coverage")
	assert.Zero(t, status, "%s", errs)
	lines := strings.Split(out, "\n")
	assert.Greater(t, len(lines), len(coverage.Mechanisms))
	for _, line := range lines {
		assert.LessOrEqual(t, len([]rune(line)), 80, "%q", line)
	}
	assert.Contains(t, out, " 13  The newest goroutine takes runnext              7                   2     1\n")

	status, out, _ = a.do("coverage", "--row", "13")
	assert.Zero(t, status)
	for _, place := range []string{"RunQueue.Runqput\n", "ch07/put-next: A G put next runs next", "07_runq.html#runnext\n", "chapters/ch07_runq/programs/order.go\n"} {
		assert.Contains(t, out, place)
	}

	for _, row := range []string{"0", "80", "-1"} {
		status, _, errs = a.do("coverage", "--row", row)
		assert.Equal(t, exitUsage, status)
		assert.Equal(t, "autograder: --row takes 1 to 79, not "+row+"\n", errs)
	}
}

// TestCoverageLacks: in a course that lacks what is named, the command says so and fails.
func TestCoverageLacks(t *testing.T) {
	a := newTestApp(t, 80)
	status, out, errs := a.do("coverage", "--row", "5")
	assert.Equal(t, exitFailed, status)
	assert.Empty(t, errs)
	assert.Contains(t, out, "mechanism 5: there is no check ch05/mcount\n")
	assert.Contains(t, out, "mechanism 5: the book has no page 05_threads\n")
}
