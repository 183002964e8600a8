package ch10_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
	ch10 "gosched/solutions/ch10_spin"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch10"), map[string]gmp.Version{
		"stages": ch10.Stages, "careful": careful, "one-lock": oneLock,
		"twice": twice, "staged": staged, "takes-first": takesFirst, "swaps": swaps,
		"all-otherwise": staged.With(swaps),
	})
}

// TestBefore117 proves what the book says about golang/go#45867: as long as everybody looked
// once more, there was nothing to be mended by Needspinning.
func TestBefore117(t *testing.T) {
	var without gmp.Version
	for _, m := range ch10.Mutants {
		if m.Name == "45867" {
			without = m.Parts
		}
	}
	v := solutions.Base("ch10").With(careful).With(without)
	for _, name := range []string{"race-submit", "race-network"} {
		out := suite.Suite.Run(suite.Suite.Check(name), v)
		assert.Equal(t, check.Pass, out.Status, out.Message)
		assert.Contains(t, out.Evidence, "exhaustive: ", name)
	}
}

// TestSleepers proves what the book says about the Ms of chapters 8 and 9, which do not
// spin: a G can wait beside an idle P.
func TestSleepers(t *testing.T) {
	finder, ok := solutions.Form("ch08")
	require.True(t, ok)
	v := solutions.Base("ch10").With(finder.Only("Finder")).With(ch10.Given)
	out := suite.Suite.Run(suite.Suite.Check("race-submit"), v)
	assert.Equal(t, check.Fail, out.Status)
	assert.Contains(t, out.Message, "beside an idle P")
}

// careful looks at everything once more whoever gives up, as the runtime did through Go 1.16,
// and is counted no more before its P is on the list.
var careful = gmp.Version{
	Finder: func(s *gmp.Sched) gmp.Finder { return &everybodyLooks{s} },
}

type everybodyLooks struct{ s *gmp.Sched }

func (p *everybodyLooks) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
top:
	if s.Exited() {
		return nil, false, false
	}
	if s.Gcwaiting.Load() {
		s.Gcstopm(mp)
		goto top
	}
	now, until, _ := s.CheckTimers(mp, mp.P.Get(), 0)
	if gp, inheritTime = s.Nearby(mp); gp != nil {
		return gp, inheritTime, false
	}
	if mp.Spinning.Get() || s.Nmspinning.Load() < (s.Gomaxprocs.Get()-s.Npidle.Load()+1)/2 {
		if !mp.Spinning.Get() {
			s.BecomeSpinning(mp)
		}
		var w int64
		var again bool
		if gp, inheritTime, now, w, again = s.StealWork(mp, now); gp != nil {
			return gp, inheritTime, false
		}
		if again {
			goto top
		}
		until = sooner(until, w)
	}
	s.Lock.Lock()
	stay := s.Gcwaiting.Load() || !mp.Spinning.Get() && s.Needspinning.Load()
	if !stay {
		gp = s.Globrunqgetlocal(mp.P.Get())
	}
	if stay || gp != nil {
		s.Lock.Unlock()
		if gp != nil {
			return gp, false, false
		}
		if !s.Gcwaiting.Load() {
			s.BecomeSpinning(mp)
		}
		goto top
	}
	spun := mp.Spinning.Get()
	if spun {
		mp.Spinning.Set(false)
		s.Nmspinning.Add(-1)
	}
	all := s.Allp.Get() // without a P mp could not be sure of it
	s.Pidleput(s.Releasep(mp), now)
	s.Lock.Unlock()
	if p.again(mp, all) {
		goto top
	}
	until = s.CheckTimersNoP(mp, all, until)
	if until != 0 || s.NetpollAnyWaiters() {
		if list, polled := s.Netpolluntil(mp, until, 0); polled {
			empty := list.Head == nil
			if p.takeP(mp) {
				s.Injectglist(mp, list)
				if spun && empty {
					s.BecomeSpinning(mp)
				}
				goto top
			}
			s.Injectglist(mp, list)
		}
	}
	s.Stopm(mp)
	goto top
}

