package ch15_test

import (
	"testing"

	suite "gosched/chapters/ch15_timer"
	"gosched/solutions"
	"gosched/solutions/ch15_timer"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch15"), ch15.Mutants)
}
