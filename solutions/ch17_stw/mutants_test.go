package ch17_test

import (
	"testing"

	suite "gosched/chapters/ch17_stw"
	"gosched/solutions"
	"gosched/solutions/ch17_stw"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch17"), ch17.Mutants)
}
