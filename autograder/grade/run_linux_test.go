package grade

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/check"
)

// A loop that allocates ends at the limit of memory, in its own process. Who meets the limit is
// chance: the loop, or a thread that is started meanwhile to collect garbage and has no memory for
// its stack, which C says in a binary with cgo.
func TestEatsMemory(t *testing.T) {
	got := runFake(t, "eats", 0)
	assert.Equal(t, check.Fail, got.status)
	assert.Regexp(t, "out of memory|cannot allocate memory|pthread_create failed: Resource temporarily unavailable", got.message)
}

func init() {
	fakes["a FIFO"] = func() {
		record(startLine)
		_ = os.Remove(order.Results)
		_ = syscall.Mkfifo(order.Results, 0o644)
	}
}

// A FIFO in the place of the results is no plain file, and whoever opens it does not wait for a
// writer.
func TestResultsFIFO(t *testing.T) {
	got := runFake(t, "a FIFO", 0)
	assert.Equal(t, check.Fail, got.status)
	assert.Equal(t, "the results of the check cannot be trusted: the file that should hold them is gone, or is no longer a plain file", got.message)
}
