package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/solutions"
	"gosched/solutions/ch16_netpoll"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch16"), ch16.Mutants)
}
