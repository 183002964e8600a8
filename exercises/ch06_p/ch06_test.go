// This file runs the checks of chapter 6 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch06_p.

package ch06_test

import (
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/exercises/ch06_p"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch06"), ch06.Parts)
}
