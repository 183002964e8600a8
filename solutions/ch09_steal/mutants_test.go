package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/solutions"
	"gosched/solutions/ch09_steal"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch09"), ch09.Mutants)
}
