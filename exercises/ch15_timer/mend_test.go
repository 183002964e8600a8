// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch15

package ch15_test

import (
	"testing"

	suite "gosched/chapters/ch15_timer"
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
type (
	right struct {
		gmp.Timers
		s *gmp.Sched
	}
	rightHeap struct {
		gmp.TimerHeap
		s *gmp.Sched
	}
)

// with and withHeap are the parts of the course with some methods replaced.
func with(mended func(right) gmp.Timers) gmp.Version {
	return gmp.Version{Timers: func(s *gmp.Sched) gmp.Timers {
		return mended(right{solutions.Base("ch15").Timers(s), s})
	}}
}

func withHeap(mended func(rightHeap) gmp.TimerHeap) gmp.Version {
	return gmp.Version{TimerHeap: func(s *gmp.Sched) gmp.TimerHeap {
		return mended(rightHeap{solutions.Base("ch15").TimerHeap(s), s})
	}}
}

// sleepMended lets a G sleep.
type sleepMended struct{ right }

// TimeSleep is over before it has begun.
//
//	data race:
//	  M2 writes mp.Curg.Get().M, and M3 writes it as gp.M: neither waits for the other, so either value may be the one that remains
//	  nothing orders the two: there is no lock that both hold, no wake-up, and no atomic variable through which M3 would learn that M2 has done this
//	  M2: mp.Curg.Get().M.Set(nil) in Gopark, called by TimeSleep, raceNap, mstart, Go
//	  M3: gp.M.Set(mp) in Execute, called by atOnce
//
//	       M2                    M1                    M3
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  s.Nanotime()
//	    2  t.Lock()  (timer.lock)
//	    3  t.Astate.Store(t.State.Get())  0 → 0
//	    4  t.Unlock()  (timer.lock)
//	    5  ts.Lock()
//	    6  t.Lock()  (timer.lock)
//	    7  ts.MinWhenModified.Load()  = 0
//	    8  ts.MinWhenHeap.Load()  = 0
//	    9  ts.MinWhenHeap.Store(heap[0].When)  0 → 1
//	   10  t.Astate.Store(t.State.Get())  0 → 1
//	   11  t.Unlock()  (timer.lock)
//	   12  ts.Len.Store(uint32(len(ts.Heap.Get())))  0 → 1
//	   13  ts.Unlock()
//	   14  s.Lastpoll.Load()  = 0
//	   15  s.PollUntil.Load()  = 0
//	   16  e.broken.CompareAndSwap(false, true)  0 → 1
//	   17  e.note.Wakeup()
//	   18  gp.Atomicstatus.Load()  = 2
//	   19  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 4
//	       mp.Curg.Get().M.Set(nil) ◀
//	   20  mp.Curg.Set(nil)  G1 → nil
//	       ── M2 ends ──────────────────────────────────────────────────────────────────────────────────
//	21-43                        CheckTimers(…): locks ts, locks timer.lock,
//	                               Ts.Zombies 0 → 1, ts.Zombies 1 → 0, ts.MinWhenHeap 1 → 0,
//	                               ts.MinWhenModified 0 → 0, t.Astate 1 → 0, ts.Len 1 → 0,
//	                               gp.Atomicstatus 4 → 1, pp.M nil → M3, pp.Status 0 → 1, ts.Len 0 → 0
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	   44                                              mp.Curg.Set(…)  nil → G1
//	                                                   gp.M.Set(mp) ◀
//
//	0 preemptions
func (p sleepMended) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	if ns <= 0 {
		return
	}
	s := p.s
	if gp.Timer.Get() == nil {
		gp.Timer.Set(s.NewTimer(gmp.GoroutineReady, gp))
	}
	when := s.Nanotime() + ns
	if when < 0 {
		when = gmp.MaxWhen
	}
	s.ModTimer(mp, gp.Timer.Get(), when, 0)
	s.Gopark(mp, gp, nil, nil, gmp.WaitReasonSleep)
}

// sleepMet says which two steps met in TimeSleep of sleepMended.
func sleepMet() check.Met {
	panic(gmp.TODO("sleepMet"))
}

// takeMended moves the timers of a P that goes away.
type takeMended struct{ rightHeap }

