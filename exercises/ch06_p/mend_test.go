// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

package ch06_test

import (
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here. Name each
//     by words that are in its row alone, in the function below:
//     check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.

// idleMended takes Ps off the list of idle ones.
type idleMended struct {
	gmp.Procs
	s *gmp.Sched
}

// Pidleget loses a P.
//
//	violated check:
//	  P0 is lost: no M has it, and it is not on the list of idle Ps
//	  at the end 1 Ps are on the list of idle Ps, and 2 are counted (s.Npidle); want 2
//
//	       M0                    M1                    M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-5  pidleget(…): locks sched.lock, s.Npidle 2 → 1
//	  6-8  acquirep(…): pp.M nil → M0, pp.Status 0 → 1
//	 9-11  releasep(…): pp.M M0 → nil, pp.Status 1 → 0
//	12-18  pidleput(…): locks sched.lock, s.Npidle 1 → 2
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	19-23                        pidleget(…): locks sched.lock, s.Npidle 2 → 1
//	24-26                        acquirep(…): pp.M nil → M1, pp.Status 0 → 1
//	27-29                        releasep(…): pp.M M1 → nil, pp.Status 1 → 0
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	   30                                              s.Lock.Lock()  (sched.lock)
//	   31                                              p.s.Lock.Unlock()
//	                                                     (sched.lock)
//	       ── M2 is preempted ──────────────────────────────────────────────────────────────────────────
//	32-38                        pidleput(…): locks sched.lock, s.Npidle 1 → 2
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	   39                                              s.Lock.Lock()  (sched.lock)
//	   40                                              p.s.Npidle.Add(-1)  2 → 1
//	   41                                              Unlock  (sched.lock)
//	42-44                                              acquirep(…): pp.M nil → M2,
//	                                                     pp.Status 0 → 1
//	45-47                                              releasep(…): pp.M M2 → nil,
//	                                                     pp.Status 1 → 0
//	48-54                                              pidleput(…): locks sched.lock,
//	                                                     s.Npidle 1 → 2
//
//	2 preemptions; with fewer, nothing goes wrong
func (p idleMended) Pidleget(now int64) (*gmp.P, int64) {
	pp := p.s.Pidle.Get()
	if pp == nil {
		return nil, now
	}
	p.s.Lock.Unlock()
	if now == 0 {
		now = p.s.Nanotime()
	}
	p.s.Lock.Lock()
	p.s.Pidle.Set(pp.Link.Get())
	pp.Link.Set(nil)
	p.s.Npidle.Add(-1)
	return pp, now
}

// idleMet says which two steps met in Pidleget of idleMended.
func idleMet() check.Met {
	panic(gmp.TODO("idleMet"))
}

// gfreeHalf is how many dead Gs a P fetches when it has none.
const gfreeHalf = 32

// freeMended fetches dead Gs for a P that has none. The correct one goes on.
type freeMended struct {
	gmp.Freelists
	s *gmp.Sched
}

// Gfget may fetch more than there are.
//
//	data race:
//	  M1 reads all.N, and M0 writes it as s.GFree.N: neither waits for the other, so M1 may see the old value or the new one
//	  nothing orders the two: there is no lock that both hold, no wake-up, and no atomic variable through which M0 would learn that M1 has done this
//	  M1: all.N.Get() in Gfget, called by freeRace
//	  M0: s.GFree.N.Set(s.GFree.N.Get() + 1) in giveGs, called by Gfput, freeRace
//
//	       M0                    M1                    M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	                             all.N.Get() ◀
//	       ── M1 stands before its first step ──────────────────────────────────────────────────────────
//	    1  gp.Atomicstatus.Load()  = 6
//	    2  s.GFree.Lock.Lock()  (sched.gFree.lock)
//	       s.GFree.N.Set(s.GFree.N.Get() + 1) ◀
//
//	0 preemptions
func (p freeMended) Gfget(mp *gmp.M) *gmp.G {
	all, free := &p.s.GFree, &mp.P.Get().GFree
	if free.Get().Head == nil {
		n := min(all.N.Get(), gfreeHalf)
		all.Lock.Lock()
		for range n {
			free.Push(one(p.s))
		}
		all.Lock.Unlock()
		if n == 0 {
			return nil
		}
	}
	return p.Freelists.Gfget(mp)
}

// freeMet says which two steps met in Gfget of freeMended.
func freeMet() check.Met {
	panic(gmp.TODO("freeMet"))
}

// one takes a dead G off the shared list, if possible one with a stack. GFree.Lock is held.
// It is correct.
func one(s *gmp.Sched) *gmp.G {
	gp := s.GFree.Stack.Pop()
	if gp == nil {
		gp = s.GFree.NoStack.Pop()
	}
	s.GFree.N.Set(s.GFree.N.Get() - 1)
	return gp
}

// sudogMended gives sudogs away for a P that has too many. The correct one takes the new
// one.
type sudogMended struct {
	gmp.Sudogs
	s *gmp.Sched
}

// ReleaseSudog may link the shared list behind a sudog that is gone.
//
//	data race:
//	  M0 reads p.s.Sudogcache, and M1 writes it as s.Sudogcache: neither waits for the other, so M0 may see the old value or the new one
//	  nothing orders the two: there is no lock that both hold, no wake-up, and no atomic variable through which M1 would learn that M0 has done this
//	  M0: p.s.Sudogcache.Get() in ReleaseSudog, called by sudogRace
//	  M1: s.Sudogcache.Set(sg.Next.Get()) in AcquireSudog, called by sudogRace
//
//	       M0                    M1                    M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       p.s.Sudogcache.Get() ◀
//	       ── M0 stands before its first step ──────────────────────────────────────────────────────────
//	    1                        s.Sudoglock.Lock()  (sched.sudoglock)
//	                             s.Sudogcache.Set(sg.Next.Get()) ◀
//
//	0 preemptions
func (p sudogMended) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	if pp := mp.P.Get(); len(pp.Sudogcache.Get()) == cap(pp.Sudogcache.Get()) {
		first := p.s.Sudogcache.Get()
		for range cap(pp.Sudogcache.Get()) / 2 {
			last := last(pp)
			last.Next.Set(first)
			first = last
		}
		p.s.Sudoglock.Lock()
		p.s.Sudogcache.Set(first)
		p.s.Sudoglock.Unlock()
	}
	p.Sudogs.ReleaseSudog(mp, sg)
}

// sudogMet says which two steps met in ReleaseSudog of sudogMended.
func sudogMet() check.Met {
	panic(gmp.TODO("sudogMet"))
}

// last takes the last sudog out of the cache of pp. It is correct.
func last(pp *gmp.P) *gmp.Sudog {
	cache := pp.Sudogcache.Get()
	sg := cache[len(cache)-1]
	cache[len(cache)-1] = nil
	pp.Sudogcache.Set(cache[:len(cache)-1])
	return sg
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	base := solutions.Base("ch06")
	suite.Suite.TestMends(t, base, solutions.Mutants("ch06"), solutions.Mends("ch06"), map[string]check.Mending{
		"mend-idle": {Met: idleMet, Part: gmp.Version{Procs: func(s *gmp.Sched) gmp.Procs {
			return idleMended{base.Procs(s), s}
		}}},
		"mend-free": {Met: freeMet, Part: gmp.Version{Freelists: func(s *gmp.Sched) gmp.Freelists {
			return freeMended{base.Freelists(s), s}
		}}},
		"mend-sudog": {Met: sudogMet, Part: gmp.Version{Sudogs: func(s *gmp.Sched) gmp.Sudogs {
			return sudogMended{base.Sudogs(s), s}
		}}},
	})
}
