// This file runs the checks of chapter 18 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch18_whole.

package ch18_test

import (
	"testing"

	suite "gosched/chapters/ch18_whole"
	"gosched/exercises/ch18_whole"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch18"), ch18.Parts)
}
