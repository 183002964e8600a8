package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
	"gosched/solutions"
	"gosched/solutions/ch14_signal"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch14"), ch14.Mutants)
}
