//course:omit
package ch09_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	ch09 "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/solutions"
)

// TestModels proves that the models are explored completely.
func TestModels(t *testing.T) {
	for _, c := range ch09.Suite.Checks {
		if c.Kind != check.Model {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			out := ch09.Suite.Run(&c, solutions.Base("ch09"))
			assert.Equal(t, check.Pass, out.Status, out.Message)
			assert.Contains(t, out.Evidence, "exhaustive: ")
			t.Log(out.Evidence)
		})
	}
}
