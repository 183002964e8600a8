// The files chNN_test.go prove what the page of a chapter says about its figures. They are one
// package, since to link one test takes longer than to run most of them.
package figures_test

import (
	"testing"

	"gosched/book/figures"
	"gosched/chapters/check"
)

// play runs a program of a suite on the reference scheduler of Go 0.x.
func play(t *testing.T, suite *check.Suite, name string) check.Run {
	t.Helper()
	return suite.Figure(t, figures.Version(t, "0.x"), name)
}

// tries is how often a program of the installed Go is run until it does what the page says: on a
// busy computer it may be preempted in the middle, and then it does something else.
const tries = 20
