package machine

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whoever looks at what another thread owns sees all that the owner did before the Set,
// and the race detector agrees.
func TestOwnedPublishes(t *testing.T) {
	type parcel struct{ number uint32 }
	var p Owned[parcel]
	var tick OwnedUint32
	var flag Flag
	const last = 20_000
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := uint32(1); n <= last; n++ {
			p.Set(&parcel{n})
			assert.Equal(t, n, p.Get().number)
			tick.Set(tick.Get() + 1)
		}
		flag.Set(true)
	})
	for range 2 {
		wg.Go(func() {
			for seen := uint32(0); seen < last || !flag.Get(); {
				at := tick.Look()
				if got := p.Look(); got != nil {
					if !assert.GreaterOrEqual(t, got.number, max(at, seen)) {
						return
					}
					seen = got.number
				}
			}
		})
	}
	wg.Wait()
	assert.Equal(t, uint32(last), tick.Look())
}
