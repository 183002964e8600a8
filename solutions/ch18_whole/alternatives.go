//course:omit
package ch18

import "gosched/chapters/gmp"

// Phases is another right Finder: a round is a list of looks, and what comes without a P is a function
// of its own. The mutants are made of it.
var Phases = gmp.Version{Finder: phasesWith("")}

// phasesWith makes the Finder with one of the flaws, "" for none.
func phasesWith(flaw string) func(s *gmp.Sched) gmp.Finder {
	return func(s *gmp.Sched) gmp.Finder { return &phases{s, flaw} }
}

type phases struct {
	s    *gmp.Sched
	flaw string
}

// A round is what one round has found out.
type round struct {
	mp        *gmp.M
	pp        *gmp.P
	now       int64
	pollUntil int64
	gp        *gmp.G
	inherit   bool
	wake      bool
	again     bool // begin a new one
}

func (p *phases) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
	for !s.Exited() {
		if s.Gcwaiting.Load() {
			s.Gcstopm(mp)
			continue
		}
		r := &round{mp: mp, pp: mp.P.Get()}
		looks := []func(r *round){p.safePoint, p.timers, p.worker, p.tick, p.finalizer, p.near, p.network, p.far, p.mark}
		if p.flaw == "worker-late" {
			looks = []func(r *round){p.safePoint, p.timers, p.tick, p.finalizer, p.near, p.worker, p.network, p.far, p.mark}
		}
		if p.flaw == "tick-after-finalizer" {
			looks = []func(r *round){p.safePoint, p.timers, p.worker, p.finalizer, p.near, p.tick, p.network, p.far, p.mark}
		}
		for _, look := range looks {
			if look(r); r.gp != nil || r.again {
				break
			}
		}
		if r.gp == nil && !r.again {
			p.without(r)
		}
		if r.gp != nil {
			return r.gp, r.inherit, r.wake
		}
	}
	return nil, false, false
}

func (p *phases) safePoint(r *round) {
	if r.pp.RunSafePointFn.Load() == 1 {
		p.s.RunSafePointFn(r.pp, false)
	}
}

func (p *phases) timers(r *round) { r.now, r.pollUntil, _ = p.s.CheckTimers(r.mp, r.pp, 0) }

func (p *phases) worker(r *round) {
	if !p.s.GcController.BlackenEnabled.Load() {
		return
	}
	r.gp, r.now = p.s.FindRunnableGCWorker(r.mp, r.pp, r.now)
	r.wake = r.gp != nil && p.flaw != "worker-alone"
}

