package ch01_test

import (
	"testing"

	suite "gosched/chapters/ch01_goroutine"
	"gosched/solutions"
	"gosched/solutions/ch01_goroutine"
)

// Test runs the checks of chapter 1. They are in chapters/ch01_goroutine.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch01"), ch01.Parts)
}
