package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
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
type right struct {
	gmp.NetPoller
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.NetPoller) gmp.Version {
	return gmp.Version{NetPoller: func(s *gmp.Sched) gmp.NetPoller {
		return mended(right{solutions.Base("ch16").NetPoller(s), s})
	}}
}

// closeMended closes a descriptor.
type closeMended struct{ right }

// PollUnblock is slept past.
//
//course:mend close-wakes-first
func (p closeMended) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	s := p.s
	pd.Lock.Lock()
	if pd.Closing.Get() {
		s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	pd.PublishInfo()
	pd.Lock.Unlock()
	for _, mode := range [2]int{'r', 'w'} {
		if gp := s.Netpollunblock(pd, mode, false); gp != nil {
			s.Goready(mp, gp)
		}
	}
	s.SetDeadlineTimer(mp, pd, 'r')
	s.SetDeadlineTimer(mp, pd, 'w')
}

// closeMet says which two steps met in PollUnblock of closeMended.
//
//course:exercise
func closeMet() check.Met {
	//course:lead G1 looks at PollInfo and sleeps. Which row of the other thread should have come before that?
	return check.Met{One: "pd.PollInfo.Store(was ^ bit)", Other: "half PdWait → G1"}
}

// doneMended ends a wait.
type doneMended struct{ right }

// NetpollblockDone forgets an event.
//
//course:mend done-two-steps
func (p doneMended) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	p.s.NetpollAdjustWaiters(-1)
	half := pd.Half(mode)
	was := half.Swap(nil)
	if was != nil && was != gmp.PdReady && was != gmp.PdWait {
		p.s.Throw("runtime: corrupted polldesc")
	}
	return was == gmp.PdReady
}

// doneMet says which two steps met in NetpollblockDone of doneMended.
//
//course:exercise
func doneMet() check.Met {
	//course:lead PdReady stands in the half for a moment.
	return check.Met{One: "half.Store(nil)", Other: "nil → PdReady"}
}

// injectMended makes Gs runnable.
type injectMended struct{ right }

// Injectglist leaves a G beside an idle P.
//
//course:mend inject-forgets-idle
func (p injectMended) Injectglist(mp *gmp.M, list gmp.GList) {
	if list.Head == nil {
		return
	}
	s := p.s
	pp, idle := mp.P.Get(), s.Npidle.Load()
	var global, local gmp.GQueue
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		if pp == nil || global.Size < idle {
			global.PushBack(gp)
		} else {
			local.PushBack(gp)
		}
	}
	if pp != nil {
		rest := s.Runqputbatch(pp, local)
		for gp := rest.Pop(); gp != nil; gp = rest.Pop() {
			global.PushBack(gp)
		}
	}
	if n := global.Size; n > 0 {
		s.Lock.Lock()
		s.Globrunqputbatch(global)
		for ; n > 0; n-- {
			idle, _ := s.PidlegetSpinning(mp, 0)
			if idle == nil {
				break
			}
			s.Startm(mp, idle, false, true)
		}
		s.Lock.Unlock()
	}
	if pp != nil {
		s.Wakep(mp)
	}
}

// injectMet says which two steps met in Injectglist of injectMended.
//
//course:exercise
func injectMet() check.Met {
	//course:lead Both are about the number of idle Ps.
	return check.Met{One: "sees s.Npidle = 0", Other: "s.Npidle 0 → 1"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch16"), solutions.Mutants("ch16"), solutions.Mends("ch16"), map[string]check.Mending{
		"mend-close":  {Part: with(func(r right) gmp.NetPoller { return closeMended{r} }), Met: closeMet},
		"mend-done":   {Part: with(func(r right) gmp.NetPoller { return doneMended{r} }), Met: doneMet},
		"mend-inject": {Part: with(func(r right) gmp.NetPoller { return injectMended{r} }), Met: injectMet},
	})
}
