package ch18_test

import (
	"testing"

	suite "gosched/chapters/ch18_whole"
	"gosched/solutions"
	"gosched/solutions/ch18_whole"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch18"), ch18.Parts)
}
