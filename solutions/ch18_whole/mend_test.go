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
//course:mend idle-without-timers
func (p maskMended) MaskIdle(pp *gmp.P) {
	if pp.Timers.Len.Load() == 0 {
		p.s.Timerpmask.Get().Clear(pp.ID)
	}
	p.s.Idlepmask.Get().Set(pp.ID)
}

// maskMet says which two steps met in MaskIdle of maskMended.
//
//course:exercise
func maskMet() check.Met {
	//course:lead M1 looks at the timers of those Ps that may have some. Which step says that P0 has none?
	return check.Met{One: "m[id/maskBits] 3 → 2", Other: "schedule(…)"}
}

// busyMended keeps the masks of a P that is idle no more.
type busyMended struct{ right }

// MaskBusy leaves a G on a P that seems to be idle. M0 takes P0, and makes a G ready there.
//
//course:mend busy-when-it-has-work
func (p busyMended) MaskBusy(pp *gmp.P) {
	p.s.Timerpmask.Get().Set(pp.ID)
	p.s.Idlepmask.Get().Clear(pp.ID)
}

// busyMet says which two steps met in MaskBusy of busyMended.
//
//course:exercise
func busyMet() check.Met {
	//course:lead On which M has M0 relied, and by which look? And when does that M look past P0?
	return check.Met{One: "sees s.Nmspinning = 1", Other: "BusyPs(…)"}
}

// idleMended leaves the Ps with timers.
type idleMended struct{ right }

// TimerPs leaves out a P with a timer.
//
//course:mend timers-of-busy
func (p idleMended) TimerPs(allp []*gmp.P, timerpmask gmp.PMask) []*gmp.P {
	var may []*gmp.P
	for _, pp := range allp {
		if timerpmask.Read(pp.ID) {
			may = append(may, pp)
		}
	}
	return may
}

// idleMet says which two steps met in TimerPs of idleMended.
//
//course:exercise
func idleMet() check.Met {
	//course:lead Which step of M0 makes TimerPs leave out P0?
	return check.Met{One: "Pidleput(…)", Other: "schedule(…)"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch18"), solutions.Mutants("ch18"), solutions.Mends("ch18"), map[string]check.Mending{
		"mend-mask": {Part: with(func(r right) gmp.Masks { return maskMended{r} }), Met: maskMet},
		"mend-busy": {Part: with(func(r right) gmp.Masks { return busyMended{r} }), Met: busyMet},
		"mend-idle": {Part: with(func(r right) gmp.Masks { return idleMended{r} }), Met: idleMet},
	})
}
