// This file runs the checks of chapter 5 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch05_threads.

package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/exercises/ch05_threads"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch05"), ch05.Parts)
}
