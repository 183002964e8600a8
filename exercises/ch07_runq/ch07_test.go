// This file runs the checks of chapter 7 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch07_runq.

package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/exercises/ch07_runq"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch07"), ch07.Parts)
}
