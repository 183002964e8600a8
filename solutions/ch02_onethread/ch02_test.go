package ch02_test

import (
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/solutions"
	"gosched/solutions/ch02_onethread"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch02"), ch02.Parts)
}