// again reports whether there is work, and a P for it, which mp has then.
func (p *everybodyLooks) again(mp *gmp.M, all []*gmp.P) bool {
	s := p.s
	s.Lock.Lock()
	global := s.Runq.Get().Head != nil
	var pp *gmp.P
	if global {
		pp, _ = s.PidlegetSpinning(mp, 0)
	}
	s.Lock.Unlock()
	if pp == nil {
		pp = s.CheckRunqsNoP(mp, all)
	}
	if pp == nil {
		return false
	}
	s.Acquirep(mp, pp)
	s.BecomeSpinning(mp)
	return true
}

// takeP gives mp an idle P, if there is one.
func (p *everybodyLooks) takeP(mp *gmp.M) bool {
	p.s.Lock.Lock()
	pp, _ := p.s.Pidleget(0)
	p.s.Lock.Unlock()
	if pp != nil {
		p.s.Acquirep(mp, pp)
	}
	return pp != nil
}

// sooner is the earlier one of two times, of which 0 is none.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// oneLock takes the lock once to wake somebody, uses defer, wakes nobody when another
// one still spins, and takes what it needs before it looks whether it may.
var oneLock = gmp.Version{
	Wakeups: func(s *gmp.Sched) gmp.Wakeups { return &brisk{s} },
}

type brisk struct{ s *gmp.Sched }

func (p *brisk) Wakep(mp *gmp.M) {
	s := p.s
	if !s.Nmspinning.CompareAndSwap(0, 1) {
		return
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if pp, _ := s.PidlegetSpinning(mp, 0); pp != nil {
		s.Startm(mp, pp, true, true)
		return
	}
	s.Nmspinning.Add(-1)
}

func (p *brisk) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	s := p.s
	if !lockheld {
		s.Lock.Lock()
		defer s.Lock.Unlock()
	}
	if pp == nil && spinning {
		s.Throw("startm: P required for spinning=true")
	}
	if pp == nil {
		pp, _ = s.Pidleget(0)
	}
	if pp == nil {
		return
	}
	idle := s.Mget()
	if idle == nil {
		id := s.MReserveID()
		s.Lock.Unlock()
		s.Newm(mp, func(newm *gmp.M) { newm.Spinning.Set(spinning) }, pp, id)
		s.Lock.Lock()
		return
	}
	if idle.Spinning.Get() {
		s.Throw("startm: m is spinning")
	}
	if idle.Nextp.Get() != nil {
		s.Throw("startm: m has p")
	}
	if spinning && !s.Runqempty(pp) {
		s.Throw("startm: p has runnable gs")
	}
	idle.Nextp.Set(pp)
	idle.Spinning.Set(spinning)
	idle.Park.Wakeup()
}

func (p *brisk) Stopm(mp *gmp.M) {
	s := p.s
	switch {
	case mp.P.Get() != nil:
		s.Throw("stopm holding p")
	case mp.Spinning.Get():
		s.Throw("stopm spinning")
	}
	func() {
		s.Lock.Lock()
		defer s.Lock.Unlock()
		s.Mput(mp)
	}()
	s.MPark(mp)
	s.Acquirep(mp, mp.Nextp.Get())
	mp.Nextp.Set(nil)
}

func (p *brisk) BecomeSpinning(mp *gmp.M) {
	p.s.Nmspinning.Add(1)
	p.s.Needspinning.Store(false)
	mp.Spinning.Set(true)
}

func (p *brisk) Resetspinning(mp *gmp.M) {
	if !mp.Spinning.Get() {
		p.s.Throw("resetspinning: not a spinning m")
	}
	mp.Spinning.Set(false)
	left := p.s.Nmspinning.Add(-1)
	if left < 0 {
		p.s.Throw("resetspinning: negative nmspinning")
	}
	if left == 0 {
		p.s.Wakep(mp)
	}
}

func (p *brisk) PidlegetSpinning(mp *gmp.M, now int64) (pp *gmp.P, rnow int64) {
	if pp, rnow = p.s.Pidleget(now); pp == nil {
		p.s.Needspinning.Store(true)
	}
	return pp, rnow
}

func (p *brisk) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) (pp *gmp.P) {
	some := false
	for _, p2 := range allp {
		some = some || !p.s.Runqempty(p2)
	}
	if some {
		p.s.Lock.Lock()
		pp, _ = p.s.PidlegetSpinning(mp, 0)
		p.s.Lock.Unlock()
	}
	return pp
}
