package ch13_test

import (
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/solutions"
	"gosched/solutions/ch13_stack"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch13"), ch13.Parts)
}
