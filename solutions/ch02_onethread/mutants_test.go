package ch02_test

import (
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/solutions"
	"gosched/solutions/ch02_onethread"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch02"), ch02.Mutants)
}
