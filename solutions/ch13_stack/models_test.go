//course:omit
package ch13_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	suite "gosched/chapters/ch13_stack"
	"gosched/chapters/check"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// TestModels proves that the models of the checks are explored completely.
func TestModels(t *testing.T) {
	for _, c := range suite.Suite.Checks {
		if c.Kind != check.Model {
			continue
		}
		out := suite.Suite.Run(&c, solutions.Base("ch13"))
		assert.Equal(t, check.Pass, out.Status, out.Message)
		assert.True(t, strings.HasPrefix(out.Evidence, "exhaustive: "), "%s: %s", c.Name, out.Evidence)
	}
}

// How many random programs are played: all, and in a sample.
const (
	manyPrograms = 10_000
	fewPrograms  = 60
)

// TestRandom plays random programs whose stacks move, shrink, and stop at every call. The
// seed stands in the message.
func TestRandom(t *testing.T) {
	n := uint64(fewPrograms)
	if sample.Whole() {
		n = manyPrograms
	}
	t.Logf("seeds 0 to %d", n-1)
	c := *suite.Suite.Check("random")
	c.Deadline = 0
	for seed := range n {
		c.Run = func(t *check.T) { suite.Random(t, seed) }
		out := suite.Suite.Run(&c, solutions.Base("ch13"))
		if out.Status != check.Pass {
			t.Fatalf("seed %d: %s", seed, out.Message)
		}
	}
}