func (p *phases) tick(r *round) {
	s := p.s
	if s.Runqsize.Load() == 0 || r.pp.Schedtick.Get()%61 != 0 {
		return
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if p.flaw == "tick-batch" {
		r.gp = s.Globrunqgetlocal(r.pp)
	} else {
		r.gp = s.Globrunqget()
	}
}

func (p *phases) finalizer(r *round) {
	if gp := p.s.Wakefing(); gp != nil {
		p.s.Ready(r.mp, gp, p.flaw != "finalizer-last")
	}
}

func (p *phases) near(r *round) {
	s := p.s
	if r.gp, r.inherit = s.Runqget(r.pp); r.gp == nil && s.Runqsize.Load() != 0 {
		s.Lock.Lock()
		defer s.Lock.Unlock()
		r.gp = s.Globrunqgetlocal(r.pp)
	}
}

func (p *phases) network(r *round) {
	s := p.s
	if s.Lastpoll.Load() == 0 && p.flaw != "polls-beside" || !s.NetpollAnyWaiters() {
		return
	}
	if p.flaw == "polls-after-look" {
		if s.PollingNet.Load() {
			return
		}
		s.PollingNet.Store(true)
	} else if !s.PollingNet.CompareAndSwap(false, true) {
		return
	}
	list := s.Netpoll(r.mp, 0)
	if p.flaw != "polls-for-ever" || list.Head == nil {
		s.PollingNet.Store(false)
	}
	p.pick(r, list)
}

// pick takes the first G of list.
func (p *phases) pick(r *round, list gmp.GList) {
	if list.Head != nil {
		r.gp = list.Pop()
		p.s.Casgstatus(r.gp, gmp.Gwaiting, gmp.Grunnable)
		if list.Head != nil {
			p.s.Injectglist(r.mp, list)
		}
	}
}

func (p *phases) far(r *round) {
	s, mp := p.s, r.mp
	if !mp.Spinning.Get() {
		if s.Gomaxprocs.Get()-s.Npidle.Load() <= 2*s.Nmspinning.Load() {
			return
		}
		s.BecomeSpinning(mp)
	}
	var w int64
	r.gp, r.inherit, r.now, w, r.again = s.StealWork(mp, r.now)
	if w != 0 && (r.pollUntil == 0 || w < r.pollUntil) {
		r.pollUntil = w
	}
}

func (p *phases) mark(r *round) { r.gp = p.s.IdleGCWorker(r.mp, r.pp) }

// A view is what the Ps were.
type view struct {
	all          []*gmp.P
	idle, timers gmp.PMask
}

func (p *phases) view() view {
	return view{p.s.Allp.Get(), p.s.Idlepmask.Get(), p.s.Timerpmask.Get()}
}

// without is what comes when the P is to be given back.
func (p *phases) without(r *round) {
	s, mp := p.s, r.mp
	seen := p.view()
	if !p.giveBack(r) {
		return
	}
	if p.flaw == "view-late" {
		seen = p.view()
	}
	spun := mp.Spinning.Get()
	if spun {
		if p.flaw != "looks-counted" {
			p.uncount(mp)
		}
		found := p.lookAgain(r, seen)
		if p.flaw == "looks-counted" {
			p.uncount(mp)
		}
		if found {
			s.BecomeSpinning(mp)
			return
		}
		r.pollUntil = s.CheckTimersNoP(mp, s.TimerPs(seen.all, seen.timers), r.pollUntil)
	}
	if p.rest(r, spun) {
		s.Stopm(mp)
	}
}

// giveBack gives the P back, and reports whether it has.
func (p *phases) giveBack(r *round) bool {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	switch {
	case s.Gcwaiting.Load() && p.flaw != "world-goes-on", r.pp.RunSafePointFn.Load() != 0 && p.flaw != "barrier-forgotten":
		return false
	case s.Runq.Get().Size > 0:
		r.gp = s.Globrunqgetlocal(r.pp)
		r.inherit = false
		return false
	case s.Needspinning.Load() && !r.mp.Spinning.Get():
		s.BecomeSpinning(r.mp)
		return false
	}
	s.Pidleput(s.Releasep(r.mp), 0)
	return true
}

func (p *phases) uncount(mp *gmp.M) {
	mp.Spinning.Set(false)
	if p.s.Nmspinning.Add(-1) < 0 {
		p.s.Throw("findRunnable: negative nmspinning")
	}
}

// lookAgain reports whether mp has found something, and a P for it.
func (p *phases) lookAgain(r *round, seen view) bool {
	s, mp := p.s, r.mp
	s.Lock.Lock()
	if s.Runq.Get().Head != nil {
		if pp, _ := s.PidlegetSpinning(mp, 0); pp != nil {
			r.gp = s.Globrunqgetlocal(pp)
			s.Lock.Unlock()
			s.Acquirep(mp, pp)
			return true
		}
	}
	s.Lock.Unlock()
	pp := s.CheckRunqsNoP(mp, s.BusyPs(seen.all, seen.idle))
	if pp == nil && p.flaw != "no-marker" {
		pp, r.gp = s.CheckIdleGCNoP(mp)
	}
	if pp != nil {
		s.Acquirep(mp, pp)
	}
	return pp != nil
}

// rest waits if there is something to wait for, and reports whether mp is to sleep.
func (p *phases) rest(r *round, spun bool) (sleep bool) {
	s, mp := p.s, r.mp
	if r.pollUntil == 0 && !s.NetpollAnyWaiters() {
		return true
	}
	if !p.first() {
		if until := s.PollUntil.Load(); r.pollUntil != 0 && (until == 0 || r.pollUntil < until) && p.flaw != "lets-sleep" {
			s.NetpollBreak()
		}
		return true
	}
	delay := int64(-1)
	if p.flaw != "until-forgotten" {
		s.PollUntil.Store(r.pollUntil)
	}
	if r.pollUntil != 0 {
		delay = max(0, r.pollUntil-r.now)
		if r.now == 0 {
			delay = max(0, r.pollUntil-s.Nanotime())
		}
	}
	list := s.Netpoll(mp, delay)
	s.PollUntil.Store(0)
	if p.flaw != "waits-for-ever" {
		s.Lastpoll.Store(1 + s.Nanotime())
	}
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	s.Lock.Unlock()
	if pp == nil {
		s.Injectglist(mp, list)
		return true
	}
	if p.flaw == "injects-first" {
		if list.Head != nil {
			gp := list.Pop()
			s.Injectglist(mp, list)
			s.Acquirep(mp, pp)
			s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
			r.gp = gp
			return false
		}
	}
	s.Acquirep(mp, pp)
	if p.pick(r, list); r.gp == nil && spun {
		s.BecomeSpinning(mp)
	}
	r.inherit = false
	return false
}

// first reports whether no other M waits for the network; then it says that one does.
func (p *phases) first() bool {
	s := p.s
	if p.flaw != "lastpoll-in-two" {
		return s.Lastpoll.Swap(0) != 0
	}
	free := s.Lastpoll.Load() != 0
	s.Lastpoll.Store(0)
	return free
}
