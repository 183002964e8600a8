package ch18_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch18_whole"
	"gosched/chapters/gmp"
	"gosched/solutions"
	ch18 "gosched/solutions/ch18_whole"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch18"), map[string]gmp.Version{
		"phases": ch18.Phases, "careful": careful, "counted": counted, "shuffled": shuffled, "recursive": recursive, "other-order": otherOrder,
		"parted": ch18.Parted, "suspicious": suspicious,
		"all-otherwise": ch18.Phases.With(counted).With(shuffled).With(recursive).With(ch18.Parted),
	})
}

// careful looks twice where once is enough, wakes when it need not, and does its looks with goto.
var careful = gmp.Version{Finder: func(s *gmp.Sched) gmp.Finder { return &cautious{s} }}

type cautious struct{ s *gmp.Sched }

func (p *cautious) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
top:
	if s.Exited() {
		return nil, false, false
	}
	if s.Gcwaiting.Load() {
		s.Gcstopm(mp)
		goto top
	}
	pp := mp.P.Get()
	all, idle, timers := s.Allp.Get(), s.Idlepmask.Get(), s.Timerpmask.Get() // as long as mp has pp they are what they are
	if pp.RunSafePointFn.Load() != 0 {
		s.RunSafePointFn(pp, false)
	}
	_, until, _ := s.CheckTimers(mp, pp, 0)
	for range 2 {
		if !s.GcController.BlackenEnabled.Load() {
			break
		}
		if gp, _ = s.FindRunnableGCWorker(mp, pp, 0); gp != nil {
			return gp, false, true
		}
	}
	if tick := pp.Schedtick.Get(); tick == tick/61*61 && s.Runqsize.Load() > 0 {
		s.Lock.Lock()
		gp, _ = s.Globrunqgetbatch(1)
		s.Lock.Unlock()
		if gp != nil {
			return gp, false, false
		}
	}
	if gp = s.Wakefing(); gp != nil {
		s.Ready(mp, gp, true)
	}
	for range 2 {
		if gp, inheritTime = s.Runqget(pp); gp != nil {
			return gp, inheritTime, false
		}
		if s.Runqsize.Load() > 0 {
			s.Lock.Lock()
			gp = s.Globrunqgetlocal(pp)
			s.Lock.Unlock()
			if gp != nil {
				return gp, false, false
			}
		}
	}
	if s.Lastpoll.Load() > 0 && s.NetpollAnyWaiters() && s.PollingNet.CompareAndSwap(false, true) {
		list := s.Netpoll(mp, 0)
		s.PollingNet.CompareAndSwap(true, false)
		if gp = list.Pop(); gp != nil {
			s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
			s.Injectglist(mp, list)
			return gp, false, false
		}
	}
	if mp.Spinning.Get() || 2*s.Nmspinning.Load() < s.Gomaxprocs.Get()-s.Npidle.Load() {
		if !mp.Spinning.Get() {
			s.BecomeSpinning(mp)
		}
		var w int64
		var more bool
		if gp, inheritTime, _, w, more = s.StealWork(mp, 0); gp != nil {
			return gp, inheritTime, false
		} else if more {
			goto top
		}
		until = sooner(until, w)
	}
	if gp = s.IdleGCWorker(mp, pp); gp != nil {
		return gp, false, false
	}
	if gp, again := p.giveBack(mp, pp); gp != nil {
		return gp, false, false
	} else if again {
		goto top
	}
	spun := mp.Spinning.Get()
	if spun {
		if s.Nmspinning.Add(-1) < 0 {
			s.Throw("findRunnable: negative nmspinning")
		}
		mp.Spinning.Set(false)
		gp, found := p.again(mp, all, idle)
		if found {
			s.BecomeSpinning(mp)
			s.Wakep(mp)
			if gp == nil {
				goto top
			}
			return gp, false, false
		}
		until = s.CheckTimersNoP(mp, s.TimerPs(all, timers), until)
	}
	if until == 0 && !s.NetpollAnyWaiters() {
		s.Stopm(mp)
		goto top
	}
	if s.Lastpoll.Swap(0) == 0 {
		if at := s.PollUntil.Load(); until != 0 && (at == 0 || at > until) {
			s.NetpollBreak()
		}
		s.Stopm(mp)
		goto top
	}
	s.PollUntil.Store(until)
	delay := int64(-1)
	if until > 0 {
		delay = max(until-s.Nanotime(), 0)
	}
	list := s.Netpoll(mp, delay)
	s.PollUntil.Store(0)
	s.Lastpoll.Store(s.Nanotime() + 1)
	s.Lock.Lock()
	pp, _ = s.Pidleget(0)
	s.Lock.Unlock()
	if pp == nil {
		s.Injectglist(mp, list)
		s.Stopm(mp)
		goto top
	}
	s.Acquirep(mp, pp)
	if gp = list.Pop(); gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		s.Injectglist(mp, list)
		return gp, false, false
	}
	if spun {
		s.BecomeSpinning(mp)
	}
	goto top
}

