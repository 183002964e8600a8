package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/solutions"
	"gosched/solutions/ch08_loop"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch08"), ch08.Parts)
}
