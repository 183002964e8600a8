//course:omit
package ch18_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	ch10 "gosched/chapters/ch10_spin"
	ch11 "gosched/chapters/ch11_syscall"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
)

// TestModels proves that the models of the checks are explored completely.
func TestModels(t *testing.T) {
	models := ch10.Whole
	for _, name := range []string{"race-submit", "race-global", "race-unspun", "race-network", "race-both", "race-stop"} {
		for _, m := range ch10.Models {
			if m.Name == name {
				models = append(models, m)
			}
		}
	}
	for _, m := range slices.Concat(ch11.Models, ch11.Wired) {
		switch m.Name {
		case "race-stop": // which needs the monitor: race-stop-late has it
		case "race-stop-retake": // has more than a check explores
		case "race-locked", "race-exit": // of LockedThreads
		default:
			models = append(models, ch10.Model(m))
		}
	}
	for _, model := range models {
		t.Run(model.Name, func(t *testing.T) {
			r := explore.RunOptions(t, explore.Options{}, func(m *explore.Model) {
				model.Play(m, gmp.NewBare(solutions.Base("ch18"), nil))
			})
			assert.True(t, r.Exhaustive)
			t.Log(r)
		})
	}
}
