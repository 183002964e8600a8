// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04

import (
	"gosched/chapters/gmp"
)

// selects are select statements. While one looks, or takes itself off the queues,
// it holds the locks of all its channels. Everybody takes them in the same order,
// so two selects never wait for each other.
type selects struct {
	s *gmp.Sched
}

// NewSelect makes the Select of s.
func NewSelect(s *gmp.Sched) gmp.Select { return &selects{s: s} }

// Selectgo does one of cases, or waits on all of them.
func (p *selects) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (chosen int, received bool) {
	// 1. Two orders of the cases: a random one to look at them, and the order
	//    of their channels' addresses to lock. A nil channel is in neither,
	//    since its case can never go on.
	// 2. Lock all channels, each once. From here on nothing changes.
	// 3. Do the first case that can go on, and unlock all. A send on a closed
	//    channel can go on, too: it panics.
	// 4. None can. If there is a default, that is the answer.
	// 5. Wait for all: a sudog for each case stands on the queue of its
	//    channel, and on gp.Waiting, in the order of the locks.
	// 6. Say what is left to do, and park; selparkcommit unlocks all.
	panic(gmp.TODO("Selectgo"))
}

// SelectgoDone is what a G still does when one of its cases was done for it.
func (p *selects) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	// 1. Lock all channels again. Until now the losers still stood on their
	//    queues, and others found them there.
	// 2. The next select of this G begins without a winner. Nobody can be at
	//    SelectDone now, since whoever finds one of our sudogs holds one of
	//    our locks.
	// 3. Take the losers off their queues. Whoever woke the G has taken the
	//    winner off already.
	// 4. Unlock all; selparkcommit knows how.
	// 5. What does the winner say? Look before it is given back; then give all
	//    of them back, blank.
	// 6. A sender without success was woken by a close. Else store the
	//    results.
	panic(gmp.TODO("SelectgoDone"))
}

// waiters is the queue on which one waits for case c.
func waiters(c *gmp.Scase) *gmp.Waitq {
	if c.Send {
		return &c.C.Sendq
	}
	return &c.C.Recvq
}

// unlockAll unlocks the channels of the sudogs from sg on, which are in the order
// of the locks. When the last one is unlocked, the sudogs may be somebody else's:
// each is read while its channel is locked.
func unlockAll(sg *gmp.Sudog) {
	var last *gmp.Hchan
	for ; sg != nil; sg = sg.Waitlink.Get() {
		if sg.C.Get() != last {
			if last != nil {
				last.Lock.Unlock()
			}
			last = sg.C.Get()
		}
	}
	if last != nil {
		last.Lock.Unlock()
	}
}

// selparkcommit is the unlockf of a park on several channels. Gopark calls it when
// the G waits.
func selparkcommit(gp *gmp.G, lock any) bool {
	unlockAll(gp.Waiting.Get())
	return true
}
