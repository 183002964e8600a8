//course:omit
package ch12_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
)

// TestModels proves that the models are explored completely.
func TestModels(t *testing.T) {
	for name, play := range suite.Models {
		t.Run(name, func(t *testing.T) {
			r := explore.RunOptions(t, explore.Options{}, func(m *explore.Model) {
				play(m, gmp.NewBare(solutions.Base("ch12"), nil))
			})
			assert.True(t, r.Exhaustive)
		})
	}
}
