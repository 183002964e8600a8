//course:omit
package ch11_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	suite "gosched/chapters/ch11_syscall"
	"gosched/chapters/check"
	"gosched/solutions"
	"gosched/solutions/ch11_syscall"
)

// TestWired plays those checks on the form of Go 1.26 that are not about how a P is left
// behind: all models, and what the two forms share.
func TestWired(t *testing.T) {
	v := solutions.Base("ch11").With(ch11.Wired)
	for i := range suite.Suite.Checks {
		c := &suite.Suite.Checks[i]
		if c.Kind != check.Model && !strings.HasPrefix(c.Name, "handoff") && c.Name != "block" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			out := suite.Suite.Run(c, v)
			if c.Name == "race-stop" {
				// Whoever stops the world may look at the P when M0 has seen no Gcwaiting, and is not
				// Gsyscall yet. Then it is the monitor, not in this model, that takes the P in the end.
				assert.Equal(t, check.Fail, out.Status)
				assert.Contains(t, out.Message, "the world never stops: s.Stopwait is 1, and P0 is running")
				return
			}
			assert.Equal(t, check.Pass, out.Status, out.Message)
			if c.Kind == check.Model && c.Name != "race-stop-retake" { // that has more than a check explores
				assert.Contains(t, out.Evidence, "exhaustive: ")
			}
		})
	}
}