// TakeTimers has timers in neither list for a while.
//
//	violated check:
//	  a timer is due at 20, and M2, which looks at P1 and then at P0, finds 0
//
//	       M0                                  M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-4  TakeTimers(…): src.Zombies 0 → 0, src.Len 2 → 0,
//	         src.MinWhenHeap 20 → 0, src.MinWhenModified 0 → 0
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	  5-6                                      CheckTimersNoP(…):
//	                                             sees ts.MinWhenModified = 0, sees ts.MinWhenHeap = 0
//	  7-8                                      CheckTimersNoP(…):
//	                                             sees ts.MinWhenModified = 0, sees ts.MinWhenHeap = 0
//
//	1 preemption; with fewer, nothing goes wrong
func (p takeMended) TakeTimers(ts, src *gmp.TimerList) {
	heap := src.Heap.Get()
	src.Heap.Set(nil)
	src.Zombies.Store(0)
	src.Len.Store(0)
	src.MinWhenHeap.Store(0)
	src.MinWhenModified.Store(0)
	for _, tw := range heap {
		t := tw.Timer
		t.Ts.Set(nil)
		if t.State.Get()&gmp.TimerZombie != 0 {
			t.State.Set(0)
		} else {
			t.State.Set(gmp.TimerHeaped)
			p.s.AddHeap(ts, t)
		}
		t.Astate.Store(t.State.Get())
	}
	ts.Len.Store(uint32(len(ts.Heap.Get())))
}

// takeMet says which two steps met in TakeTimers of takeMended.
func takeMet() check.Met {
	panic(gmp.TODO("takeMet"))
}

// addMended adds a timer to a heap.
type addMended struct{ rightHeap }

// MaybeAdd adds a timer that is in a heap.
//
//	panic:
//	  M0: fatal error: ts set in timer
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  t.Lock()  (timer.lock)
//	    2  t.Astate.Store(t.State.Get())  0 → 0
//	    3  t.Unlock()  (timer.lock)
//	    4  t.Lock()  (timer.lock)
//	    5  t.Astate.Store(t.State.Get())  0 → 0
//	    6  t.Unlock()  (timer.lock)
//	    7  ts.Lock()
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	 8-26                                      ModTimer(…): locks timer.lock,
//	                                             t.Astate 0 → 0, locks ts, ts.MinWhenHeap 0 → 50,
//	                                             t.Astate 0 → 1, ts.Len 0 → 1, e.broken 0 → 1,
//	                                             e.note.Wakeup()
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	   27  t.Lock()  (timer.lock)
//	   28  ts.MinWhenModified.Load()  = 0
//	   29  ts.MinWhenHeap.Load()  = 0
//	       panics ◀
//
//	1 preemption; with fewer, nothing goes wrong
func (p addMended) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	s := p.s
	t.Lock()
	needed := t.State.Get()&gmp.TimerHeaped == 0 && t.When.Get() > 0 && (t.C == nil || t.Blocked.Get() > 0)
	t.Unlock()
	ts := &mp.P.Get().Timers
	ts.Lock()
	s.CleanHead(mp, ts)
	t.Lock()
	when, wake := int64(0), false
	if needed {
		when = t.When.Get()
		first := ts.WakeTime()
		wake = first == 0 || when < first
		t.State.Set(gmp.TimerHeaped)
		s.AddHeap(ts, t)
	}
	t.Unlock()
	ts.Unlock()
	if wake {
		s.Wakenetpoller(mp, when)
	}
}

// addMet says which two steps met in MaybeAdd of addMended.
func addMet() check.Met {
	panic(gmp.TODO("addMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch15"), solutions.Mutants("ch15"), solutions.Mends("ch15"), map[string]check.Mending{
		"mend-sleep": {Part: with(func(r right) gmp.Timers { return sleepMended{r} }), Met: sleepMet},
		"mend-take":  {Part: withHeap(func(r rightHeap) gmp.TimerHeap { return takeMended{r} }), Met: takeMet},
		"mend-add":   {Part: withHeap(func(r rightHeap) gmp.TimerHeap { return addMended{r} }), Met: addMet},
	})
}
