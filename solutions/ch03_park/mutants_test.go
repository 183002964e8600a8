package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/solutions"
	"gosched/solutions/ch03_park"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch03"), ch03.Mutants)
}
