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
//course:mend idle-gives-way
func (p idleMended) Pidleget(now int64) (*gmp.P, int64) {
	pp := p.s.Pidle.Get()
	if pp == nil {
		return nil, now
	}
	if now == 0 {
		now = p.s.Nanotime()
	}
	p.s.Pidle.Set(pp.Link.Get())
	pp.Link.Set(nil)
	p.s.Npidle.Add(-1)
	return pp, now
}

// idleMet says which two steps met in Pidleget of idleMended.
//
//course:exercise
func idleMet() check.Met {
	//course:lead Which P is the first on the list when M2 looks, and which is the first when M2 takes one off?
	return check.Met{One: "p.s.Lock.Unlock()", Other: "32-38"}
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
//course:mend free-looks-early
func (p freeMended) Gfget(mp *gmp.M) *gmp.G {
	all, free := &p.s.GFree, &mp.P.Get().GFree
	if free.Get().Head == nil {
		all.Lock.Lock()
		n := min(all.N.Get(), gfreeHalf)
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
//
//course:exercise
func freeMet() check.Met {
	//course:lead Until when is what was counted true?
	return check.Met{One: "all.N.Get()", Other: "s.GFree.N.Set(s.GFree.N.Get() + 1)"}
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
//course:mend sudog-links-early
func (p sudogMended) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	if pp := mp.P.Get(); len(pp.Sudogcache.Get()) == cap(pp.Sudogcache.Get()) {
		p.s.Sudoglock.Lock()
		first := p.s.Sudogcache.Get()
		for range cap(pp.Sudogcache.Get()) / 2 {
			last := last(pp)
			last.Next.Set(first)
			first = last
		}
		p.s.Sudogcache.Set(first)
		p.s.Sudoglock.Unlock()
	}
	p.Sudogs.ReleaseSudog(mp, sg)
}

// sudogMet says which two steps met in ReleaseSudog of sudogMended.
//
//course:exercise
func sudogMet() check.Met {
	//course:lead Where does the Next of the last sudog given away lead, if other Ms have been there in between?
	return check.Met{One: "p.s.Sudogcache.Get()", Other: "s.Sudogcache.Set(sg.Next.Get())"}
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
