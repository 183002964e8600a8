package ch11_test

import (
	"testing"

	suite "gosched/chapters/ch11_syscall"
	"gosched/solutions"
	"gosched/solutions/ch11_syscall"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch11"), ch11.Mutants)
}
