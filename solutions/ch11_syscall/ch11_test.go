package ch11_test

import (
	"testing"

	suite "gosched/chapters/ch11_syscall"
	"gosched/solutions"
	"gosched/solutions/ch11_syscall"
)

// Test runs the checks of the chapter.
func Test(t *testing.T) {
	suite.Suite.Test(t, solutions.Base("ch11"), ch11.Parts)
}
