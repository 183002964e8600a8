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

// exhausted are the models of which a check tries all there is. The others have too many
// orders for that: all with at most one preemption or with none, and as many others as
// there are steps.
var exhausted = map[string]bool{"race-submit": true, "race-global": true, "race-network": true, "race-new-m": true}

// deepSteps is for those that are not exhausted: three times what a check takes, and more.
const deepSteps = 10_000_000

// TestModels explores the models for longer than a check may, also those that are too
// large for one.
func TestModels(t *testing.T) {
	for _, model := range suite.Models {
		t.Run(model.Name, func(t *testing.T) {
			opt := explore.Options{}
			if !exhausted[model.Name] {
				if !sample.Whole() {
					t.Skipf("the check explores it; for longer only with %s=1", sample.Env)
				}
				opt.Steps = deepSteps
			}
			r := explore.RunOptions(t, opt, func(m *explore.Model) {
				model.Play(m, gmp.NewBare(solutions.Base("ch10"), nil))
			})
			assert.Equal(t, exhausted[model.Name], r.Exhaustive)
		})
	}
}
