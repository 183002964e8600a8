package ch04_test

import (
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/solutions"
	"gosched/solutions/ch04_select"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch04"), ch04.Parts)
}
