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
//course:mend sema-counts-late
func (p *acquireMended) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	if p.s.Cansemacquire(addr) {
		return
	}
	root := p.s.Semroot(addr)
	root.Lock.Lock()
	root.Nwait.Add(1)
	if p.s.Cansemacquire(addr) {
		root.Nwait.Add(^uint32(0))
		root.Lock.Unlock()
		return
	}
	sleepAt(p.s, mp, gp, root, addr, lifo, reason)
}

// acquireMet says which two steps met in Semacquire1 of acquireMended.
//
//course:exercise
func acquireMet() check.Met {
	//course:lead What does the release see of the acquirer, and which of the acquirer's steps would it have to see?
	return check.Met{One: "p.s.Cansemacquire(addr)", Other: "sees root.Nwait = 0"}
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
//course:mend notify-looks-unlocked
func (p *waitMended) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	l.Lock.Lock()
	if before(t, l.Notify.Load()) {
		l.Lock.Unlock()
		return
	}
	sleepOn(p.s, mp, gp, l, t)
}

// waitMet says which two steps met in NotifyListWait of waitMended.
//
//course:exercise
func waitMet() check.Met {
	//course:lead Where does the notification look for the waiter, and where is the waiter then?
	return check.Met{One: "l.Notify.Load()", Other: "NotifyListNotifyOne(…)"}
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
