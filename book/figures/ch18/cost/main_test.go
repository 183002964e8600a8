package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/solutions"
)

// TestShape proves what the page of the chapter says about the figure.
func TestShape(t *testing.T) {
	old, _ := solutions.Form("ch09")
	all, allLook, err := simulate(old, 64)
	require.NoError(t, err)
	masked, maskedLook, err := simulate(gmp.Version{}, 64)
	require.NoError(t, err)
	assert.Greater(t, allLook, 3*maskedLook, "on 64 CPUs a look takes less than a third with masks")
	assert.InEpsilon(t, all, masked, 0.05, "and the program hardly notices")
	assert.Less(t, masked, all)
}
