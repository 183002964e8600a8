package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/solutions"
	"gosched/solutions/ch07_runq"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch07"), ch07.Parts)
}
