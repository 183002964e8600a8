// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch16

package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here; if several
//     steps of a thread qualify, the last. Name each by words that are in its row alone, in
//     the function below: check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.

// Correct parts are those of the course; s is the scheduler.
type right struct {
	gmp.NetPoller
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.NetPoller) gmp.Version {
	return gmp.Version{NetPoller: func(s *gmp.Sched) gmp.NetPoller {
		return mended(right{solutions.Base("ch16").NetPoller(s), s})
	}}
}

// closeMended closes a descriptor.
type closeMended struct{ right }

// PollUnblock is slept past.
//
//	violated check:
//	  G1 waits for ever (IO wait): everything that it waits for has happened, but it was not made ready
//
//	       M0                    other                 M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  pd.PollInfo.Load()  = 0
//	  2-8  PollWait(…): half nil → PdWait, d.waiters 0 → 1, sees pd.PollInfo = 0,
//	         gp.Atomicstatus 2 → 4, mp.Curg G1 → nil, half PdWait → G1
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	    9                        half.Load()  = G1
//	   10                        half.CompareAndSwap(was, becomes)  G1 → nil
//	   11                        gp.Atomicstatus.Load()  = 4
//	   12                        gp.Atomicstatus.CompareAndSwap(…)  4 → 1
//	   13                        pp.M.Set(mp)  nil → M2
//	   14                        pp.Status.Store(gmp.Prunning)  0 → 1
//	   15                        half.Load()  = nil
//	   16                        pd.Lock.Lock()  (pollDesc.lock)
//	   17                        pd.PollInfo.Load()  = 0
//	       ── other is preempted ───────────────────────────────────────────────────────────────────────
//	18-19                                              Execute(…):
//	                                                     mp.Curg nil → G1, gp.Atomicstatus 1 → 2
//	20-29                                              mstart(…): d.waiters 1 → 0,
//	                                                     pd.Half(mode) nil → nil, sees pd.PollInfo = 0,
//	                                                     half nil → PdWait, d.waiters 0 → 1,
//	                                                     gp.Atomicstatus 2 → 4, half PdWait → G1 …
//	       ── M2 ends ──────────────────────────────────────────────────────────────────────────────────
//	   30                        pd.PollInfo.Store(was ^ bit)  0 → 1
//	   31                        pd.PollInfo.Load()  = 1
//	   32                        pd.PollInfo.Load()  = 1
//	   33                        pd.Lock.Unlock()  (pollDesc.lock)
//	   34                        pd.Lock.Lock()  (pollDesc.lock)
//	   35                        Unlock  (pollDesc.lock)
//	   36                        pd.Lock.Lock()  (pollDesc.lock)
//	   37                        Unlock  (pollDesc.lock)
//	   38                        pd.Lock.Lock()  (pollDesc.lock)
//	   39                        Unlock  (pollDesc.lock)
//	   40                        pd.Lock.Lock()  (pollDesc.lock)
//	   41                        Unlock  (pollDesc.lock)
//
//	1 preemption; with fewer, nothing goes wrong
func (p closeMended) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	s := p.s
	for _, mode := range [2]int{'r', 'w'} {
		if gp := s.Netpollunblock(pd, mode, false); gp != nil {
			s.Goready(mp, gp)
		}
	}
	pd.Lock.Lock()
	if pd.Closing.Get() {
		s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	pd.PublishInfo()
	pd.Lock.Unlock()
	s.SetDeadlineTimer(mp, pd, 'r')
	s.SetDeadlineTimer(mp, pd, 'w')
}

// closeMet says which two steps met in PollUnblock of closeMended.
func closeMet() check.Met {
	panic(gmp.TODO("closeMet"))
}

// doneMended ends a wait.
type doneMended struct{ right }

