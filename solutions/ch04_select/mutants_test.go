package ch04_test

import (
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/solutions"
	"gosched/solutions/ch04_select"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch04"), ch04.Mutants)
}
