package ch13_test

import (
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/solutions"
	"gosched/solutions/ch13_stack"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch13"), ch13.Mutants)
}
