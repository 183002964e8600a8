package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/solutions"
	"gosched/solutions/ch03_park"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch03"), ch03.Parts)
}
