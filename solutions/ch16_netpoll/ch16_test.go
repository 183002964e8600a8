package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/solutions"
	"gosched/solutions/ch16_netpoll"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch16"), ch16.Parts)
}
