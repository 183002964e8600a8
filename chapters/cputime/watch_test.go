package cputime

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// Work that is little each time is seen when enough of it has come together.
func TestLook(t *testing.T) {
	var w Work
	var asleep []int
	for _, used := range []time.Duration{1, 2, 3, 4, 5, 10, 10, 10} {
		w.Look(used, 0, 3)
		asleep = append(asleep, w.Asleep)
	}
	assert.Equal(t, []int{1, 2, 3, 0, 1, 0, 1, 2}, asleep)
	assert.Equal(t, 8, w.Looks)
	assert.Equal(t, time.Duration(10), w.Used)
}

// Who waits for a CPU does not sleep, and a thread that ends makes it neither.
func TestLookAtWaiting(t *testing.T) {
	var w Work
	var asleep []int
	for _, waited := range []time.Duration{2, 4, 1, 2, 3, 9, 9} {
		w.Look(0, waited, 3)
		asleep = append(asleep, w.Asleep)
	}
	assert.Equal(t, []int{1, 0, 1, 2, 3, 0, 1}, asleep)
	assert.Zero(t, w.Used)
}

// Where it is known how long threads wait for a CPU, more threads than CPUs let it grow.
func TestWaiting(t *testing.T) {
	before, known := waiting()
	if !known {
		t.Skip("this system does not tell how long a thread waits for a CPU")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2*runtime.NumCPU() + 1))
	var busy sync.WaitGroup
	begin := Own()
	for range 2*runtime.NumCPU() + 1 {
		busy.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for Own()-begin < 200*time.Millisecond {
			}
		})
	}
	busy.Wait()
	after, _ := waiting()
	assert.Greater(t, after, before)
}

// A watch looks once in a period, until it has seen enough or is stopped. It may be stopped
// more than once, and when it is over.
func TestWatch(t *testing.T) {
	for _, most := range []int{3, 100} {
		synctest.Test(t, func(t *testing.T) {
			looks := 0
			stop := Watch(time.Second, time.Hour, func(w Work) bool {
				looks++
				assert.Equal(t, looks, w.Looks)
				assert.Equal(t, looks, w.Asleep)
				return looks == most
			})
			time.Sleep(5*time.Second + time.Second/2)
			stop()
			stop()
			time.Sleep(5 * time.Second)
			assert.Equal(t, min(most, 5), looks)
		})
	}
}
