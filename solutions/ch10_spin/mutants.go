package ch10

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// Mutants are mistakes that one makes in this chapter. Those of Wakep that are open are
// for the student's own test.
var Mutants = []check.Mutant{
	{
		Name: "wake-always", Check: "wake",
		What:  "Wakep starts an M although one already spins, so each go statement wakes another thread that finds nothing",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return wakeAlways{p} }),
	},
	{
		Name: "wake-keeps-count", Check: "wake",
		What:  "Wakep finds no idle P, and leaves the M that will not come in Nmspinning: from then on no M is ever woken",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return wakeKeepsCount{p} }),
	},
	{
		Name: "wake-not-spinning", Check: "wake",
		What:  "Wakep starts an M that is not counted as spinning, so all that come at the same time start one",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return wakeNotSpinning{p} }),
	},
	{
		Name: "wake-leaves-no-sign", Check: "wake",
		What:  "Wakep finds no idle P, and does not set Needspinning",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return wakeLeavesNoSign{p} }),
	},
	{
		Name: "wake-uncounts-late", Check: "race-two", Hidden: true,
		What:  "Wakep takes back its count after it has released the lock: an M that relied on that one in between is forgotten",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return wakeUncountsLate{p} }),
	},
	{
		Name: "wake-loads-and-adds", Check: "race-wake", Hidden: true,
		What:  "Wakep checks whether any M spins and then adds one, in two steps: all that look at the same time wake one",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return wakeLoadsAndAdds{p} }),
	},
	{
		Name: "45867", Check: "race-submit", Hidden: true,
		What:  "Needspinning is never set, as in Go 1.17 to 1.19: an M that has seen work and got no P for it sleeps, and so does the one that was just about to give its P back (golang/go#45867)",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return noNeedspinning{p} }),
	},
	{
		Name: "become-not-counted", Check: "become", Hidden: true,
		What:  "an M that begins to spin is not counted",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return becomeNotCounted{p} }),
	},
	{
		Name: "needspinning-stays", Check: "become", Hidden: true,
		What:  "Needspinning is never cleared: from then on all Ms without work spin, for ever",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return needspinningStays{p} }),
	},
	{
		Name: "idle-p-says-nothing", Check: "idle-p", Hidden: true,
		What:  "PidlegetSpinning is Pidleget",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return noNeedspinning{p} }),
	},
	{
		Name: "reset-wakes-nobody", Check: "race-chain", Hidden: true,
		What:  "the last M that spins finds a G and wakes no other, although more Gs were queued that relied on it",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return resetWakesNobody{p} }),
	},
	{
		Name: "reset-wakes-first", Check: "race-chain", Hidden: true,
		What:  "Resetspinning calls Wakep while it still counts itself, so Wakep does nothing",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return resetWakesFirst{p} }),
	},
	{
		Name: "reset-looks-first", Check: "race-chain", Hidden: true,
		What:  "Resetspinning looks at the queues while it still counts itself, and wakes an M only if it saw a G; one that is queued in between is forgotten",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return resetLooksFirst{p} }),
	},
	{
		Name: "reset-believes", Check: "reset", Hidden: true,
		What:  "Resetspinning uncounts an M that does not spin",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return resetBelieves{p} }),
	},
	{
		Name: "reset-keeps-count", Check: "chain", Hidden: true,
		What:  "an M that has found a G stays in Nmspinning",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return resetKeepsCount{p} }),
	},
	{
		Name: "stop-sleeps-first", Check: "stop", Hidden: true,
		What:  "Stopm sleeps, and only then puts the M on the list of idle ones",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return stopSleepsFirst{p} }),
	},
	{
		Name: "stop-clears-late", Check: "race-submit", Hidden: true,
		What:  "Stopm clears the note after the M is on the list of idle ones; a wake-up that came before is lost",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return stopClearsLate{p} }),
	},
	{
		Name: "stop-keeps-nextp", Check: "talks", Hidden: true,
		What:  "Stopm also leaves the P in Nextp",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return stopKeepsNextp{p} }),
	},
	{
		Name: "start-wakes-first", Check: "race-submit", Hidden: true,
		What:  "Startm wakes the M before it has set its Nextp",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return startWakesFirst{p} }),
	},
	{
		Name: "start-spins-late", Check: "race-submit", Hidden: true,
		What:  "Startm sets the M's Spinning after it has woken it; the M may already have looked",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return startSpinsLate{p} }),
	},
	{
		Name: "start-forgets-spinning", Check: "start-idle", Hidden: true,
		What:  "Startm does not tell the M that it spins: it is counted, and will never be uncounted",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return startForgetsSpinning{p} }),
	},
	{
		Name: "start-loses-p", Check: "start-new", Hidden: true,
		What:  "Startm makes a new M and does not give it the P, which then belongs to no M",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return &startsNew{wakeups: p, loseP: true} }),
	},
	{
		Name: "start-holds-lock", Check: "start-new", Hidden: true,
		What:  "Startm makes a thread with s.Lock held",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return &startsNew{wakeups: p, hold: true} }),
	},
	{
		Name: "start-reserves-late", Check: "race-new-m", Hidden: true,
		What:  "Startm releases the lock before it reserves the new M's ID: meanwhile the last M may go to sleep, and a deadlock is reported although there is none",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return &startsNew{wakeups: p, late: true} }),
	},
	{
		Name: "start-always-new", Check: "parked", Hidden: true,
		What:  "Startm makes a new M each time, and leaves the idle ones asleep",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return &startsNew{wakeups: p} }),
	},
	{
		Name: "start-takes-m-first", Check: "start-p", Hidden: true,
		What:  "Startm takes an M off the list of idle ones and then finds that there is no P; that M is no longer on any list",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return startTakesMFirst{p} }),
	},
	{
		Name: "check-runqs-busy", Check: "check-runqs", Hidden: true,
		What:  "CheckRunqsNoP returns the P that has the G, which belongs to another M",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return checkRunqsBusy{p} }),
	},
	{
		Name: "recheck-missing", Check: "race-submit", Hidden: true,
		What:  "an M that has spun sleeps without another look at the queues",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return checkRunqsFrom{p, never} }),
	},
	{
		Name: "recheck-leaves-no-sign", Check: "race-network", Hidden: true,
		What:  "an M that sees a G in its last look, and gets no P for it, does not set Needspinning",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return recheckLeavesNoSign{p} }),
	},
	{
		Name: "recheck-signs-late", Check: "race-network", Hidden: true,
		What:  "an M that sees a G in its last look, and gets no P for it, sets Needspinning after it has released the lock: an M that gives back a P in between does not see it",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return recheckSignsLate{p} }),
	},
	{
		Name: "recheck-misses-p0", Check: "conserve", Hidden: true,
		What:  "the last look at the queues starts with P1",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return checkRunqsFrom{p, 1} }),
	},
	{
		Name: "recheck-first", Check: "race-submit", Hidden: true,
		What:  "an M looks at the queues for the last time and then takes itself out of Nmspinning; no M comes for a G that is queued in between",
		Parts: finderMutant(recheckFirst),
	},
	{
		Name: "recheck-with-p", Check: "race-submit", Hidden: true,
		What:  "an M looks at the queues for the last time before it gives its P back: an M that queues a G in between finds no idle P",
		Parts: finderMutant(recheckWithP),
	},
	{
		Name: "recheck-without-global", Check: "race-global", Hidden: true,
		What:  "the last look leaves out the global queue",
		Parts: finderMutant(recheckWithoutGlobal),
	},
	{
		Name: "recheck-finds-quietly", Check: "found-after-all", Hidden: true,
		What:  "an M that finds work in its last look does not spin again, so no M looks whether there is more",
		Parts: finderMutant(findsQuietly),
	},
	{
		Name: "recheck-global-quietly", Check: "race-both", Hidden: true,
		What:  "an M that sees work on the global queue in its last look takes a P and goes back to the start, without spinning: it finds the G nearby, and wakes no M for the others",
		Parts: finderMutant(globalQuietly),
	},
	{
		Name: "recheck-reads-allp-late", Check: "race-stop", Hidden: true,
		What:  "s.Allp is read after the P was given back: the world may have stopped by then, and another M may be writing it",
		Parts: finderMutant(allpLate),
	},
	{
		Name: "cap-missing", Check: "spinner-cap", Hidden: true,
		What:  "all Ms without work spin, however few have any",
		Parts: finderMutant(capMissing),
	},
	{
		Name: "cap-of-one", Check: "spinner-cap", Hidden: true,
		What:  "only one M may spin, however many are busy",
		Parts: finderMutant(capOfOne),
	},
	{
		Name: "no-last-look", Check: "last-look", Hidden: true,
		What:  "an M gives its P back without another look at the global queue under the lock",
		Parts: finderMutant(noLastLook),
	},
	{
		Name: "needspinning-ignored", Check: "last-look", Hidden: true,
		What:  "an M gives its P back without a look at Needspinning",
		Parts: finderMutant(needspinningIgnored),
	},
	{
		Name: "gives-up-counted", Check: "give-up", Hidden: true,
		What:  "an M that gives up stays in Nmspinning",
		Parts: finderMutant(givesUpCounted),
	},
	{
		Name: "steals-first", Check: "find-order", Hidden: true,
		What:  "an M without a G in its own queue asks other Ps before it looks nearby",
		Parts: finderMutant(stealsFirst),
	},
	{
		Name: "new-work-ignored", Check: "find-steal", Hidden: true,
		What:  "an M that has run timers while it stole goes on as if nothing had come of it",
		Parts: finderMutant(newWorkIgnored),
	},
	{
		Name: "poll-oversleeps", Check: "poll", Hidden: true,
		What:  "an M waits for the timers of its own P, and not for those that it has seen on others",
		Parts: finderMutant(oversleeps),
	},
}

