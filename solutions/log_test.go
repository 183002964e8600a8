package solutions_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	ch02 "gosched/chapters/ch02_onethread"
	"gosched/chapters/check"
	"gosched/solutions"
)

// A check that fails on a program has the log of its run, with the program, so that it can be
// drawn; one that passes has none.
func TestLogOfFailedProgram(t *testing.T) {
	suite := ch02.Suite
	base := solutions.Base("ch02")
	failed := 0
	for _, m := range solutions.Mutants("ch02") {
		c := suite.Check(m.Check)
		if c.Kind != check.Program || c.Name == "interrupted" { // of whose many runs no logs are kept
			continue
		}
		failed++
		out := suite.Run(c, base.With(m.Parts))
		require.Equal(t, check.Fail, out.Status, m.Name)
		if assert.NotNil(t, out.Log, m.Name) {
			assert.NotEmpty(t, out.Log.Events, m.Name)
			assert.Contains(t, out.Log.Header.Source, "package main", m.Name)
		}
		assert.Nil(t, suite.Run(c, base).Log, c.Name)
	}
	assert.NotZero(t, failed)
}
