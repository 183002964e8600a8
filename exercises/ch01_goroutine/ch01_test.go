// This file runs the checks of chapter 1 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch01_goroutine.

package ch01_test

import (
	"testing"

	suite "gosched/chapters/ch01_goroutine"
	"gosched/exercises/ch01_goroutine"
	"gosched/solutions"
)

// Test runs the checks of chapter 1. They are in chapters/ch01_goroutine.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch01"), ch01.Parts)
}
