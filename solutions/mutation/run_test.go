package mutation

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRun runs some mutations of chapter 1: one that a check sees, and one that hangs.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	all, err := Load(root, []string{"ch01_goroutine"})
	require.NoError(t, err)
	wanted := []string{
		"Casgstatus: gp.Atomicstatus.CompareAndSwap(oldval, newval): a store, whatever is there",
		"Gfget: free.Lock.Unlock(): Lock for Unlock",
	}
	picked := slices.DeleteFunc(slices.Clone(all[0].Mutations), func(m *Mutation) bool { return !slices.Contains(wanted, m.Name) })
	require.Len(t, picked, len(wanted))
	verdicts, err := Run(t.Context(), root, all, picked, Options{Jobs: 2, Repeat: 1, Stage: t.Logf})
	require.NoError(t, err)
	for _, m := range picked {
		v := verdicts[m]
		assert.True(t, v.Killed(), m.Name)
		assert.NotEmpty(t, v.Message)
	}
}
