package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A call into the runtime that the table does not know of would lose its arguments.
func TestTrapArgs(t *testing.T) {
	for trap := range NumTraps {
		_, ok := trapArgs[trap]
		assert.Equal(t, trap.IsCall(), ok, "trap %v", trap)
	}
}
