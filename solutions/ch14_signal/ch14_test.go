package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
	"gosched/solutions"
	"gosched/solutions/ch14_signal"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch14"), ch14.Parts)
}
