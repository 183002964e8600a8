package ch12_test

import (
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/solutions"
	"gosched/solutions/ch12_sysmon"
)

// TestMutants proves that the checks see each mistake.
func TestMutants(t *testing.T) {
	suite.Suite.TestMutants(t, solutions.Base("ch12"), ch12.Mutants)
}
