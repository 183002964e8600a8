// This file runs the checks of chapter 15 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch15_timer.

package ch15_test

import (
	"testing"

	suite "gosched/chapters/ch15_timer"
	"gosched/exercises/ch15_timer"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch15"), ch15.Parts)
}
