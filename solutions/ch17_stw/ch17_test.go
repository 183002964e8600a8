package ch17_test

import (
	"testing"

	suite "gosched/chapters/ch17_stw"
	"gosched/solutions"
	"gosched/solutions/ch17_stw"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch17"), ch17.Parts)
}
