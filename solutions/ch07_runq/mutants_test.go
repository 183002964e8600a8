package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/solutions"
	"gosched/solutions/ch07_runq"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch07"), ch07.Mutants)
}
