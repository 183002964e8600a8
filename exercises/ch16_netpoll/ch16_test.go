// This file runs the checks of chapter 16 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch16_netpoll.

package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/exercises/ch16_netpoll"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch16"), ch16.Parts)
}
