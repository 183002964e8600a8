// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch18

package ch18_test

import (
	"testing"

	suite "gosched/chapters/ch18_whole"
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
	gmp.Masks
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Masks) gmp.Version {
	return gmp.Version{Masks: func(s *gmp.Sched) gmp.Masks {
		return mended(right{solutions.Base("ch18").Masks(s), s})
	}}
}

// maskMended keeps the masks of an idle P.
type maskMended struct{ right }

// MaskIdle lets a timer be forgotten. M0 sets one on P0, tells others, and gives P0 back.
//
//	violated check:
//	  in the end a timer is set, and no M waits for it
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  pp.M.Set(mp)  nil → M0
//	  2-3  timer(…): Timers.MinWhenHeap 0 → 2305843009213693951,
//	         Timers.Len 0 → 1
//	 4-10  wakenetpoller(…): s.Nmspinning 0 → 1, locks sched.lock,
//	         s.Needspinning 0 → 1, s.Nmspinning 1 → 0
//	   11  s.Lock.Lock()  (sched.lock)
//	   12  pp.M.Set(nil)  M0 → nil
//	13-15  Pidleput(…): m[id/maskBits] 3 → 2, m[id/maskBits] 0 → 1,
//	         s.Npidle 0 → 1
//	   16  s.Lock.Unlock()  (sched.lock)
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   17                                      pp.M.Set(mp)  nil → M1
//	18-50                                      schedule(…): s.Nmspinning 0 → 1,
//	                                             s.Needspinning 1 → 0, locks sched.lock,
//	                                             m[id/maskBits] 2 → 0, m[id/maskBits] 1 → 3,
//	                                             s.Npidle 1 → 2, s.Nmspinning 1 → 0 …
//
//	0 preemptions
func (p maskMended) MaskIdle(pp *gmp.P) {
	p.s.Timerpmask.Get().Clear(pp.ID)
	p.s.Idlepmask.Get().Set(pp.ID)
}

// maskMet says which two steps met in MaskIdle of maskMended.
func maskMet() check.Met {
	panic(gmp.TODO("maskMet"))
}

// busyMended keeps the masks of a P that is idle no more.
type busyMended struct{ right }

// MaskBusy leaves a G on a P that seems to be idle. M0 takes P0, and makes a G ready there.
//
//	violated check:
//	  a G was made ready, and no M came to run it: it waits for ever, beside an idle P
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  c.s.Lock.Lock()  (sched.lock)
//	    2  s.Npidle.Add(-1)  1 → 0
//	    3  m[id/maskBits].Or(1 << (id % maskBits))  2 → 3
//	    4  pp.Runq[i].Load()  = nil
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	    5                                      pp.M.Set(mp)  nil → M1
//	    6                                      pp.Preempt.Set(false)  0 → 0
//	 7-10                                      FindRunnable(…):
//	                                             sees s.Gcwaiting = 0, sees pp.RunSafePointFn = 0,
//	                                             sees GcController.BlackenEnabled = 0,
//	                                             sees s.Runqsize = 0
//	   11                                      f.Status.CompareAndSwap(…)
//	                                             fails, finds 0
//	   12                                      pp.Runq[i].Load()  = nil
//	13-15                                      FindRunnable(…): sees s.Npidle = 0
//	16-17                                      BecomeSpinning(…):
//	                                             s.Nmspinning 0 → 1, s.Needspinning 0 → 0
//	   18                                      pp.Runq[i].Load()  = nil
//	   19                                      c.BlackenEnabled.Load()  = 0
//	       ── M1 waits ─────────────────────────────────────────────────────────────────────────────────
//	   20  c.s.Lock.Unlock()  (sched.lock)
//	21-23  Acquirep(…): pp.M nil → M0, pp.Schedtick 0 → 1, pp.Syscalltick 0 → 1
//	24-27  locally(…): gp.Atomicstatus 4 → 1, pp.Runq[i] nil → G1,
//	         sees s.Nmspinning = 1
//	       ── M0 waits ─────────────────────────────────────────────────────────────────────────────────
//	28-30                                      FindRunnable(…): locks sched.lock
//	   31                                      pp.M.Set(nil)  M1 → nil
//	32-34                                      MaskIdle(…): m[id/maskBits] 3 → 1,
//	                                             m[id/maskBits] 3 → 3
//	   35                                      s.Npidle.Add(1)  0 → 1
//	   36                                      s.Lock.Unlock()  (sched.lock)
//	   37                                      p.s.Nmspinning.Add(-1)  1 → 0
//	38-39                                      recheck(…): locks sched.lock
//	40-41                                      BusyPs(…): sees m[id/maskBits] = 3
//	   42                                      s.GcController.BlackenEnabled.Load()
//	                                             = 0
//	43-44                                      TimerPs(…): sees m[id/maskBits] = 1
//	45-46                                      Stopm(…): locks sched.lock
//
//	1 preemption; with fewer, nothing goes wrong
func (p busyMended) MaskBusy(pp *gmp.P) {
	p.s.Timerpmask.Get().Set(pp.ID)
	if !p.s.Runqempty(pp) {
		p.s.Idlepmask.Get().Clear(pp.ID)
	}
}

// busyMet says which two steps met in MaskBusy of busyMended.
func busyMet() check.Met {
	panic(gmp.TODO("busyMet"))
}

// idleMended leaves the Ps with timers.
type idleMended struct{ right }

// TimerPs leaves out a P with a timer.
//
//	violated check:
//	  in the end a timer is set, and no M waits for it
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  pp.M.Set(mp)  nil → M0
//	  2-3  timer(…): Timers.MinWhenHeap 0 → 2305843009213693951,
//	         Timers.Len 0 → 1
//	 4-10  wakenetpoller(…): s.Nmspinning 0 → 1, locks sched.lock,
//	         s.Needspinning 0 → 1, s.Nmspinning 1 → 0
//	   11  s.Lock.Lock()  (sched.lock)
//	   12  pp.M.Set(nil)  M0 → nil
//	13-15  Pidleput(…): m[id/maskBits] 0 → 1, s.Npidle 0 → 1
//	   16  s.Lock.Unlock()  (sched.lock)
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   17                                      pp.M.Set(mp)  nil → M1
//	18-52                                      schedule(…): pp.Preempt 0 → 0,
//	                                             s.Nmspinning 0 → 1, s.Needspinning 1 → 0,
//	                                             locks sched.lock, pp.M M1 → nil, m[id/maskBits] 1 → 3,
//	                                             s.Npidle 1 → 2, s.Nmspinning 1 → 0 …
//
//	0 preemptions
func (p idleMended) TimerPs(allp []*gmp.P, timerpmask gmp.PMask) []*gmp.P {
	var may []*gmp.P
	for _, pp := range allp {
		if timerpmask.Read(pp.ID) && !p.s.Idlepmask.Get().Read(pp.ID) {
			may = append(may, pp)
		}
	}
	return may
}

// idleMet says which two steps met in TimerPs of idleMended.
func idleMet() check.Met {
	panic(gmp.TODO("idleMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch18"), solutions.Mutants("ch18"), solutions.Mends("ch18"), map[string]check.Mending{
		"mend-mask": {Part: with(func(r right) gmp.Masks { return maskMended{r} }), Met: maskMet},
		"mend-busy": {Part: with(func(r right) gmp.Masks { return busyMended{r} }), Met: busyMet},
		"mend-idle": {Part: with(func(r right) gmp.Masks { return idleMended{r} }), Met: idleMet},
	})
}
