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
//course:mend sleep-sets-first
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
	s.Gopark(mp, gp, func(gp *gmp.G, _ any) bool {
		s.ModTimer(mp, gp.Timer.Get(), when, 0)
		return true
	}, nil, gmp.WaitReasonSleep)
}

// sleepMet says which two steps met in TimeSleep of sleepMended.
//
//course:exercise
func sleepMet() check.Met {
	//course:lead Both Ms write to the same field of G1.
	return check.Met{One: "mp.Curg.Get().M.Set(nil)", Other: "gp.M.Set(mp)"}
}

// takeMended moves the timers of a P that goes away.
type takeMended struct{ rightHeap }

// TakeTimers has timers in neither list for a while.
//
//course:mend take-empties-first
func (p takeMended) TakeTimers(ts, src *gmp.TimerList) {
	heap := src.Heap.Get()
	src.Heap.Set(nil)
	src.Zombies.Store(0)
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
	src.Len.Store(0)
	src.MinWhenHeap.Store(0)
	src.MinWhenModified.Store(0)
}

// takeMet says which two steps met in TakeTimers of takeMended.
//
//course:exercise
func takeMet() check.Met {
	//course:lead M2 finds 0. Who has written that, and who has read it?
	return check.Met{One: "src.MinWhenHeap 20 → 0", Other: "sees ts.MinWhenHeap = 0"}
}

// addMended adds a timer to a heap.
type addMended struct{ rightHeap }

// MaybeAdd adds a timer that is in a heap.
//
//course:mend add-looks-once
func (p addMended) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	s := p.s
	ts := &mp.P.Get().Timers
	ts.Lock()
	s.CleanHead(mp, ts)
	t.Lock()
	needed := t.State.Get()&gmp.TimerHeaped == 0 && t.When.Get() > 0 && (t.C == nil || t.Blocked.Get() > 0)
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
//
//course:exercise
func addMet() check.Met {
	//course:lead When M0 looks at the timer's state it is in no heap, and M0 has its lock. Which row of M0 lets others change that, and which row of the other M does?
	return check.Met{One: "t.Unlock()", Other: "ModTimer("}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch15"), solutions.Mutants("ch15"), solutions.Mends("ch15"), map[string]check.Mending{
		"mend-sleep": {Part: with(func(r right) gmp.Timers { return sleepMended{r} }), Met: sleepMet},
		"mend-take":  {Part: withHeap(func(r rightHeap) gmp.TimerHeap { return takeMended{r} }), Met: takeMet},
		"mend-add":   {Part: withHeap(func(r rightHeap) gmp.TimerHeap { return addMended{r} }), Met: addMet},
	})
}
