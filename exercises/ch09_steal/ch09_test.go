// This file runs the checks of chapter 9 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch09_steal.

package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/exercises/ch09_steal"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch09"), ch09.Parts)
}
