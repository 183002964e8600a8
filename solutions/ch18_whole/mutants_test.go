package ch18_test

import (
	"testing"

	suite "gosched/chapters/ch18_whole"
	"gosched/solutions"
	"gosched/solutions/ch18_whole"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch18"), ch18.Mutants)
}