func wakeupsMutant(broken func(p *wakeups) gmp.Wakeups) gmp.Version {
	return gmp.Version{Wakeups: func(s *gmp.Sched) gmp.Wakeups { return broken(&wakeups{s: s}) }}
}

type wakeAlways struct{ *wakeups }

func (p wakeAlways) Wakep(mp *gmp.M) {
	s := p.s
	s.Lock.Lock()
	pp, _ := s.PidlegetSpinning(mp, 0)
	if pp != nil {
		s.Nmspinning.Add(1)
	}
	s.Lock.Unlock()
	if pp != nil {
		s.Startm(mp, pp, true, false)
	}
}

type wakeKeepsCount struct{ *wakeups }

func (p wakeKeepsCount) Wakep(mp *gmp.M) {
	s := p.s
	if !s.Nmspinning.CompareAndSwap(0, 1) {
		return
	}
	s.Lock.Lock()
	pp, _ := s.PidlegetSpinning(mp, 0)
	s.Lock.Unlock()
	if pp != nil {
		s.Startm(mp, pp, true, false)
	}
}

type wakeNotSpinning struct{ *wakeups }

func (p wakeNotSpinning) Wakep(mp *gmp.M) {
	if p.s.Nmspinning.Load() == 0 {
		p.s.Startm(mp, nil, false, false)
	}
}

