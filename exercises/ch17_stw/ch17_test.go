// This file runs the checks of chapter 17 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch17_stw.

package ch17_test

import (
	"testing"

	suite "gosched/chapters/ch17_stw"
	"gosched/exercises/ch17_stw"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch17"), ch17.Parts)
}
