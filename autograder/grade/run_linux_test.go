package grade

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/check"
)

// A loop that allocates ends at the limit of memory, in its own process.
func TestEatsMemory(t *testing.T) {
	got := runFake(t, "eats", 0)
	assert.Equal(t, check.Fail, got.status)
	assert.Regexp(t, "out of memory|cannot allocate memory", got.message)
}
