package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it
// goes wrong. In each method:
//
//   - find the two steps, in two threads, that must not meet as they do here. Name each by
//     words that are in its row alone, in the function below: check.Met{One: "…", Other: "…"},
//     in either order.
//     If more than one pair fits, one is enough; words of several rows stand for any of
//     these
//   - mend the method, with the smallest change that makes it correct.
//
// A row may stand for several steps. What is done under a lock has no row of its own, since
// no other thread can come in between: look for the lock.

// Correct sudogs and correct channels are those of the course; s is the
// scheduler.
type (
	rightSudogs struct {
		gmp.Sudogs
		s *gmp.Sched
	}
	rightChannels struct {
		gmp.Channels
		s *gmp.Sched
	}
)

// channels are those of the course with some methods replaced.
func channels(mended func(rightChannels) gmp.Channels) gmp.Version {
	return gmp.Version{Channels: func(s *gmp.Sched) gmp.Channels {
		return mended(rightChannels{solutions.Base("ch03").Channels(s), s})
	}}
}

// sudogsMended has one list of free sudogs for all Ms, linked by Next, with a lock. That is
// not how yours works, and it is slower; but it can be correct.
type sudogsMended struct {
	rightSudogs
	lock machine.Mutex
	free machine.Cell[*gmp.Sudog]
}

// ReleaseSudog is correct: it lets the course's part look at sg and clear it, takes sg
// out of the cache of mp, and puts it on the list.
func (p *sudogsMended) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	p.Sudogs.ReleaseSudog(mp, sg)
	mp.Sudogcache.Set(sg.Next.Get())
	p.lock.Lock()
	sg.Next.Set(p.free.Get())
	p.free.Set(sg)
	p.lock.Unlock()
}

// AcquireSudog gives a sudog to two Ms.
//
//course:mend sudogs-popped-in-two-steps
func (p *sudogsMended) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	p.lock.Lock()
	sg := p.free.Get()
	if sg == nil {
		p.lock.Unlock()
		return gmp.NewSudog()
	}
	p.free.Set(sg.Next.Get())
	p.lock.Unlock()
	sg.Next.Set(nil)
	return sg
}

// sudogsMet says which two steps met in AcquireSudog of sudogsMended.
//
//course:exercise
func sudogsMet() check.Met {
	//course:lead What does M1 know about the list when it goes on, and is it still true?
	return check.Met{One: "p.lock.Unlock()", Other: "AcquireSudog(…): locks p.lock"}
}

// release records in sg, which was dequeued, how the wait ended, and returns its
// G.
func release(sg *gmp.Sudog, success bool) *gmp.G {
	sg.Elem.Set(0)
	sg.Success.Set(success)
	sg.G.Get().Param.Set(sg)
	return sg.G.Get()
}

// sendMended hands a value to a receiver that waits.
type sendMended struct{ rightChannels }

// Send writes into what belongs to the receiver. The interleaving ends at the first race,
// the one on Param, marked ◀. There are others: Elem, too, is written too late, and the
// check race-moved-stack looks at that.
//
//course:mend send-ready-then-sudog
func (p sendMended) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	gp := sg.G.Get()
	if sg.Elem.Get() != 0 {
		p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	}
	release(sg, true)
	c.Lock.Unlock()
	p.s.Goready(mp, gp)
}

// sendMet says which two steps met in Send of sendMended.
//
//course:exercise
func sendMet() check.Met {
	//course:lead Which step of M1 lets another M have the receiver, and what does M1 do with it later?
	return check.Met{One: "sg.G.Get().Param.Set(sg)", Other: "gp.Param.Set(nil)"}
}

// tryMended looks into the channel itself if it must not wait. A channel that holds
// something it leaves to the correct one, which looks again.
type tryMended struct{ rightChannels }

// Chanrecv says something about the channel that was not true at any moment.
//
//course:mend try-looks-twice
func (p tryMended) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil || block {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	empty := c.Qcount.Get() == 0 && c.Sendq.First.Get() == nil
	closed := c.Closed.Get()
	c.Lock.Unlock()
	if !empty {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	if closed && elem != 0 {
		p.s.Typedmemclr(c.Elem, elem)
	}
	return closed, false
}

// tryMet says which two steps met in Chanrecv of tryMended.
//
//course:exercise
func tryMet() check.Met {
	//course:lead What does the answer say about the channel? At which moment is one half of it true, and at which the other?
	return check.Met{One: "c.Lock.Unlock()", Other: "Chansend(…): locks hchan.lock"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch03"), solutions.Mutants("ch03"), solutions.Mends("ch03"), map[string]check.Mending{
		"mend-sudogs": {
			Part: gmp.Version{Sudogs: func(s *gmp.Sched) gmp.Sudogs {
				return &sudogsMended{rightSudogs: rightSudogs{solutions.Base("ch03").Sudogs(s), s}}
			}},
			Met: sudogsMet,
		},
		"mend-send": {Part: channels(func(r rightChannels) gmp.Channels { return sendMended{r} }), Met: sendMet},
		"mend-try":  {Part: channels(func(r rightChannels) gmp.Channels { return tryMended{r} }), Met: tryMet},
	})
}
