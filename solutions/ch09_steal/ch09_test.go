package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/solutions"
	"gosched/solutions/ch09_steal"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch09"), ch09.Parts)
}
