package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch08 "gosched/solutions/ch08_loop"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch08"), map[string]gmp.Version{
		"table": table, "recursive": recursive, "deferring": deferring,
		"flagged": flagged, "restless": restless, "phased": phased, "under-lock": underLock,
	})
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
	unask(gp)
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
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
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

// flagged knows the main goroutine by a flag, as the runtime does, and wakes more often than
// it must.
var flagged = gmp.Version{
	Submission: func(s *gmp.Sched) gmp.Submission { return &flags{s: s} },
}

type flags struct {
	s       *gmp.Sched
	started machine.Bool // Newproc has made the main goroutine
}

func (p *flags) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if gp.Atomicstatus.Load()|gmp.Gscan != gmp.Gwaiting|gmp.Gscan {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Wakep(mp)
	p.s.Runqput(mp.P.Get(), gp, next)
	p.s.Wakep(mp)
	p.s.Wakep(mp)
}

func (p *flags) Newproc(mp *gmp.M, fn machine.Addr) {
	wake := p.started.Swap(true)
	caller := mp.Curg.Get()
	var pc machine.PC
	if caller != nil {
		pc = caller.Sched.PC
	}
	p.s.Runqput(mp.P.Get(), p.s.Newproc1(mp, fn, caller, pc), true)
	if wake {
		p.s.Wakep(mp)
	}
}

func (p *flags) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Wakep(mp)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	gp.M.Set(nil)
	mp.Curg.Set(nil)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Wakep(mp)
	p.s.Schedule(mp)
}

// restless looks everywhere once more, where it need not.
var restless = gmp.Version{
	Finder: func(s *gmp.Sched) gmp.Finder { return &looksTwice{s} },
	Loop:   func(s *gmp.Sched) gmp.Loop { return &asksFirst{s} },
}

type looksTwice struct{ s *gmp.Sched }

func (p *looksTwice) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
begin:
	if s.Exited() {
		return nil, false, false
	}
	if s.Gcwaiting.Load() {
		s.Gcstopm(mp)
		goto begin
	}
	_, until, _ := s.CheckTimers(mp, mp.P.Get(), 0)
	for range 2 {
		if gp, inheritTime = s.Nearby(mp); gp != nil {
			return gp, inheritTime, false
		}
		gp, _, _, theirs, newWork := s.StealWork(mp, 0)
		if gp != nil {
			return gp, false, false
		}
		if newWork || s.Gcwaiting.Load() {
			goto begin
		}
		if theirs > 0 && (until == 0 || until > theirs) {
			until = theirs
		}
	}
	network := s.NetpollAnyWaiters()
	s.Lock.Lock()
	if s.Gcwaiting.Load() {
		s.Lock.Unlock()
		goto begin
	}
	if gp = s.Globrunqgetlocal(mp.P.Get()); gp != nil {
		s.Lock.Unlock()
		return gp, false, false
	}
	s.Pidleput(s.Releasep(mp), 0)
	s.Lock.Unlock()
	// Once more, for nothing: whoever queues a G now finds the P.
	if s.Runqsize.Load() > 0 && p.back(mp) {
		goto begin
	}
	if until > 0 || network || s.NetpollAnyWaiters() {
		if list, polled := s.Netpolluntil(mp, until, 0); polled {
			has := p.back(mp)
			s.Injectglist(mp, list)
			if has {
				goto begin
			}
		}
	}
	s.Stopm(mp)
	goto begin
}

// back takes an idle P for mp, if there is one.
func (p *looksTwice) back(mp *gmp.M) bool {
	p.s.Lock.Lock()
	pp, _ := p.s.Pidleget(0)
	p.s.Lock.Unlock()
	if pp != nil {
		p.s.Acquirep(mp, pp)
	}
	return pp != nil
}

type asksFirst struct{ s *gmp.Sched }

func (p *asksFirst) Schedule(mp *gmp.M) {
	if mp.Spinning.Get() {
		if !p.s.Runqempty(mp.P.Get()) {
			p.s.Throw("schedule: spinning with local work")
		}
	}
	gp, inherit, wake := p.s.FindRunnable(mp)
	if mp.Spinning.Get() {
		p.s.Resetspinning(mp)
	}
	if gp == nil {
		return
	}
	if wake {
		p.s.Wakep(mp)
		p.s.Wakep(mp)
	}
	p.s.Execute(mp, gp, inherit)
}

func (p *asksFirst) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	unask(gp)
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	if tick := &mp.P.Get().Schedtick; !inheritTime {
		tick.Set(tick.Get() + 1)
	}
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// phased finds in phases, each a method that says which one comes next.
var phased = gmp.Version{
	Finder: func(s *gmp.Sched) gmp.Finder { return &phases{s: s} },
}

