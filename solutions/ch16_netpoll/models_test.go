//course:omit
package ch16_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/chapters/check"
	"gosched/solutions"
)

// TestModels proves that the models of the checks are explored completely.
func TestModels(t *testing.T) {
	for _, c := range suite.Suite.Checks {
		if c.Kind != check.Model {
			continue
		}
		out := suite.Suite.Run(&c, solutions.Base("ch16"))
		assert.Equal(t, check.Pass, out.Status, out.Message)
		assert.True(t, strings.HasPrefix(out.Evidence, "exhaustive: "), "%s: %s", c.Name, out.Evidence)
		t.Log(c.Name, out.Evidence)
	}
}
