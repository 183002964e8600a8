// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch14

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
//	violated check:
//	  G1 was asked to stop and runs on; M0.PreemptGen is 1, as the suspender has seen it before it called PreemptM, and no signal is on its way to M0: the suspender waits for an answer that will never come
//
//	       M0                                  suspender
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  mp.Thread.Signal.Clear()  1 → 0
//	    2  gp.Preempt.Get()  = 0
//	    3  pp.Preempt.Get()  = 0
//	    4  mp.PreemptGen.Add(1)  0 → 1
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	    5                                      gp.Preempt.Set(true)  0 → 1
//	    6                                      Sched.Guard.Store(…)  63552 → -1314
//	    7                                      m0.PreemptGen.Load()  = 1
//	    8                                      CompareAndSwap(…)  fails, finds 1
//	       ── suspender ends ───────────────────────────────────────────────────────────────────────────
//	    9  mp.SignalPending.Store(0)  1 → 0
//	10-17  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G1 → nil, gp.Preempt 1 → 0,
//	         gp.PreemptStop 0 → 0, locks sched.sudoglock
//
//	1 preemption; with fewer, nothing goes wrong
func (p answerMended) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	s := p.s
	stop := s.WantAsyncPreempt(gp) && s.IsAsyncSafePoint(gp, gp.Sched.At())
	mp.PreemptGen.Add(1)
	mp.SignalPending.Store(0)
	if stop {
		s.Asyncpreempt2(mp, gp)
	}
}

// answerMet says which two steps met in DoSigPreempt of answerMended.
func answerMet() check.Met {
	panic(gmp.TODO("answerMet"))
}

// parkMended stops a G for whoever suspends it.
type parkMended struct{ right }

// PreemptPark lets go of a G that is no longer its own.
//
//	data race:
//	  M0 writes mp.Curg.Get().M, and M2 writes it as gp.M: neither waits for the other, so either value may be the one that remains
//	  nothing orders the two: there is no lock that both hold, no wake-up, and no atomic variable through which M2 would learn that M0 has done this
//	  M0: mp.Curg.Get().M.Set(nil) in PreemptPark, called by racePark, mstart, Go
//	  M2: gp.M.Set(mp) in Execute, called by Execute, atOnce
//
//	       M0            suspender     looks         M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  gp.Atomicstatus.Load()  = 2
//	    2  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 4105
//	    3  gp.Atomicstatus.CompareAndSwap(oldval, newval)  4105 → 9
//	       mp.Curg.Get().M.Set(nil) ◀
//	    4  mp.Curg.Set(nil)  G1 → nil
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	  5-6                CasGFromPreempted(…): gp.Atomicstatus 9 → 4100,
//	                       gp.Atomicstatus 4100 → 4
//	    7                g1.PreemptStop.Set(true)  1 → 1
//	 8-11                Ready(…): gp.Atomicstatus 4 → 1, pp.M nil → M2,
//	                       pp.Status 0 → 1
//	       ── suspender ends ───────────────────────────────────────────────────────────────────────────
//	   12                              gp.Atomicstatus.CompareAndSwap(…)
//	                                     fails, finds 1
//	       ── looks ends ───────────────────────────────────────────────────────────────────────────────
//	   13                                            gp.Preempt.Set(false)  0 → 0
//	   14                                            gp.Sched.Guard.Store(…)
//	                                                   63552 → 63552
//	   15                                            mp.Curg.Set(gp)  nil → G1
//	                                                 gp.M.Set(mp) ◀
//
//	0 preemptions
func (p parkMended) PreemptPark(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("bad g status")
	}
	s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	s.Dropg(mp)
	s.Schedule(mp)
}

// parkMet says which two steps met in PreemptPark of parkMended.
func parkMet() check.Met {
	panic(gmp.TODO("parkMet"))
}

// sendMended sends a signal.
type sendMended struct{ right }

// PreemptM sends a signal while another one is under way.
//
//	violated check:
//	  M0.SignalPending says false, and whether a signal is on its way to M0 is true: from now on M0 gets none, or two at a time
//
//	       M0            monitor       another M     M3
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1                gp.Preempt.Set(true)  0 → 1
//	    2                gp.Sched.Guard.Store(machine.StackPreempt)  63552 → -1314
//	    3                target.SignalPending.Load()  = 0
//	       ── monitor is preempted ─────────────────────────────────────────────────────────────────────
//	  4-7                              PreemptM(…): target.SignalPending 0 → 1,
//	                                     target.Thread.Signal.Send()
//	       ── another M ends ───────────────────────────────────────────────────────────────────────────
//	    8  mp.Thread.Signal.Clear()  1 → 0
//	    9  gp.Preempt.Get()  = 1
//	   10  gp.Atomicstatus.Load()  = 2
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	   11                target.SignalPending.Store(1)  1 → 1
//	12-13                target.Thread.Signal.Send()
//	       ── monitor ends ─────────────────────────────────────────────────────────────────────────────
//	   14  mp.SignalPending.Store(0)  1 → 0
//	   15  mp.PreemptGen.Add(1)  0 → 1
//	   16  gp.PreemptStop.Get()  = 0
//	   17  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 1
//	   18  mp.Curg.Set(nil)  G1 → nil
//	   19  pp.M.Set(mp)  nil → M3
//	   20  pp.Status.Store(gmp.Prunning)  0 → 1
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   21                                            gp.Preempt.Set(false)  1 → 0
//	   22                                            gp.Sched.Guard.Store(…)
//	                                                   -1314 → 63552
//	   23                                            mp.Curg.Set(gp)  nil → G1
//	   24                                            CompareAndSwap(…)  1 → 2
//	25-32                                            G1 goes on · the G ends, and becomes another:
//	                                                   gp.Atomicstatus 2 → 6, mp.Curg G1 → nil,
//	                                                   gp.Preempt 0 → 0, gp.PreemptStop 0 → 0,
//	                                                   locks sched.sudoglock
//
//	2 preemptions; with fewer, nothing goes wrong
func (p sendMended) PreemptM(mp, target *gmp.M) {
	if !p.s.AsyncPreemptOff() && target.SignalPending.Load() == 0 {
		target.SignalPending.Store(1)
		target.Thread.Signal.Send()
	}
}

// sendMet says which two steps met in PreemptM of sendMended.
func sendMet() check.Met {
	panic(gmp.TODO("sendMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch14"), solutions.Mutants("ch14"), solutions.Mends("ch14"), map[string]check.Mending{
		"mend-answer": {Part: with(func(r right) gmp.Signals { return answerMended{r} }), Met: answerMet},
		"mend-park":   {Part: with(func(r right) gmp.Signals { return parkMended{r} }), Met: parkMet},
		"mend-send":   {Part: with(func(r right) gmp.Signals { return sendMended{r} }), Met: sendMet},
	})
}