type phases struct{ s *gmp.Sched }

// A search is one call of FindRunnable.
type search struct {
	s       *gmp.Sched
	mp      *gmp.M
	gp      *gmp.G
	inherit bool
	times   [2]int64 // when timers are due, of the P and of others
}

type phase func(f *search) phase

func (p *phases) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	f := &search{s: p.s, mp: mp}
	for next := phase((*search).stop); next != nil && f.gp == nil; {
		next = next(f)
	}
	return f.gp, f.inherit, false
}

func (f *search) stop() phase {
	for f.s.Gcwaiting.Load() && !f.s.Exited() {
		f.s.Gcstopm(f.mp)
	}
	if f.s.Exited() {
		return nil
	}
	return (*search).near
}

func (f *search) near() phase {
	_, f.times[0], _ = f.s.CheckTimers(f.mp, f.mp.P.Get(), 0)
	f.gp, f.inherit = f.s.Nearby(f.mp)
	return (*search).far
}

func (f *search) far() phase {
	var newWork bool
	f.gp, f.inherit, _, f.times[1], newWork = f.s.StealWork(f.mp, 0)
	if newWork {
		return (*search).stop
	}
	return (*search).giveUp
}

func (f *search) giveUp() phase {
	f.s.Lock.Lock()
	defer f.s.Lock.Unlock()
	if f.s.Gcwaiting.Load() {
		return (*search).stop
	}
	if f.gp = f.s.Globrunqgetlocal(f.mp.P.Get()); f.gp == nil {
		f.s.Pidleput(f.s.Releasep(f.mp), 0)
	}
	return (*search).wait
}

func (f *search) wait() phase {
	until := max(f.times[0], f.times[1])
	if least := min(f.times[0], f.times[1]); least > 0 {
		until = least
	}
	if until == 0 && !f.s.NetpollAnyWaiters() {
		return (*search).sleep
	}
	list, polled := f.s.Netpolluntil(f.mp, until, 0)
	if !polled {
		return (*search).sleep
	}
	f.s.Lock.Lock()
	if pp, _ := f.s.Pidleget(f.s.Nanotime()); pp != nil {
		f.s.Acquirep(f.mp, pp)
	}
	f.s.Lock.Unlock()
	f.s.Injectglist(f.mp, list)
	if f.mp.P.Get() == nil {
		return (*search).sleep
	}
	return (*search).stop
}

func (f *search) sleep() phase {
	f.s.Stopm(f.mp)
	return (*search).stop
}

// underLock does all of a yield in one step under the lock, and takes a batch one by one.
var underLock = gmp.Version{
	Submission: func(s *gmp.Sched) gmp.Submission { return &yieldsLocked{ch08.NewSubmission(s), s} },
	Sources:    func(s *gmp.Sched) gmp.Sources { return &oneByOne{s} },
}

type yieldsLocked struct {
	gmp.Submission
	s *gmp.Sched
}

func (p *yieldsLocked) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Lock.Lock()
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Wakep(mp)
	p.s.Schedule(mp)
}

type oneByOne struct{ s *gmp.Sched }

func (p *oneByOne) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	pp := mp.P.Get()
	fromGlobal := func(get func() *gmp.G) *gmp.G {
		if p.s.Runqsize.Load() == 0 {
			return nil
		}
		p.s.Lock.Lock()
		defer p.s.Lock.Unlock()
		return get()
	}
	if tick := pp.Schedtick.Get(); tick%61 == 0 {
		gp = fromGlobal(p.s.Globrunqget)
	}
	if gp == nil {
		gp, inheritTime = p.s.Runqget(pp)
	}
	if gp == nil {
		gp = fromGlobal(func() *gmp.G { return p.s.Globrunqgetlocal(pp) })
	}
	if gp == nil && p.s.Lastpoll.Load() != 0 && p.s.NetpollAnyWaiters() {
		list := p.s.Netpoll(mp, 0)
		gp = list.Pop()
		p.s.Injectglist(mp, list)
		if gp != nil {
			p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		}
	}
	return gp, inheritTime
}

func (p *oneByOne) Globrunqgetlocal(pp *gmp.P) *gmp.G {
	n := min(len(pp.Runq)/2, int(p.s.Runq.Get().Size/p.s.Gomaxprocs.Get())+1)
	first := p.s.Globrunqget()
	for range n - 1 {
		gp := p.s.Globrunqget()
		if gp == nil {
			break
		}
		var q gmp.GQueue
		q.PushBack(gp)
		p.s.Runqputbatch(pp, q)
	}
	return first
}

// unask ends a request to stop, the guard first.
func unask(gp *gmp.G) {
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	gp.Preempt.Set(false)
}