// giveBack takes mp's P from it, unless there is something left to do.
func (p *cautious) giveBack(mp *gmp.M, pp *gmp.P) (gp *gmp.G, again bool) {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if pp.RunSafePointFn.Load() != 0 || s.Gcwaiting.Load() {
		return nil, true
	}
	if gp = s.Globrunqgetlocal(pp); gp != nil {
		return gp, false
	}
	if s.Needspinning.Load() && !mp.Spinning.Get() {
		s.BecomeSpinning(mp)
		return nil, true
	}
	s.Pidleput(s.Releasep(mp), s.Nanotime())
	return nil, false
}

// again looks everywhere once more, in another order, and reports whether mp has found work and a P.
func (p *cautious) again(mp *gmp.M, all []*gmp.P, idle gmp.PMask) (*gmp.G, bool) {
	s := p.s
	if pp, worker := s.CheckIdleGCNoP(mp); pp != nil {
		s.Acquirep(mp, pp)
		return worker, true
	}
	pp := s.CheckRunqsNoP(mp, s.BusyPs(all, idle))
	if pp == nil {
		s.Lock.Lock()
		if s.Runq.Get().Head != nil {
			pp, _ = s.PidlegetSpinning(mp, 0)
		}
		s.Lock.Unlock()
	}
	if pp == nil {
		return nil, false
	}
	s.Acquirep(mp, pp)
	return nil, true
}

// sooner is the earlier one of two times, of which 0 is none.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// counted has the Ps in arrays of the right size, and changes one bit only if it must.
var counted = gmp.Version{Masks: func(s *gmp.Sched) gmp.Masks { return &counts{s} }}

type counts struct{ s *gmp.Sched }

func (p *counts) MaskIdle(pp *gmp.P) {
	p.s.Idlepmask.Get().Set(pp.ID)
	if timers := p.s.Timerpmask.Get(); pp.Timers.Len.Load() == 0 && timers.Read(pp.ID) {
		timers.Clear(pp.ID)
	}
}

func (p *counts) MaskBusy(pp *gmp.P) {
	p.s.Idlepmask.Get().Clear(pp.ID)
	if timers := p.s.Timerpmask.Get(); !timers.Read(pp.ID) {
		timers.Set(pp.ID)
	}
}

func (p *counts) BusyPs(allp []*gmp.P, idlepmask gmp.PMask) []*gmp.P {
	return p.filter(allp, idlepmask, false)
}

func (p *counts) TimerPs(allp []*gmp.P, timerpmask gmp.PMask) []*gmp.P {
	return p.filter(allp, timerpmask, true)
}

func (p *counts) filter(allp []*gmp.P, mask gmp.PMask, bit bool) []*gmp.P {
	left := make([]*gmp.P, 0, len(allp))
	for id := range allp {
		if mask.Read(allp[id].ID) == bit {
			left = append(left, allp[id])
		}
	}
	return left
}

// shuffled asks in an order that is drawn anew for each pass, all passes but the last for queues alone.
var shuffled = gmp.Version{Stealing: func(s *gmp.Sched) gmp.Stealing { return &shuffler{s} }}

type shuffler struct{ s *gmp.Sched }

func (p *shuffler) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	s := p.s
	for pass := 3; pass >= 0; pass-- {
		for _, p2 := range p.order(mp) {
			switch {
			case s.Gcwaiting.Load():
				return nil, false, now, pollUntil, true
			case p2 == mp.P.Get():
				continue
			}
			if pass == 0 && s.Timerpmask.Get().Read(p2.ID) {
				var w int64
				var ran bool
				now, w, ran = s.CheckTimers(mp, p2, now)
				pollUntil = sooner(pollUntil, w)
				if ran {
					if gp, inheritTime = s.Runqget(mp.P.Get()); gp != nil {
						return gp, inheritTime, now, pollUntil, newWork
					}
					newWork = true
				}
			}
			if s.Idlepmask.Get().Read(p2.ID) {
				continue
			}
			if gp = s.Runqsteal(mp.P.Get(), p2, pass == 0); gp != nil {
				return gp, false, now, pollUntil, newWork
			}
		}
	}
	return nil, false, now, pollUntil, newWork
}

// order draws an order of all Ps.
func (p *shuffler) order(mp *gmp.M) []*gmp.P {
	ps := append([]*gmp.P(nil), p.s.Allp.Get()...)
	for i := len(ps) - 1; i > 0; i-- {
		j := int(mp.Cheaprand() % uint32(i+1))
		ps[i], ps[j] = ps[j], ps[i]
	}
	return ps
}

// recursive schedules by calling itself, and looks for a deadlock with an early return for each reason.
var recursive = gmp.Version{
	Loop:     func(s *gmp.Sched) gmp.Loop { return &again{s} },
	Deadlock: func(s *gmp.Sched) gmp.Deadlock { return &reasons{s} },
}

