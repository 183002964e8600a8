package check

import (
	"time"

	"gosched/chapters/cputime"
)

// A check is given up when its process has worked for as long as the deadline says, or has
// slept for so long that nothing will wake it.

// Longest is how many times its deadline a check may take by the clock, since it may
// sleep a little and work a little for ever.
const Longest = 4

const (
	// dead is how long a process may do nothing. What parts sleep for on real threads ends
	// after milliseconds: whoever does nothing for so long waits for a lock or a note in vain.
	dead = 3 * time.Second

	// unitWork is how long a check of kind unit may work, whatever its deadline: it calls a few
	// methods, which takes some milliseconds.
	unitWork = 4 * time.Second

	// stressWork is how long one of kind stress may: what is right takes a second or two, and one
	// that loops on threads works on all CPUs.
	stressWork = 8 * time.Second

	// looks is at least how often the process is looked at within a deadline, and period at most
	// how long it takes from one look to the next.
	looks  = 25
	period = 100 * time.Millisecond
)

// A limit is what a check may take.
type limit struct{ work, sleep, look time.Duration }

// limitOf is the limit of a check.
func limitOf(c *Check) limit {
	work := c.Deadline
	if work == 0 {
		work = defaultDeadline
	}
	switch c.Kind {
	case Unit:
		work = min(work, unitWork)
	case Stress:
		work = min(work, stressWork)
	}
	return limit{work, min(work, dead), min(work/looks, period)}
}

// idle is how much CPU time in all of sleep is no work of the check: a tenth. The monitor of the
// course and that of Go, which wake up each 10 ms and find nothing to do, need half of it.
func (l limit) idle() time.Duration { return l.sleep / 10 }

// asleep reports whether the check has slept for too long.
func (l limit) asleep(w cputime.Work) bool { return time.Duration(w.Asleep)*l.look >= l.sleep }

// over reports whether a check has had all its time.
func (l limit) over(w cputime.Work) bool {
	return w.Used >= l.work || l.asleep(w) || time.Duration(w.Looks)*l.look >= Longest*l.work
}

// expired returns a channel that receives when a check that begins now must be given up: why, in
// words. stop ends the watch over it.
func (l limit) expired() (late <-chan string, stop func()) {
	passed := make(chan string, 1)
	stop = cputime.Watch(l.look, l.idle(), func(w cputime.Work) bool {
		if !l.over(w) {
			return false
		}
		if l.asleep(w) {
			passed <- "nothing happened any more for " + l.sleep.String()
		} else {
			passed <- "it did not end within " + l.work.String()
		}
		return true
	})
	return passed, stop
}
