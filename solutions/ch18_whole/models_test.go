//course:omit
package ch18_test

import (
	"maps"
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
	models := maps.Clone(ch10.Whole)
	for _, name := range []string{"race-submit", "race-global", "race-unspun", "race-network", "race-both", "race-stop"} {
		models[name] = ch10.Models[name]
	}
	maps.Copy(models, ch11.Wired)
	for name, play := range ch11.Models {
		switch name {
		case "race-stop": // needs the monitor, as in race-stop-late
		case "race-stop-retake": // has more than a check explores
		case "race-locked", "race-exit": // of LockedThreads
		default:
			models[name] = play
		}
	}
	for name, play := range models {
		t.Run(name, func(t *testing.T) {
			r := explore.RunOptions(t, explore.Options{}, func(m *explore.Model) {
				play(m, gmp.NewBare(solutions.Base("ch18"), nil))
			})
			assert.True(t, r.Exhaustive)
			t.Log(r)
		})
	}
}
