package kill

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// The limits of a check on a mutation. They are in the process's own CPU time, so that a
// busy computer kills no mutation; only one that sleeps is known by the clock.
const (
	minCPU     = time.Second
	timesCPU   = 20
	minAsleep  = 1500 * time.Millisecond // without work; in which it may use
	busy       = 20 * time.Millisecond
	timesWall  = 5
	maxHeap    = 1 << 30
	watchEvery = 20 * time.Millisecond
)

// watch ends the process, with a result, if a check goes on for much longer than on the
// right solution. stop ends the watch.
func watch(cost Cost) (stop func()) {
	done := make(chan struct{})
	go watcher(cost, done)
	return sync.OnceFunc(func() { close(done) })
}

func watcher(cost Cost, done chan struct{}) {
	begin, limit := cpuTime(), max(minCPU, timesCPU*cost.CPU)
	asleep := max(minAsleep, timesWall*cost.Wall)
	worked, since := begin, time.Now() // when it last did something
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var mem runtime.MemStats
	for round := 0; ; round++ {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		now := cpuTime()
		if now-worked > busy {
			worked, since = now, time.Now()
		}
		switch {
		case now-begin > limit:
			hangs(cost.Check, "it did not end within %v of CPU time", limit)
		case time.Since(since) > asleep:
			hangs(cost.Check, "it sleeps: nothing has happened for %v", asleep.Round(time.Second))
		}
		if round%5 == 0 {
			if runtime.ReadMemStats(&mem); mem.HeapAlloc > maxHeap {
				hangs(cost.Check, "it needs more than %d MB of memory", maxHeap>>20)
			}
		}
	}
}

// hangs ends the process: there is no other way to stop a loop.
func hangs(check, format string, args ...any) {
	print(Line{Result: &Result{check, fmt.Sprintf(format, args...)}})
	os.Exit(0)
}
