// This file runs the checks of chapter 10 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch10_spin.

package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
	"gosched/exercises/ch10_spin"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch10"), ch10.Parts)
}
