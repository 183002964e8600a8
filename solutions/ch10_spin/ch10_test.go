package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
	"gosched/solutions"
	"gosched/solutions/ch10_spin"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch10"), ch10.Parts)
}