type wakeLeavesNoSign struct{ *wakeups }

func (p wakeLeavesNoSign) Wakep(mp *gmp.M) {
	s := p.s
	if s.Npidle.Load() == 0 || !s.Nmspinning.CompareAndSwap(0, 1) {
		return
	}
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	if pp == nil {
		s.Nmspinning.Add(-1)
	}
	s.Lock.Unlock()
	if pp != nil {
		s.Startm(mp, pp, true, false)
	}
}

type wakeUncountsLate struct{ *wakeups }

func (p wakeUncountsLate) Wakep(mp *gmp.M) {
	s := p.s
	if s.Nmspinning.Load() != 0 || !s.Nmspinning.CompareAndSwap(0, 1) {
		return
	}
	s.Lock.Lock()
	pp, _ := s.PidlegetSpinning(mp, 0)
	s.Lock.Unlock()
	if pp == nil {
		s.Nmspinning.Add(-1)
		return
	}
	s.Startm(mp, pp, true, false)
}

type wakeLoadsAndAdds struct{ *wakeups }

func (p wakeLoadsAndAdds) Wakep(mp *gmp.M) {
	s := p.s
	if s.Nmspinning.Load() != 0 {
		return
	}
	s.Nmspinning.Add(1)
	s.Lock.Lock()
	pp, _ := s.PidlegetSpinning(mp, 0)
	if pp == nil {
		s.Nmspinning.Add(-1)
	}
	s.Lock.Unlock()
	if pp != nil {
		s.Startm(mp, pp, true, false)
	}
}

