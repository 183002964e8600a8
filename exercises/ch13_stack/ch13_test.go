// This file runs the checks of chapter 13 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch13_stack.

package ch13_test

import (
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/exercises/ch13_stack"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch13"), ch13.Parts)
}
