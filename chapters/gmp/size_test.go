package gmp

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine"
)

// A G takes no more room in a program without a Hook than Go's own allocator rounds up
// to anyway: one byte more would cost each of a million Gs 32. Where a Hook can watch, each
// shared variable has 8 bytes more, which are its identity.
func TestSizeOfG(t *testing.T) {
	const tag = unsafe.Sizeof(machine.Uint32{}) - 4 // 0 with the build tag unwatched
	if tag == 0 {
		assert.LessOrEqual(t, unsafe.Sizeof(G{}), uintptr(256))
	}
	assert.LessOrEqual(t, unsafe.Sizeof(G{}), uintptr(488))
}
