package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch08 "gosched/solutions/ch08_loop"
)

// TestAlternatives proves that the checks ask for what the contracts say and for
// nothing else: right solutions that take other ways pass.
func TestAlternatives(t *testing.T) {
	for name, parts := range map[string]gmp.Version{"table": table, "recursive": recursive, "deferring": deferring} {
		t.Run(name, func(t *testing.T) { suite.Suite.Test(t, solutions.Base("ch08"), ch08.Parts.With(parts)) })
	}
}

// table has the places where a P looks in a list, and takes one G for a batch of one.
var table = gmp.Version{
	Sources: func(s *gmp.Sched) gmp.Sources { return &listed{s} },
}

type listed struct{ s *gmp.Sched }

func (p *listed) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	for _, look := range []func(pp *gmp.P, mp *gmp.M) (*gmp.G, bool){p.atTheTick, p.own, p.batch, p.network} {
		if gp, inheritTime = look(mp.P.Get(), mp); gp != nil {
			break
		}
	}
	return gp, inheritTime
}

func (p *listed) atTheTick(pp *gmp.P, mp *gmp.M) (*gmp.G, bool) {
	if p.s.Runqsize.Load() == 0 || pp.Schedtick.Get() != pp.Schedtick.Get()/61*61 {
		return nil, false
	}
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	gp, _ := p.s.Globrunqgetbatch(1)
	return gp, false
}

func (p *listed) own(pp *gmp.P, mp *gmp.M) (*gmp.G, bool) { return p.s.Runqget(pp) }

func (p *listed) batch(pp *gmp.P, mp *gmp.M) (*gmp.G, bool) {
	if p.s.Runqsize.Load() == 0 {
		return nil, false
	}
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	return p.Globrunqgetlocal(pp), false
}

func (p *listed) network(pp *gmp.P, mp *gmp.M) (*gmp.G, bool) {
	if p.s.Lastpoll.Load() == 0 || !p.s.NetpollAnyWaiters() {
		return nil, false
	}
	list := p.s.Netpoll(mp, 0)
	if list.Head == nil {
		return nil, false
	}
	gp := list.Pop()
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	if list.Head != nil {
		p.s.Injectglist(mp, list)
	}
	return gp, false
}

// Globrunqgetlocal puts one after the other on the ring.
func (p *listed) Globrunqgetlocal(pp *gmp.P) *gmp.G {
	n := min(p.s.Runq.Get().Size, p.s.Runq.Get().Size/p.s.Gomaxprocs.Get()+1, int32(len(pp.Runq)/2))
	gp := p.s.Globrunqget()
	for range n - 1 {
		p.s.Runqput(pp, p.s.Globrunqget(), false)
	}
	return gp
}

// recursive begins anew by calling itself, and Schedule takes what it returns apart in
// another order.
var recursive = gmp.Version{
	Finder: func(s *gmp.Sched) gmp.Finder { return &again{s} },
	Loop:   func(s *gmp.Sched) gmp.Loop { return &wakesBefore{s} },
}

type again struct{ s *gmp.Sched }

func (p *again) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
	if s.Exited() {
		return nil, false, false
	}
	if s.Gcwaiting.Load() {
		s.Gcstopm(mp)
		return p.FindRunnable(mp)
	}
	now, until, _ := s.CheckTimers(mp, mp.P.Get(), 0)
	if gp, inheritTime = s.Nearby(mp); gp != nil {
		return gp, inheritTime, false
	}
	gp, inheritTime, _, theirs, newWork := s.StealWork(mp, now)
	switch {
	case gp != nil:
		return gp, inheritTime, false
	case newWork:
		return p.FindRunnable(mp)
	case until == 0 || theirs != 0 && theirs < until:
		until = theirs
	}
	gp, stopped := p.lastLook(mp)
	switch {
	case gp != nil:
		return gp, false, false
	case !stopped:
		p.rest(mp, until)
	}
	return p.FindRunnable(mp)
}

// lastLook gives back the P, unless there is a G, or the world is to stop.
func (p *again) lastLook(mp *gmp.M) (gp *gmp.G, stopped bool) {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if s.Gcwaiting.Load() {
		return nil, true
	}
	if gp = s.Globrunqgetlocal(mp.P.Get()); gp == nil {
		s.Pidleput(s.Releasep(mp), 0)
	}
	return gp, false
}

// rest returns when mp has a P.
func (p *again) rest(mp *gmp.M, until int64) {
	s := p.s
	if until > 0 || s.NetpollAnyWaiters() {
		if list, polled := s.Netpolluntil(mp, until, 0); polled {
			s.Lock.Lock()
			if pp, _ := s.Pidleget(0); pp != nil {
				s.Acquirep(mp, pp)
			}
			s.Lock.Unlock()
			s.Injectglist(mp, list)
		}
	}
	if mp.P.Get() == nil {
		s.Stopm(mp)
	}
}

type wakesBefore struct{ s *gmp.Sched }

func (p *wakesBefore) Schedule(mp *gmp.M) {
	if mp.Spinning.Get() && !p.s.Runqempty(mp.P.Get()) {
		p.s.Throw("schedule: spinning with local work")
	}
	if gp, inherit, wake := p.s.FindRunnable(mp); gp != nil {
		if wake {
			p.s.Wakep(mp)
		}
		if mp.Spinning.Get() {
			p.s.Resetspinning(mp)
		}
		p.s.Execute(mp, gp, inherit)
	}
}

func (p *wakesBefore) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	if !inheritTime {
		mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() + 1)
	}
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// deferring gives locks back by defer, and yields by a batch of one.
var deferring = gmp.Version{
	Submission: func(s *gmp.Sched) gmp.Submission { return &deferred{s} },
}

type deferred struct{ s *gmp.Sched }

func (p *deferred) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	defer p.s.Wakep(mp)
	if st := gp.Atomicstatus.Load(); st != gmp.Gwaiting && st != gmp.Gwaiting|gmp.Gscan {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Runqput(mp.P.Get(), gp, next)
}

func (p *deferred) Newproc(mp *gmp.M, fn machine.Addr) {
	caller := mp.Curg.Get()
	if caller == nil {
		gp := p.s.Newproc1(mp, fn, nil, 0)
		main := gp.Goid.Get() == 1
		p.s.Runqput(mp.P.Get(), gp, true)
		if main {
			return
		}
	} else {
		p.s.Runqput(mp.P.Get(), p.s.Newproc1(mp, fn, caller, caller.Sched.PC), true)
	}
	p.s.Wakep(mp)
}

func (p *deferred) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Dropg(mp)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	var q gmp.GQueue
	q.PushBack(gp)
	func() {
		p.s.Lock.Lock()
		defer p.s.Lock.Unlock()
		p.s.Globrunqputbatch(q)
	}()
	p.s.Wakep(mp)
	p.s.Schedule(mp)
}
