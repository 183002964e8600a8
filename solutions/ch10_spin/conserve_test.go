//course:omit
package ch10_test

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/check"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// longest is more than a thousand seeds take on a slow computer.
const longest = 30 * time.Minute

var seeds = flag.Uint64("seeds", 0, "seeds of TestConserve; 0 is a sample")

// TestConserve is the check conserve with more seeds than a student waits for.
//
//	go test ./solutions/ch10_spin -run TestConserve -seeds 1000
func TestConserve(t *testing.T) {
	n := *seeds
	if n == 0 {
		n = sample.Of[uint64](5, 20, 100)
	}
	conserve := *suite.Suite.Check("conserve")
	conserve.Run, conserve.Deadline = suite.Conserves(n), longest
	out := suite.Suite.Run(&conserve, solutions.Base("ch10"))
	assert.Equal(t, check.Pass, out.Status, out.Message)
	t.Log(out.Evidence)
}
