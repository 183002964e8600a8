package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/solutions"
	"gosched/solutions/ch08_loop"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch08"), ch08.Mutants)
}
