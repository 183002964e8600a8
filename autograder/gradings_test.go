package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/autograder/jail"
	"gosched/chapters/check"
)

// TestTally: each chapter of a round is a grading, and whatever does not pass is a failure.
func TestTally(t *testing.T) {
	a := newTestApp(t, 80)
	var got tally
	got.add(1, jail.Process, a.reportOf(check.Pass, check.Pass, check.Pass, check.Pass))
	assert.Equal(t, "1 gradings of right code, 4 checks, 0 failures", got.String())
	bad := a.reportOf(check.Pass, check.Timeout, check.Pass, check.InternalError)
	bad.Chapters[0].Checks[1].Message = "it did not end"
	got.add(2, jail.Restricted, bad)
	assert.Equal(t, "2 gradings of right code, 8 checks, 2 failures", got.String())
	assert.Contains(t, got.failures[0], "round 2, level 1 (")
	assert.Contains(t, got.failures[0], ": ch01/free-reuse: timeout: it did not end")

	for _, args := range [][]string{{"verify", "--gradings", "0"}, {"verify", "--gradings", "-3"}, {"verify", "--gradings", "5", "--quick"}} {
		status, out, errs := a.do(args...)
		assert.Equal(t, exitUsage, status, errs)
		assert.Empty(t, out)
	}
}
