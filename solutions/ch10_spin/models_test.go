//course:omit
package ch10_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// deepSteps is for the models that no check has, which are not exhausted: all with at most
// one preemption or with none, and as many others as there are steps.
const deepSteps = 10_000_000

// TestModels proves that the models of the checks are explored completely. Those that are
// too large for a check are explored for longer than one may take.
func TestModels(t *testing.T) {
	for name, play := range suite.Models {
		t.Run(name, func(t *testing.T) {
			opt, small := explore.Options{}, suite.Suite.Check(name) != nil
			if !small {
				if !sample.Whole() {
					t.Skipf("no check has it; explored only with %s=1", sample.Env)
				}
				opt.Steps = deepSteps
			}
			r := explore.RunOptions(t, opt, func(m *explore.Model) {
				play(m, gmp.NewBare(solutions.Base("ch10"), nil))
			})
			assert.Equal(t, small, r.Exhaustive)
		})
	}
}
