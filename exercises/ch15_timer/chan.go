// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch15

package ch15

import "gosched/chapters/gmp"

// timerChans is what receiving from the channel of a timer does.
//
// TimerChans is what receiving from the channel of a timer does beside chapters 3 and 4. A timer
// with a channel is put into a heap only while a G waits for that channel. So one that nobody
// waits for wakes nobody, and if the program has forgotten it, nothing else remembers it.
// c.Timer is not nil.
type timerChans struct {
	s *gmp.Sched
}

// NewTimerChans makes the TimerChans of s.
func NewTimerChans(s *gmp.Sched) gmp.TimerChans { return &timerChans{s: s} }

// MaybeRunChan is called before a receive from c, or a select, looks at c, with nothing
// locked: if the timer is set, in no heap, and due by s.Nanotime, it fires now (UnlockAndRun).
// A timer in a heap is left to that heap; if Astate says so its lock is not taken. If not, it
// may be in one all the same when it is locked. The runtime's timer.maybeRunChan.
func (p *timerChans) MaybeRunChan(mp *gmp.M, c *gmp.Hchan) {
	// Question: A timer that no G waits for is in no heap. How does a program
	//           that only looks, again and again, ever see it fire?
	panic(gmp.TODO("MaybeRunChan"))
}

// BlockTimerChan is called when a G of mp is on c.Recvq, and about to park. c is locked, and
// perhaps other channels. One more G waits (Blocked); if the timer is set it is in a heap
// afterwards, and no zombie. If it was there, only that bit of State goes, with its count in
// Zombies: what ModTimer has marked is still to be done. The runtime's blockTimerChan.
func (p *timerChans) BlockTimerChan(mp *gmp.M, c *gmp.Hchan) {
	// Holds: As long as a G waits for c, a timer that is set is in a heap, and
	//        is no zombie there.
	panic(gmp.TODO("BlockTimerChan"))
}

// UnblockTimerChan is called when such a G goes on. One less waits; if it was the last, and
// the timer is in a heap, it becomes a zombie, counted once, though it is not stopped: its
// entry is as right as it was, so TimerModified stays as it is. Throws "timer data
// corruption" if no G waited. The runtime's unblockTimerChan.
func (p *timerChans) UnblockTimerChan(c *gmp.Hchan) {
	panic(gmp.TODO("UnblockTimerChan"))
}
