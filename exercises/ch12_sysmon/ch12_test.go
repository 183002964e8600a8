// This file runs the checks of chapter 12 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch12_sysmon.

package ch12_test

import (
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/exercises/ch12_sysmon"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch12"), ch12.Parts)
}
