package machine

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ends runs fn on a thread and returns what it panicked with.
func ends(fn func()) <-chan any {
	end := make(chan any, 1)
	Newosproc("sleeper", func() {
		defer func() { end <- recover() }()
		fn()
	})
	return end
}

// Whoever sleeps when the machine halts ends, and whoever comes later, too.
func TestHalt(t *testing.T) {
	m := newMachine(t, &Program{})
	var mu Mutex
	var forAWhile, forEver, signalled Note
	mu.On(m)
	for _, n := range []*Note{&forAWhile, &forEver, &signalled} {
		n.On(m)
	}
	mu.Lock()
	threads := []<-chan any{
		ends(mu.Lock), ends(mu.Lock), ends(mu.Lock),
		ends(func() { forAWhile.SleepTimeout(1e15) }),
		ends(forEver.Sleep),
	}
	asleep := func() (n int) {
		m.power.mu.Lock()
		defer m.power.mu.Unlock()
		for _, k := range m.power.asleep {
			n += k
		}
		return n
	}
	for asleep() < len(threads) {
		runtime.Gosched()
	}
	m.Halt()
	m.Halt()
	for _, end := range threads {
		require.Equal(t, Halted{}, <-end)
	}
	assert.Zero(t, asleep())

	assert.Equal(t, Halted{}, <-ends(mu.Lock), "it is still locked")
	mu.Unlock()
	assert.Nil(t, <-ends(mu.Lock), "who need not sleep goes on")
	signalled.Wakeup()
	assert.Nil(t, <-ends(signalled.Sleep))

	// Without a machine, or on another one, nothing has happened.
	var n Note
	end := ends(n.Sleep)
	n.Wakeup()
	assert.Nil(t, <-end)
}

// Halting at any moment leaves nobody behind.
func TestHaltRaces(t *testing.T) {
	for range 300 {
		m := newMachine(t, &Program{})
		var a, b Note
		a.On(m)
		b.On(m)
		var ended sync.WaitGroup
		turn := func(mine, other *Note) func() {
			return func() {
				defer ended.Done()
				defer func() { recover() }()
				for {
					mine.Sleep()
					mine.Clear()
					other.Wakeup()
				}
			}
		}
		ended.Add(2)
		Newosproc("a", turn(&a, &b))
		Newosproc("b", turn(&b, &a))
		a.Wakeup()
		m.Halt()
		ended.Wait()
	}
}
