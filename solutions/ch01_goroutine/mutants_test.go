package ch01_test

import (
	"testing"

	suite "gosched/chapters/ch01_goroutine"
	"gosched/solutions"
)

func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch01"), solutions.Mutants("ch01"))
}
