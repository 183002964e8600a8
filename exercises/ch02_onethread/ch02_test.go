// This file runs the checks of chapter 2 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch02_onethread.

package ch02_test

import (
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/exercises/ch02_onethread"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch02"), ch02.Parts)
}