type noNeedspinning struct{ *wakeups }

func (p noNeedspinning) PidlegetSpinning(mp *gmp.M, now int64) (*gmp.P, int64) {
	return p.s.Pidleget(now)
}

type becomeNotCounted struct{ *wakeups }

func (p becomeNotCounted) BecomeSpinning(mp *gmp.M) {
	mp.Spinning.Set(true)
	p.s.Needspinning.Store(false)
}

type needspinningStays struct{ *wakeups }

func (p needspinningStays) BecomeSpinning(mp *gmp.M) {
	mp.Spinning.Set(true)
	p.s.Nmspinning.Add(1)
}

type resetWakesNobody struct{ *wakeups }

func (p resetWakesNobody) Resetspinning(mp *gmp.M) {
	mp.Spinning.Set(false)
	p.s.Nmspinning.Add(-1)
}

type resetWakesFirst struct{ *wakeups }

func (p resetWakesFirst) Resetspinning(mp *gmp.M) {
	s := p.s
	if !mp.Spinning.Get() {
		s.Throw("resetspinning: not a spinning m")
	}
	s.Wakep(mp)
	mp.Spinning.Set(false)
	if s.Nmspinning.Add(-1) < 0 {
		s.Throw("resetspinning: negative nmspinning")
	}
}

type resetLooksFirst struct{ *wakeups }

func (p resetLooksFirst) Resetspinning(mp *gmp.M) {
	s := p.s
	if !mp.Spinning.Get() {
		s.Throw("resetspinning: not a spinning m")
	}
	more := s.Runqsize.Load() > 0
	for _, pp := range s.Allp.Get() {
		more = more || !s.Runqempty(pp)
	}
	mp.Spinning.Set(false)
	if s.Nmspinning.Add(-1) < 0 {
		s.Throw("resetspinning: negative nmspinning")
	}
	if more {
		s.Wakep(mp)
	}
}

type resetBelieves struct{ *wakeups }

func (p resetBelieves) Resetspinning(mp *gmp.M) {
	mp.Spinning.Set(true)
	p.wakeups.Resetspinning(mp)
}

type resetKeepsCount struct{ *wakeups }

func (p resetKeepsCount) Resetspinning(mp *gmp.M) {
	mp.Spinning.Set(false)
	p.s.Wakep(mp)
}

type stopSleepsFirst struct{ *wakeups }

func (p stopSleepsFirst) Stopm(mp *gmp.M) {
	s := p.s
	s.MPark(mp)
	s.Lock.Lock()
	s.Mput(mp)
	s.Lock.Unlock()
	s.Acquirep(mp, mp.Nextp.Get())
	mp.Nextp.Set(nil)
}

type stopClearsLate struct{ *wakeups }

func (p stopClearsLate) Stopm(mp *gmp.M) {
	s := p.s
	if mp.P.Get() != nil {
		s.Throw("stopm holding p")
	}
	if mp.Spinning.Get() {
		s.Throw("stopm spinning")
	}
	s.Lock.Lock()
	s.Mput(mp)
	s.Lock.Unlock()
	mp.Park.Clear()
	s.MPark(mp)
	s.Acquirep(mp, mp.Nextp.Get())
	mp.Nextp.Set(nil)
}

