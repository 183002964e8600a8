// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

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
//	violated check:
//	  M1 acquires a sudog with Success, Ticket set: left over from its last use, or in use by another M
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1                                      p.lock.Lock()
//	    2                                      p.lock.Unlock()
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	  3-6  AcquireSudog(…): locks p.lock
//	    7  travels.Store(use(first))  nil → Sudog#1
//	  8-9  AcquireSudog(…): locks p.lock
//	10-11  ReleaseSudog(…): locks p.lock
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   12                                      p.lock.Lock()
//	   13                                      p.lock.Unlock()
//
//	1 preemption; with fewer, nothing goes wrong
func (p *sudogsMended) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	p.lock.Lock()
	sg := p.free.Get()
	p.lock.Unlock()
	if sg == nil {
		return gmp.NewSudog()
	}
	p.lock.Lock()
	p.free.Set(sg.Next.Get())
	p.lock.Unlock()
	sg.Next.Set(nil)
	return sg
}

// sudogsMet says which two steps met in AcquireSudog of sudogsMended.
func sudogsMet() check.Met {
	panic(gmp.TODO("sudogsMet"))
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
//	data race:
//	  M1 writes sg.G.Get().Param, and M3 writes it as gp.Param: neither waits for the other, so either value may be the one that remains
//	  nothing orders the two: there is no lock that both hold, and the last step of M1 that M3 has learned of is step 9, gp.Atomicstatus.CompareAndSwap(oldval, newval), which came before this
//	  M1: sg.G.Get().Param.Set(sg) in release, called by Send, Chansend, begin, …, Go
//	  M3: gp.Param.Set(nil) in ChanrecvDone, called by mstart, atOnce
//
//	       M1                    M2                    M3
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       G1 sends 7
//	       c.S.Machine.SetWord(c.Slot(gp), v)  writes G1's slot
//	       ── M1 stands before its first step ──────────────────────────────────────────────────────────
//	                             G2 receives
//	                             c.S.Machine.SetWord(…)  writes G2's slot
//	  1-5                        Chanrecv(…): locks hchan.lock,
//	                               gp.Atomicstatus 2 → 4, mp.Curg G2 → nil
//	       ── M2 ends ──────────────────────────────────────────────────────────────────────────────────
//	    6  c.Lock.Lock()  (hchan.lock)
//	       p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)  reads G1's slot
//	       p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)  writes G2's slot
//	    7  c.Lock.Unlock()  (hchan.lock)
//	    8  gp.Atomicstatus.Load()  = 4
//	    9  gp.Atomicstatus.CompareAndSwap(oldval, newval)  4 → 1
//	       sg.G.Get().Param.Set(sg) ◀
//	10-13  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G1 → nil, gp.Preempt 0 → 0,
//	         gp.PreemptStop 0 → 0
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	14-15                                              Execute(…):
//	                                                     mp.Curg nil → G2, gp.Atomicstatus 1 → 2
//	                                                   gp.Param.Set(nil) ◀
//
//	0 preemptions
func (p sendMended) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	gp := sg.G.Get()
	if sg.Elem.Get() != 0 {
		p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	}
	c.Lock.Unlock()
	p.s.Goready(mp, gp)
	release(sg, true)
}

// sendMet says which two steps met in Send of sendMended.
func sendMet() check.Met {
	panic(gmp.TODO("sendMet"))
}

// tryMended looks into the channel itself if it must not wait. A channel that holds
// something it leaves to the correct one, which looks again.
type tryMended struct{ rightChannels }

// Chanrecv says something about the channel that was not true at any moment.
//
//	violated check:
//	  in the end G1 goes on; G2 gets a zero value, because the channel is closed; G3 goes on; [1] is left in the buffer; the channel is closed. Whatever the order in which they come, it must be one of these:
//	  G1 goes on; G2 gets 1; G3 goes on; the channel is closed
//	  G1 goes on; G2 gives up; G3 goes on; [1] is left in the buffer; the channel is closed
//	  G1 panics: send on closed channel; G2 gets a zero value, because the channel is closed; G3 goes on; the channel is closed
//	  G1 panics: send on closed channel; G2 gives up; G3 goes on; the channel is closed
//
//	       M1                    M2                    M3
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       G1 sends 1 unless it would have to wait
//	       c.S.Machine.SetWord(c.Slot(gp), v)  writes G1's slot
//	       ── M1 stands before its first step ──────────────────────────────────────────────────────────
//	                             G2 receives unless it would have to wait
//	                             c.S.Machine.SetWord(…)  writes G2's slot
//	       ── M2 stands before its first step ──────────────────────────────────────────────────────────
//	                                                   G3 closes it
//	       ── M3 stands before its first step ──────────────────────────────────────────────────────────
//	    1                        c.Lock.Lock()  (hchan.lock)
//	    2                        c.Lock.Unlock()  (hchan.lock)
//	       ── M2 is preempted ──────────────────────────────────────────────────────────────────────────
//	  3-4  Chansend(…): locks hchan.lock
//	  5-8  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G1 → nil, gp.Preempt 0 → 0,
//	         gp.PreemptStop 0 → 0
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	 9-10                                              Closechan(…):
//	                                                     locks hchan.lock
//	11-14                                              the G ends, and becomes another:
//	                                                     gp.Atomicstatus 2 → 6, mp.Curg G3 → nil,
//	                                                     gp.Preempt 0 → 0, gp.PreemptStop 0 → 0
//	       ── M3 ends ──────────────────────────────────────────────────────────────────────────────────
//	   15                        c.Lock.Lock()  (hchan.lock)
//	   16                        c.Lock.Unlock()  (hchan.lock)
//	                             p.s.Typedmemclr(c.Elem, elem)  writes G2's slot
//	                             c.S.Machine.Word(c.Slot(gp))  reads G2's slot
//	17-20                        the G ends, and becomes another: gp.Atomicstatus 2 → 6,
//	                               mp.Curg G2 → nil, gp.Preempt 0 → 0, gp.PreemptStop 0 → 0
//
//	1 preemption; with fewer, nothing goes wrong
func (p tryMended) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil || block {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	empty := c.Qcount.Get() == 0 && c.Sendq.First.Get() == nil
	c.Lock.Unlock()
	if !empty {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	closed := c.Closed.Get()
	c.Lock.Unlock()
	if closed && elem != 0 {
		p.s.Typedmemclr(c.Elem, elem)
	}
	return closed, false
}

// tryMet says which two steps met in Chanrecv of tryMended.
func tryMet() check.Met {
	panic(gmp.TODO("tryMet"))
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
