// This file runs the checks of chapter 8 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch08_loop.

package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/exercises/ch08_loop"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch08"), ch08.Parts)
}
