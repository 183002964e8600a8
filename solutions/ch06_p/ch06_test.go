package ch06_test

import (
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/solutions"
	"gosched/solutions/ch06_p"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch06"), ch06.Parts)
}
