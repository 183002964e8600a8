package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
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

// matchMended gives Gs to idle Ms. When there are none left, the correct one goes
// on.
type matchMended struct {
	gmp.Matching
	s *gmp.Sched
}

// Matchmg wakes an M and gives it a G, and the M may find none.
//
//course:mend match-gives-late
func (p matchMended) Matchmg(mp *gmp.M) {
	s := p.s
	for s.Mcpu.Get() < s.Mcpumax.Get() && s.Runq.Get().Head != nil && s.Midle.Get() != nil {
		s.Mcpu.Set(s.Mcpu.Get() + 1)
		idle := s.Mget()
		idle.Nextg.Set(s.Globrunqget())
		idle.Park.Wakeup()
	}
	p.Matching.Matchmg(mp)
}

// matchMet says which two steps met in Matchmg of matchMended.
//
//course:exercise
func matchMet() check.Met {
	//course:lead Does an M that is woken need the lock to see what it was given?
	return check.Met{One: "idle.Nextg.Set(s.Globrunqget())", Other: "mp.Nextg.Get()"}
}

// nextMended lets an M go to sleep. If the M has a G, or there is one, the correct one
// goes on.
type nextMended struct {
	gmp.Matching
	s *gmp.Sched
}

// NextGAndUnlock loses count of the Ms that run.
//
//course:mend next-discounts-late
func (p nextMended) NextGAndUnlock(mp *gmp.M) *gmp.G {
	if mp.Nextg.Get() != nil || p.s.Runq.Get().Head != nil {
		return p.Matching.NextGAndUnlock(mp)
	}
	others := p.s.Mcpu.Get() - 1
	p.s.Mput(mp)
	p.s.Mcpu.Set(others)
	p.s.Lock.Unlock()
	p.s.MPark(mp)
	return given(p.s, mp)
}

// nextMet says which two steps met in NextGAndUnlock of nextMended.
//
//course:exercise
func nextMet() check.Met {
	//course:lead Two Ms go to sleep. What does each of them believe Mcpu to be?
	return check.Met{One: "p.s.Mcpu.Set(others)", Other: "p.s.Mcpu.Get()"}
}

// given takes the G that mp was given before it was woken. It is correct.
func given(s *gmp.Sched, mp *gmp.M) *gmp.G {
	gp := mp.Nextg.Get()
	mp.Nextg.Set(nil)
	if gp == nil {
		s.Throw("bad m->nextg in nextgoroutine")
	}
	return gp
}

// yieldMended lets a G yield.
type yieldMended struct {
	gmp.Submission
	s *gmp.Sched
}

// GoschedImpl touches a G that is no longer its own.
//
//course:mend yield-queues-first
func (p yieldMended) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}

// yieldMet says which two steps met in GoschedImpl of yieldMended.
//
//course:exercise
func yieldMet() check.Met {
	//course:lead From which step on may another M have the G?
	return check.Met{One: "mp.Curg.Get().M.Set(nil)", Other: "gp.M.Set(mp)"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	base := solutions.Base("ch05")
	suite.Suite.TestMends(t, base, solutions.Mutants("ch05"), solutions.Mends("ch05"), map[string]check.Mending{
		"mend-match": {Met: matchMet, Part: gmp.Version{Matching: func(s *gmp.Sched) gmp.Matching {
			return matchMended{base.Matching(s), s}
		}}},
		"mend-next": {Met: nextMet, Part: gmp.Version{Matching: func(s *gmp.Sched) gmp.Matching {
			return nextMended{base.Matching(s), s}
		}}},
		"mend-yield": {Met: yieldMet, Part: gmp.Version{Submission: func(s *gmp.Sched) gmp.Submission {
			return yieldMended{base.Submission(s), s}
		}}},
	})
}