type again struct{ s *gmp.Sched }

func (p *again) Schedule(mp *gmp.M) {
	s := p.s
	switch locked := mp.Lockedg.Get(); {
	case mp.Locks.Get() > 0:
		s.Throw("schedule: holding locks")
	case locked != nil:
		s.Stoplockedm(mp)
		s.Execute(mp, locked, false)
		return
	case mp.LockedExt.Get() > 0:
		s.Mexit(mp)
		return
	}
	mp.P.Get().Preempt.Set(false)
	if mp.Spinning.Get() && !s.Runqempty(mp.P.Get()) {
		s.Throw("schedule: spinning with local work")
	}
	gp, inheritTime, tryWakeP := s.FindRunnable(mp)
	if gp == nil {
		return
	}
	if mp.Spinning.Get() {
		s.Resetspinning(mp)
	}
	if tryWakeP {
		s.Wakep(mp)
	}
	if gp.Lockedm.Get() != nil {
		s.Startlockedm(mp, gp)
		p.Schedule(mp)
		return
	}
	s.Execute(mp, gp, inheritTime)
}

func (p *again) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	pp := mp.P.Get()
	if !inheritTime {
		pp.Schedtick.Set(pp.Schedtick.Get() + 1)
	}
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	gp.Preempt.Set(false)
	pp.Preempt.Set(false)
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

type reasons struct{ s *gmp.Sched }

func (p *reasons) Checkdead() {
	s := p.s
	idle := int64(s.Nmidle.Get()) + int64(s.Nmidlelocked.Get()) + int64(s.Nmsys.Get()) + s.Nmfreed.Get()
	switch {
	case s.Panicking.Load() != 0 || s.Mnext.Get() > idle:
		return
	case s.Mnext.Get() < idle:
		s.Throw("checkdead: inconsistent counts")
	}
	left := false
	s.ForEachG(func(gp *gmp.G) {
		if s.IsSystemGoroutine(gp) {
			return
		}
		switch gp.Atomicstatus.Load() &^ gmp.Gscan {
		case gmp.Gdead, gmp.Gidle:
		case gmp.Gwaiting, gmp.Gpreempted:
			left = true
		default:
			s.Throw("checkdead: runnable g")
		}
	})
	if !left {
		s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	timers := uint32(0)
	for _, pp := range s.Allp.Get() {
		timers += pp.Timers.Len.Load()
	}
	if timers == 0 {
		s.Throw("all goroutines are asleep - deadlock!")
	}
}

// otherOrder writes both bits in the other order: no M has the P meanwhile.
var otherOrder = gmp.Version{Masks: func(s *gmp.Sched) gmp.Masks { return &bits{s} }}

type bits struct{ s *gmp.Sched }

func (p *bits) MaskIdle(pp *gmp.P) {
	p.s.Idlepmask.Get().Set(pp.ID)
	if pp.Timers.Len.Load() > 0 {
		return
	}
	p.s.Timerpmask.Get().Clear(pp.ID)
}

func (p *bits) MaskBusy(pp *gmp.P) {
	idle, timers := p.s.Idlepmask.Get(), p.s.Timerpmask.Get()
	idle.Clear(pp.ID)
	timers.Set(pp.ID)
}

func (p *bits) BusyPs(allp []*gmp.P, idlepmask gmp.PMask) []*gmp.P {
	return slices.DeleteFunc(slices.Clone(allp), func(pp *gmp.P) bool { return idlepmask.Read(pp.ID) })
}

func (p *bits) TimerPs(allp []*gmp.P, timerpmask gmp.PMask) []*gmp.P {
	return slices.DeleteFunc(slices.Clone(allp), func(pp *gmp.P) bool { return !timerpmask.Read(pp.ID) })
}

// suspicious tries twice to take a P from a call, and stops its own P for the world in its call.
var suspicious = gmp.Version{Syscalls: func(s *gmp.Sched) gmp.Syscalls { return &doubting{solutions.Base("ch18").Syscalls(s), s} }}

type doubting struct {
	gmp.Syscalls
	s *gmp.Sched
}

// Entersyscall makes gp Gsyscall, and then looks at Gcwaiting. Through Go 1.25 this was the order: so a
// world that is to stop never waits for the monitor.
func (p *doubting) Entersyscall(mp *gmp.M, gp *gmp.G) {
	p.Syscalls.Entersyscall(mp, gp)
	if pp := mp.Oldp.Get(); p.s.Gcwaiting.Load() {
		p.s.Lock.Lock()
		if p.s.Stopwait.Get() > 0 && p.s.GcstopSyscall(pp) && p.s.Stopwait.Get() == 0 {
			p.s.Stopnote.Wakeup()
		}
		p.s.Lock.Unlock()
	}
}

// GcstopSyscall tries twice.
func (p *doubting) GcstopSyscall(pp *gmp.P) bool {
	return p.Syscalls.GcstopSyscall(pp) || p.Syscalls.GcstopSyscall(pp)
}
