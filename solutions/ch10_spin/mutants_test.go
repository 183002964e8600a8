package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
	"gosched/solutions"
	"gosched/solutions/ch10_spin"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch10"), ch10.Mutants)
}
