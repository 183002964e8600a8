package machine_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine"
)

// Threads that wait for each other in a loop go on even if Go's scheduler, below them, lets only
// one of them run: each gets its turn after a few calls of Osyield.
func TestOsyieldLetsEveryThreadRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const threads, turns = 3, 100
	var turn, yields atomic.Int64
	var all sync.WaitGroup
	all.Add(threads)
	for i := range threads {
		machine.Newosproc("M", func() {
			defer all.Done()
			for mine := int64(i); mine < turns; mine += threads {
				for turn.Load() != mine {
					yields.Add(1)
					machine.Osyield()
				}
				turn.Add(1)
			}
		})
	}
	all.Wait()
	assert.Less(t, yields.Load(), int64(turns*100))
}
