package check

import (
	"time"

	"gosched/chapters/cputime"
)

// A check is given up when its process has worked for as long as the deadline says, or
// has slept for as long. The clock alone would be unfair: on a busy computer it goes on
// while the process waits for a CPU, and where the computer itself stood still, as a
// virtual one does while it is saved, it may jump by minutes.

// Longest is how many times its deadline a check may take by the clock, since it may
// sleep a little and work a little for ever.
const Longest = 4

// looks is how many times somebody looks within a deadline. A look that comes late
// counts as one, and those that were missed do not count.
const looks = 100

// A vigil is what has been seen of a check by now.
type vigil struct {
	deadline time.Duration
	begin    time.Duration // the CPU time of the process at the beginning
	worked   time.Duration // and when it was last seen to work
	seen     int           // looks since the beginning
	asleep   int           // looks since it was last seen to work
}

// look takes the CPU time that the process has used by now, and reports whether it has
// had all its time.
func (v *vigil) look(now time.Duration) (late bool) {
	v.seen++
	v.asleep++
	if now-v.worked > v.deadline/200 { // to look needs a little work, too
		v.worked, v.asleep = now, 0
	}
	return now-v.begin >= v.deadline || v.asleep >= looks || v.seen >= Longest*looks
}

// expired returns a channel that is closed when a check that begins now must be given
// up. stop ends the vigil.
func expired(deadline time.Duration) (late <-chan struct{}, stop func()) {
	passed, done := make(chan struct{}), make(chan struct{})
	begin := cputime.Own()
	v := vigil{deadline: deadline, begin: begin, worked: begin}
	go func() {
		ticker := time.NewTicker(deadline / looks)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			if v.look(cputime.Own()) {
				close(passed)
				return
			}
		}
	}()
	return passed, func() { close(done) }
}
