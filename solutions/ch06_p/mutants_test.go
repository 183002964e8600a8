package ch06_test

import (
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/solutions"
	"gosched/solutions/ch06_p"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch06"), ch06.Mutants)
}
