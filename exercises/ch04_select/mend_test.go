// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04_test

import (
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// Two parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here. Name each
//     by words that are in its row alone, in the function below:
//     check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.

// acquireMended are semaphores in which one method is not the course's.
type acquireMended struct {
	gmp.Semaphores
	s *gmp.Sched
}

// Semacquire1 sleeps, and the count is 1.
//
//	violated check:
//	  G2 waits for ever, and the count is 1: 1 released, and 0 acquired
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1                                      p.s.Cansemacquire(addr)  = 0
//	    2                                      root.Lock.Lock()  (the root)
//	    3                                      p.s.Cansemacquire(addr)  = 0
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	  4-5  Semrelease1(…): the count 0 → 1, sees root.Nwait = 0
//	  6-9  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G1 → nil, gp.Preempt 0 → 0,
//	         gp.PreemptStop 0 → 0
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   10                                      root.Nwait.Add(1)  0 → 1
//	   11                                      gp.Atomicstatus.Load()  = 2
//	   12                                      gp.Atomicstatus.CompareAndSwap(…)
//	                                             2 → 4
//	   13                                      mp.Curg.Set(nil)  G2 → nil
//	   14                                      lock.(*machine.Mutex).Unlock()
//	                                             (the root)
//
//	1 preemption; with fewer, nothing goes wrong
func (p *acquireMended) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	if p.s.Cansemacquire(addr) {
		return
	}
	root := p.s.Semroot(addr)
	root.Lock.Lock()
	if p.s.Cansemacquire(addr) {
		root.Lock.Unlock()
		return
	}
	root.Nwait.Add(1)
	sleepAt(p.s, mp, gp, root, addr, lifo, reason)
}

// acquireMet says which two steps met in Semacquire1 of acquireMended.
func acquireMet() check.Met {
	panic(gmp.TODO("acquireMet"))
}

// sleepAt queues gp at root, which is locked, and parks it; then root is unlocked. It is
// correct.
func sleepAt(s *gmp.Sched, mp *gmp.M, gp *gmp.G, root *gmp.SemaRoot, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	sg := s.AcquireSudog(mp)
	sg.G.Set(gp)
	s.SemaQueue(mp, root, addr, sg, lifo)
	gp.Cont.Set((*gmp.Sched).SemacquireDone)
	s.Gopark(mp, gp, parkunlock, &root.Lock, reason)
}

// waitMended are lists of waiters in which one method is not the course's.
type waitMended struct {
	gmp.NotifyLists
	s *gmp.Sched
}

// NotifyListWait sleeps, and its ticket was notified.
//
//	violated check:
//	  G1 waits for ever (sync.Cond.Wait): everything that it waits for has happened, but it was not made ready
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  l.Notify.Load()  = 0
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	  2-6                                      NotifyListNotifyOne(…):
//	                                             locks the list, l.Notify 0 → 1
//	 7-10                                      the G ends, and becomes another: gp.Atomicstatus 2 → 6,
//	                                             mp.Curg G2 → nil, gp.Preempt 0 → 0,
//	                                             gp.PreemptStop 0 → 0
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	   11  l.Lock.Lock()  (the list)
//	   12  gp.Atomicstatus.Load()  = 2
//	   13  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 4
//	   14  mp.Curg.Set(nil)  G1 → nil
//	   15  lock.(*machine.Mutex).Unlock()  (the list)
//
//	1 preemption; with fewer, nothing goes wrong
func (p *waitMended) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	if before(t, l.Notify.Load()) {
		return
	}
	l.Lock.Lock()
	sleepOn(p.s, mp, gp, l, t)
}

// waitMet says which two steps met in NotifyListWait of waitMended.
func waitMet() check.Met {
	panic(gmp.TODO("waitMet"))
}

// before reports whether ticket a was taken before b. It is correct.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// sleepOn puts gp on list l, which is locked, with its ticket, and parks it; then l is
// unlocked. It is correct.
func sleepOn(s *gmp.Sched, mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	sg := s.AcquireSudog(mp)
	sg.G.Set(gp)
	sg.Ticket.Set(t)
	if l.Head.Get() == nil {
		l.Head.Set(sg)
	} else {
		l.Tail.Get().Next.Set(sg)
	}
	l.Tail.Set(sg)
	gp.Cont.Set((*gmp.Sched).NotifyListWaitDone)
	s.Gopark(mp, gp, parkunlock, &l.Lock, gmp.WaitReasonSyncCondWait)
}

// parkunlock is the unlockf of a park behind one lock.
func parkunlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	base := solutions.Base("ch04")
	suite.Suite.TestMends(t, base, solutions.Mutants("ch04"), solutions.Mends("ch04"), map[string]check.Mending{
		"mend-acquire": {Met: acquireMet, Part: gmp.Version{Semaphores: func(s *gmp.Sched) gmp.Semaphores {
			return &acquireMended{base.Semaphores(s), s}
		}}},
		"mend-wait": {Met: waitMet, Part: gmp.Version{NotifyLists: func(s *gmp.Sched) gmp.NotifyLists {
			return &waitMended{base.NotifyLists(s), s}
		}}},
	})
}
