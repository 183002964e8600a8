package ch12_test

import (
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/solutions"
	"gosched/solutions/ch12_sysmon"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch12"), ch12.Parts)
}
