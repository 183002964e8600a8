package cputime

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// It passes while this process works, and with the end of a child that has worked.
func TestCPUTime(t *testing.T) {
	if !Known {
		t.Skip("the CPU time of a process cannot be had on this system")
	}
	if os.Getenv("WORK") != "" {
		return
	}
	before := Own()
	for Own() == before {
	}
	assert.Greater(t, Own(), before)

	before = Children()
	child := exec.Command(os.Args[0], "-test.run=^TestCPUTime$")
	child.Env = append(os.Environ(), "WORK=1")
	require.NoError(t, child.Run())
	assert.Greater(t, Children(), before)
}
