package ch10_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
)

func TestModels(t *testing.T) {
	for _, model := range suite.Models {
		t.Run(model.Name, func(t *testing.T) {
			r := explore.RunOptions(t, explore.Options{Steps: 300_000_000}, func(m *explore.Model) {
				model.Play(m, gmp.NewBare(solutions.Base("ch10"), nil))
			})
			assert.True(t, r.Exhaustive)
		})
	}
}
