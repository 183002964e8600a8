package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/solutions"
	"gosched/solutions/ch05_threads"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch05"), ch05.Parts)
}