// NetpollblockDone forgets an event.
//
//	violated check:
//	  the descriptor has become ready; the result of G1's PollWait is PollErrClosing, and Rg is nil: nobody will ever know
//
//	       M0            ready         other         M3
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  pd.PollInfo.Load()  = 0
//	  2-8  PollWait(…): half nil → PdWait, d.waiters 0 → 1, sees pd.PollInfo = 0,
//	         gp.Atomicstatus 2 → 4, mp.Curg G1 → nil, half PdWait → G1
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	 9-29                              PollUnblock(…): locks pollDesc.lock,
//	                                     pd.PollInfo 0 → 1, half G1 → nil, gp.Atomicstatus 4 → 1,
//	                                     pp.M nil → M3, pp.Status 0 → 1
//	       ── other ends ───────────────────────────────────────────────────────────────────────────────
//	30-31                                            Execute(…):
//	                                                   mp.Curg nil → G1, gp.Atomicstatus 1 → 2
//	                                                 PollWaitDone
//	                                                   reads word 0 of G1's arguments
//	                                                 PollWaitDone
//	                                                   reads word 1 of G1's arguments
//	   32                                            d.waiters.Add(delta)  1 → 0
//	   33                                            half.Load()  = nil
//	       ── M3 is preempted ──────────────────────────────────────────────────────────────────────────
//	34-35                Netpollready(…): half nil → PdReady
//	       ── ready ends ───────────────────────────────────────────────────────────────────────────────
//	   36                                            half.Store(nil)  PdReady → nil
//	   37                                            pd.PollInfo.Load()  = 1
//	                                                 PollWaitDone
//	                                                   writes word 2 of G1's arguments
//	                                                 c.S.Machine.Word(…)
//	                                                   reads word 2 of G1's arguments
//	38-45                                            PollWait is over: PollErrClosing · the G ends, and…
//	                                                   gp.Atomicstatus 2 → 6, mp.Curg G1 → nil,
//	                                                   gp.Preempt 0 → 0, gp.PreemptStop 0 → 0,
//	                                                   locks sched.sudoglock
//
//	1 preemption; with fewer, nothing goes wrong
func (p doneMended) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	p.s.NetpollAdjustWaiters(-1)
	half := pd.Half(mode)
	was := half.Load()
	if was != nil && was != gmp.PdReady && was != gmp.PdWait {
		p.s.Throw("runtime: corrupted polldesc")
	}
	half.Store(nil)
	return was == gmp.PdReady
}

// doneMet says which two steps met in NetpollblockDone of doneMended.
func doneMet() check.Met {
	panic(gmp.TODO("doneMet"))
}

// injectMended makes Gs runnable.
type injectMended struct{ right }

// Injectglist leaves a G beside an idle P.
//
//	violated check:
//	  G1 is runnable, and on a queue, and no M comes for it; 1 Ps are idle
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-6  Injectglist(…): sees s.Npidle = 0, gp.Atomicstatus 4 → 1,
//	         pp.Runq[i] nil → G2, pp.Runq[i] nil → G1
//	  7-9  look(…): pp.Runq[i] G2 → nil, gp.Atomicstatus 1 → 2
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	10-16                                      look(…): locks sched.lock,
//	                                             pp.M M1 → nil, s.Npidle 0 → 1
//
//	0 preemptions
func (p injectMended) Injectglist(mp *gmp.M, list gmp.GList) {
	if list.Head == nil {
		return
	}
	s := p.s
	pp, idle := mp.P.Get(), s.Npidle.Load()
	var global, local gmp.GQueue
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		if pp == nil || global.Size < idle {
			global.PushBack(gp)
		} else {
			local.PushBack(gp)
		}
	}
	if pp != nil {
		rest := s.Runqputbatch(pp, local)
		for gp := rest.Pop(); gp != nil; gp = rest.Pop() {
			global.PushBack(gp)
		}
	}
	if n := global.Size; n > 0 {
		s.Lock.Lock()
		s.Globrunqputbatch(global)
		for ; n > 0; n-- {
			idle, _ := s.PidlegetSpinning(mp, 0)
			if idle == nil {
				break
			}
			s.Startm(mp, idle, false, true)
		}
		s.Lock.Unlock()
	}
}

// injectMet says which two steps met in Injectglist of injectMended.
func injectMet() check.Met {
	panic(gmp.TODO("injectMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch16"), solutions.Mutants("ch16"), solutions.Mends("ch16"), map[string]check.Mending{
		"mend-close":  {Part: with(func(r right) gmp.NetPoller { return closeMended{r} }), Met: closeMet},
		"mend-done":   {Part: with(func(r right) gmp.NetPoller { return doneMended{r} }), Met: doneMet},
		"mend-inject": {Part: with(func(r right) gmp.NetPoller { return injectMended{r} }), Met: injectMet},
	})
}
