// This file runs the checks of chapter 3 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch03_park.

package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/exercises/ch03_park"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch03"), ch03.Parts)
}
