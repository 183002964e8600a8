package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
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

// A correct part is that of the course; s is the scheduler.
type right struct {
	gmp.Signals
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Signals) gmp.Version {
	return gmp.Version{Signals: func(s *gmp.Sched) gmp.Signals {
		return mended(right{solutions.Base("ch14").Signals(s), s})
	}}
}

// answerMended answers a signal.
type answerMended struct{ right }

// DoSigPreempt lets somebody wait for ever.
//
//course:mend answer-generation-first
func (p answerMended) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	s := p.s
	stop := s.WantAsyncPreempt(gp) && s.IsAsyncSafePoint(gp, gp.Sched.At())
	mp.SignalPending.Store(0)
	mp.PreemptGen.Add(1)
	if stop {
		s.Asyncpreempt2(mp, gp)
	}
}

// answerMet says which two steps met in DoSigPreempt of answerMended.
//
//course:exercise
func answerMet() check.Met {
	//course:lead The suspender sends nothing, since it has found something. What was it, and who took it away afterwards?
	return check.Met{One: "mp.SignalPending.Store(0)", Other: "fails, finds 1"}
}

// parkMended stops a G for whoever suspends it.
type parkMended struct{ right }

// PreemptPark lets go of a G that is no longer its own.
//
//course:mend park-drops-late
func (p parkMended) PreemptPark(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("bad g status")
	}
	s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	s.Dropg(mp)
	s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	s.Schedule(mp)
}

// parkMet says which two steps met in PreemptPark of parkMended.
//
//course:exercise
func parkMet() check.Met {
	//course:lead Both Ms write to the same field of G1.
	return check.Met{One: "mp.Curg.Get().M.Set(nil)", Other: "gp.M.Set(mp)"}
}

// sendMended sends a signal.
type sendMended struct{ right }

// PreemptM sends a signal while another one is under way.
//
//course:mend send-looks
func (p sendMended) PreemptM(mp, target *gmp.M) {
	if !p.s.AsyncPreemptOff() && target.SignalPending.CompareAndSwap(0, 1) {
		target.Thread.Signal.Send()
	}
}

// sendMet says which two steps met in PreemptM of sendMended.
//
//course:exercise
func sendMet() check.Met {
	//course:lead Two Ms have written 1. Which of them had no reason to any more?
	return check.Met{One: "target.SignalPending.Store(1)", Other: "target.SignalPending 0 → 1"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch14"), solutions.Mutants("ch14"), solutions.Mends("ch14"), map[string]check.Mending{
		"mend-answer": {Part: with(func(r right) gmp.Signals { return answerMended{r} }), Met: answerMet},
		"mend-park":   {Part: with(func(r right) gmp.Signals { return parkMended{r} }), Met: parkMet},
		"mend-send":   {Part: with(func(r right) gmp.Signals { return sendMended{r} }), Met: sendMet},
	})
}
