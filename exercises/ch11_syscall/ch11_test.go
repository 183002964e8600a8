// This file runs the checks of chapter 11 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch11_syscall.

package ch11_test

import (
	"testing"

	suite "gosched/chapters/ch11_syscall"
	"gosched/exercises/ch11_syscall"
	"gosched/solutions"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch11"), ch11.Parts)
}
