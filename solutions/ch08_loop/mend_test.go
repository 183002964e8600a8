package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here. Name each
//     by words that are in its row alone, in the function below:
//     check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.
//
// In two of them M0, which has P0, makes Gs, and goes on with others, while M1, which has P1,
// finds nothing and gives up.

// A correct part is that of the course; s is the scheduler.
type right struct {
	gmp.Submission
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Submission) gmp.Version {
	return gmp.Version{Submission: func(s *gmp.Sched) gmp.Submission {
		return mended(right{solutions.Base("ch08").Submission(s), s})
	}}
}

// readyMended makes a waiting G ready.
type readyMended struct{ right }

// Ready leaves Gs beside an idle P. The ring of P0 is full, so Gs overflow to the global
// queue.
//
//course:mend ready-wakes-first
func (p readyMended) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		s.Throw("bad g->status in ready")
	}
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	s.Runqput(mp.P.Get(), gp, next)
	s.Wakep(mp)
}

// readyMet says which two steps met in Ready of readyMended.
//
//course:exercise
func readyMet() check.Met {
	//course:lead Each of the two has looked, and found nothing to do. When did M0 look for an idle P, and when was P1 idle?
	return check.Met{One: "p.s.Npidle.Load() = 0", Other: "s.Npidle 0 → 1"}
}

// newprocMended starts a goroutine.
type newprocMended struct{ right }

// Newproc looks at a G that by then is a different goroutine.
//
//course:mend newproc-touches
func (p newprocMended) Newproc(mp *gmp.M, fn machine.Addr) {
	s := p.s
	callergp, callerpc := mp.Curg.Get(), machine.PC(0)
	if callergp != nil {
		callerpc = callergp.Sched.PC
	}
	gp := s.Newproc1(mp, fn, callergp, callerpc)
	first := gp.Goid.Get() == 1
	s.Runqput(mp.P.Get(), gp, true)
	if !first {
		s.Wakep(mp)
	}
}

// newprocMet says which two steps met in Newproc of newprocMended.
//
//course:exercise
func newprocMet() check.Met {
	//course:lead Whose is the G once it is on the queue?
	return check.Met{One: "gp.Goid.Get()", Other: "takes G2 off its queue"}
}

// yieldMended takes a G off its M, so that others run before it.
type yieldMended struct{ right }

// GoschedImpl leaves a G beside an idle P.
//
//course:mend yield-wakes-nobody
func (p yieldMended) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	s := p.s
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	s.Lock.Lock()
	s.Globrunqput(gp)
	s.Lock.Unlock()
	s.Wakep(mp)
	s.Schedule(mp)
}

// yieldMet says which two steps met in GoschedImpl of yieldMended.
//
//course:exercise
func yieldMet() check.Met {
	return check.Met{One: "s.Npidle 0 → 1", Other: "GoschedImpl(…)"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch08"), solutions.Mutants("ch08"), solutions.Mends("ch08"), map[string]check.Mending{
		"mend-ready":   {Part: with(func(r right) gmp.Submission { return readyMended{r} }), Met: readyMet},
		"mend-newproc": {Part: with(func(r right) gmp.Submission { return newprocMended{r} }), Met: newprocMet},
		"mend-yield":   {Part: with(func(r right) gmp.Submission { return yieldMended{r} }), Met: yieldMet},
	})
}
