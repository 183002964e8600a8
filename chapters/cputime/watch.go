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
	Asleep int // the last of these looks, between which it did nothing, or hardly anything

	waited time.Duration // for a CPU, when it was last looked at
	wants  time.Duration // since it was last seen to do something: used, or waited for
}

// Look adds a look, at which the process has used so much since the beginning, and its threads have
// waited so long for a CPU. It is asleep until it has used and waited for more than idle: to look
// needs a little work, too, and a monitor that comes by each 10 ms is not the program.
func (w *Work) Look(used, waited, idle time.Duration) {
	w.wants += used - w.Used + max(0, waited-w.waited) // a thread that ends takes its waiting with it
	w.Used, w.waited = used, waited
	w.Looks++
	w.Asleep++
	if w.wants > idle {
		w.wants, w.Asleep = 0, 0
	}
}

// Watch looks at this process once in each period, on a goroutine of its own, until enough
// reports true or stop is called; any goroutine may call stop, and more than once. Where the
// system does not tell how long threads wait for a CPU, idle is a tenth of what it says: on a
// busy computer who gets little could otherwise not be told from who wants little.
func Watch(period, idle time.Duration, enough func(Work) bool) (stop func()) {
	done, begin := make(chan struct{}), Own()
	waitedBefore, known := waiting()
	if !known {
		idle /= 10
	}
	go func() {
		w := Work{waited: waitedBefore}
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			waited, _ := waiting()
			if w.Look(Own()-begin, waited, idle); enough(w) {
				return
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}
