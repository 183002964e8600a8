// This file runs the checks of chapter 14 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch14_signal.

package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
	"gosched/exercises/ch14_signal"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch14"), ch14.Parts)
}
