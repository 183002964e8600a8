package check

import (
	"time"

	"gosched/chapters/cputime"
)

// A check is given up when its process has worked for as long as the deadline says, or has
// slept for as long.

// Longest is how many times its deadline a check may take by the clock, since it may
// sleep a little and work a little for ever.
const Longest = 4

// looks is how many times the process is looked at within a deadline.
const looks = 100

// idle is how much CPU time between looks is no work of the check.
func idle(deadline time.Duration) time.Duration { return deadline / (2 * looks) }

// over reports whether a check has had all its time.
func over(w cputime.Work, deadline time.Duration) bool {
	return w.Used >= deadline || w.Asleep >= looks || w.Looks >= Longest*looks
}

// expired returns a channel that is closed when a check that begins now must be given
// up. stop ends the watch over it.
func expired(deadline time.Duration) (late <-chan struct{}, stop func()) {
	passed := make(chan struct{})
	stop = cputime.Watch(deadline/looks, idle(deadline), func(w cputime.Work) bool {
		if !over(w, deadline) {
			return false
		}
		close(passed)
		return true
	})
	return passed, stop
}
