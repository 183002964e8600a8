package ch15_test

import (
	"testing"

	suite "gosched/chapters/ch15_timer"
	"gosched/solutions"
	"gosched/solutions/ch15_timer"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch15"), ch15.Parts)
}
