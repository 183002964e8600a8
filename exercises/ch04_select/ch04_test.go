// This file runs the checks of chapter 4 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch04_select.

package ch04_test

import (
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/exercises/ch04_select"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch04"), ch04.Parts)
}
