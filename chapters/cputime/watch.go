package cputime

import (
	"sync"
	"time"
)

// Work is what was seen of this process since some beginning. It is counted in looks, and
// not in time by the clock: that goes on while the process waits for a CPU, and where the
// computer itself stands still, as a virtual one does while it is saved, it may jump by
// minutes. A look that comes late counts as one, and those that were missed do not count.
type Work struct {
	Used   time.Duration // of CPUs
	Looks  int
	Asleep int // the last of these looks, between which it did nothing

	worked time.Duration // Used when it was last seen to do something
}

// Look adds a look, at which the process has used so much since the beginning. It is asleep
// while it uses no more than idle: to look needs a little work, too.
func (w *Work) Look(used, idle time.Duration) {
	w.Used = used
	w.Looks++
	w.Asleep++
	if used-w.worked > idle {
		w.worked, w.Asleep = used, 0
	}
}

// Watch looks at this process once in each period, on a goroutine of its own, until enough
// reports true or stop is called; any goroutine may call stop, and more than once.
func Watch(period, idle time.Duration, enough func(Work) bool) (stop func()) {
	done, begin := make(chan struct{}), Own()
	go func() {
		var w Work
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			if w.Look(Own()-begin, idle); enough(w) {
				return
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}