type stopKeepsNextp struct{ *wakeups }

func (p stopKeepsNextp) Stopm(mp *gmp.M) {
	s := p.s
	s.Lock.Lock()
	s.Mput(mp)
	s.Lock.Unlock()
	s.MPark(mp)
	s.Acquirep(mp, mp.Nextp.Get())
}

type startWakesFirst struct{ *wakeups }

func (p startWakesFirst) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	s := p.s
	if lockheld || pp == nil || s.Midle.Get() == nil {
		p.wakeups.Startm(mp, pp, spinning, lockheld)
		return
	}
	s.Lock.Lock()
	nmp := s.Mget()
	nmp.Park.Wakeup()
	s.Lock.Unlock()
	nmp.Spinning.Set(spinning)
	nmp.Nextp.Set(pp)
}

type startSpinsLate struct{ *wakeups }

func (p startSpinsLate) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	s := p.s
	if lockheld || pp == nil || s.Midle.Get() == nil {
		p.wakeups.Startm(mp, pp, spinning, lockheld)
		return
	}
	s.Lock.Lock()
	nmp := s.Mget()
	s.Lock.Unlock()
	nmp.Nextp.Set(pp)
	nmp.Park.Wakeup()
	nmp.Spinning.Set(spinning)
}

type startForgetsSpinning struct{ *wakeups }

func (p startForgetsSpinning) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	p.wakeups.Startm(mp, pp, false, lockheld)
}

// startsNew makes a new M for each P. That is not wrong as long as none is idle.
type startsNew struct {
	*wakeups
	loseP, hold, late bool
}

func (p *startsNew) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	s := p.s
	if !lockheld {
		s.Lock.Lock()
	}
	if pp == nil {
		pp, _ = s.Pidleget(0)
	}
	if pp == nil {
		if !lockheld {
			s.Lock.Unlock()
		}
		return
	}
	var fn func(mp *gmp.M)
	if spinning {
		fn = mspinning
	}
	if p.late {
		s.Lock.Unlock()
		s.Lock.Lock()
	}
	id := s.MReserveID()
	if p.loseP {
		pp = nil
	}
	if p.hold {
		s.Newm(mp, fn, pp, id)
		if !lockheld {
			s.Lock.Unlock()
		}
		return
	}
	s.Lock.Unlock()
	s.Newm(mp, fn, pp, id)
	if lockheld {
		s.Lock.Lock()
	}
}

type startTakesMFirst struct{ *wakeups }

func (p startTakesMFirst) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	s := p.s
	if pp == nil && s.Npidle.Load() == 0 {
		if !lockheld {
			s.Lock.Lock()
			defer s.Lock.Unlock()
		}
		s.Mget()
		return
	}
	p.wakeups.Startm(mp, pp, spinning, lockheld)
}

type checkRunqsBusy struct{ *wakeups }

func (p checkRunqsBusy) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	for _, pp := range allp {
		if !p.s.Runqempty(pp) {
			return pp
		}
	}
	return nil
}

type recheckLeavesNoSign struct{ *wakeups }

func (p recheckLeavesNoSign) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	s := p.s
	for _, p2 := range allp {
		if !s.Runqempty(p2) {
			s.Lock.Lock()
			pp, _ := s.Pidleget(0)
			s.Lock.Unlock()
			return pp
		}
	}
	return nil
}

type recheckSignsLate struct{ *wakeups }

func (p recheckSignsLate) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	s := p.s
	for _, p2 := range allp {
		if !s.Runqempty(p2) {
			s.Lock.Lock()
			pp, _ := s.Pidleget(0)
			s.Lock.Unlock()
			if pp == nil {
				s.Needspinning.Store(true)
			}
			return pp
		}
	}
	return nil
}

// checkRunqsFrom looks at the queues of the Ps from one on.
type checkRunqsFrom struct {
	*wakeups
	from int
}

const never = 1 << 30

func (p checkRunqsFrom) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	return p.wakeups.CheckRunqsNoP(mp, allp[min(p.from, len(allp)):])
}
