package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/solutions"
	"gosched/solutions/ch05_threads"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch05"), ch05.Mutants)
}
