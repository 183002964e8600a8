package ch06_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch06 "gosched/solutions/ch06_p"
)

// TestAlternatives proves that the checks ask for what the contracts say and for
// nothing else: right solutions that take other ways pass.
func TestAlternatives(t *testing.T) {
	for name, parts := range map[string]gmp.Version{"swaps": swaps, "sorts": sorts, "batches": batches, "defers": defers} {
		t.Run(name, func(t *testing.T) { suite.Suite.Test(t, solutions.Base("ch06"), ch06.Parts.With(parts)) })
	}
}

// swaps changes the state of a P with one atomic step, and looks at it afterwards.
var swaps = gmp.Version{
	Procs: func(s *gmp.Sched) gmp.Procs { return &swapping{ch06.NewProcs(s), s} },
}

type swapping struct {
	gmp.Procs
	s *gmp.Sched
}

func (p *swapping) Wirep(mp *gmp.M, pp *gmp.P) {
	switch {
	case mp.P.Get() != nil:
		p.s.Throw("wirep: already in go")
	case pp.M.Get() != nil, !pp.Status.CompareAndSwap(gmp.Pidle, gmp.Prunning):
		p.s.Throw("wirep: invalid p state")
	}
	pp.M.Set(mp)
	mp.P.Set(pp)
}

func (p *swapping) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	if pp == nil {
		p.s.Throw("releasep: invalid arg")
	}
	if pp.M.Get() == mp && pp.Status.Load() == gmp.Prunning {
		mp.P.Set(nil)
		pp.M.Set(nil)
		if pp.Status.Swap(gmp.Pidle) == gmp.Prunning {
			return pp
		}
	}
	p.s.Throw("releasep: invalid p state")
	return nil
}

func (p *swapping) Pidleget(now int64) (*gmp.P, int64) {
	pp := p.s.Pidle.Get()
	if pp != nil {
		p.s.Npidle.Add(-1)
		p.s.Pidle.Set(pp.Link.Get())
		pp.Link.Set(nil)
		if now == 0 {
			now = p.s.Nanotime()
		}
	}
	return pp, now
}

// sorts makes s.Allp anew each time, ends the Ps from the last one on, and moves Gs one by
// one from the tail of a ring, as the runtime does.
var sorts = gmp.Version{
	Procs: func(s *gmp.Sched) gmp.Procs { return &sorting{Procs: ch06.NewProcs(s), s: s} },
}

type sorting struct {
	gmp.Procs
	s  *gmp.Sched
	ps []*gmp.P // all that were ever made
}

func (p *sorting) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	s := p.s
	if nprocs < 1 {
		s.Throw("procresize: invalid arg")
	}
	for int32(len(p.ps)) < nprocs {
		pp := gmp.NewP(int32(len(p.ps)), gmp.RunqLen)
		pp.Sudogcache.Set(make([]*gmp.Sudog, 0, 32))
		p.ps = append(p.ps, pp)
	}
	if pp := mp.P.Get(); pp != nil && pp.ID >= nprocs {
		mp.P.Set(nil)
		pp.M.Set(nil)
	}
	if mp.P.Get() == nil {
		p.ps[0].Status.Store(gmp.Pidle)
		s.Acquirep(mp, p.ps[0])
	}
	mp.P.Get().Status.Store(gmp.Prunning)
	for id := s.Gomaxprocs.Get() - 1; id >= nprocs; id-- {
		p.end(p.ps[id])
	}
	s.Allp.Set(slices.Clone(p.ps[:nprocs]))
	s.Gomaxprocs.Set(nprocs)
	var work []*gmp.P
	for _, pp := range slices.Backward(s.Allp.Get()) {
		if pp == mp.P.Get() {
			continue
		}
		pp.Status.Store(gmp.Pidle)
		if s.Runqempty(pp) {
			s.Pidleput(pp, 1)
		} else {
			work = append(work, pp)
		}
	}
	var list *gmp.P
	for _, pp := range work {
		pp.Link.Set(list)
		list = pp
	}
	return list
}

func (p *sorting) end(pp *gmp.P) {
	s := p.s
	for t := pp.Runqtail.Load(); t != pp.Runqhead.Load(); t = pp.Runqtail.Load() {
		pp.Runqtail.Store(t - 1)
		s.Globrunqputhead(pp.Runq[(t-1)%uint32(len(pp.Runq))].Load())
	}
	if gp := pp.Runnext.Swap(nil); gp != nil {
		s.Globrunqputhead(gp)
	}
	s.GFree.Lock.Lock()
	for gp := pp.GFree.Pop(); gp != nil; gp = pp.GFree.Pop() {
		list := &s.GFree.NoStack
		if gp.Stack.Get().Lo != 0 {
			list = &s.GFree.Stack
		}
		list.Push(gp)
		s.GFree.N.Set(s.GFree.N.Get() + 1)
	}
	s.GFree.Lock.Unlock()
	s.Sudoglock.Lock()
	for _, sg := range pp.Sudogcache.Get() {
		sg.Next.Set(s.Sudogcache.Get())
		s.Sudogcache.Set(sg)
	}
	s.Sudoglock.Unlock()
	clear(pp.Sudogcache.Get())
	pp.Sudogcache.Set(pp.Sudogcache.Get()[:0])
	pp.Status.Store(gmp.Pdead)
}

// batches sorts what goes to the lists for all before it takes the lock.
var batches = gmp.Version{
	Freelists: func(s *gmp.Sched) gmp.Freelists { return &batching{ch06.NewFreelists(s), s} },
	Sudogs:    func(s *gmp.Sched) gmp.Sudogs { return &chained{ch06.NewSudogs(s), s} },
}

type batching struct {
	gmp.Freelists
	s *gmp.Sched
}

func (p *batching) Gfput(mp *gmp.M, gp *gmp.G) {
	s, free := p.s, &mp.P.Get().GFree
	if free.Get().Size < 63 || gp.Atomicstatus.Load() != gmp.Gdead {
		p.Freelists.Gfput(mp, gp)
		return
	}
	if gp.Stack.Get().Hi-gp.Stack.Get().Lo > gmp.StartingStack {
		s.Stackfree(gp.Stack.Get())
		gp.Stack.Set(machine.Stack{})
		gp.Sched.Guard.Store(0)
	}
	free.Push(gp)
	var with, without []*gmp.G
	for free.Get().Size > 31 {
		if gp := free.Pop(); gp.Stack.Get().Lo == 0 {
			without = append(without, gp)
		} else {
			with = append(with, gp)
		}
	}
	s.GFree.Lock.Lock()
	defer s.GFree.Lock.Unlock()
	for _, gp := range with {
		s.GFree.Stack.Push(gp)
	}
	for _, gp := range without {
		s.GFree.NoStack.Push(gp)
	}
	s.GFree.N.Set(s.GFree.N.Get() + int32(len(with)+len(without)))
}

type chained struct {
	gmp.Sudogs
	s *gmp.Sched
}

func (p *chained) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	s, pp := p.s, mp.P.Get()
	if room := cap(pp.Sudogcache.Get()); len(pp.Sudogcache.Get()) == room {
		// The older half goes.
		half := slices.Clone(pp.Sudogcache.Get()[:room/2])
		pp.Sudogcache.Set(append(pp.Sudogcache.Get()[:0], pp.Sudogcache.Get()[room/2:]...))
		s.Sudoglock.Lock()
		for _, sg := range half {
			sg.Next.Set(s.Sudogcache.Get())
			s.Sudogcache.Set(sg)
		}
		s.Sudoglock.Unlock()
	}
	p.Sudogs.ReleaseSudog(mp, sg)
}

// defers gives locks back by defer, and sets up a program in another order.
var defers = gmp.Version{
	Boot: func(s *gmp.Sched) gmp.Boot { return &deferring{s} },
}

type deferring struct{ s *gmp.Sched }

func (p *deferring) Schedinit(mp *gmp.M) {
	s := p.s
	if p.resize(mp) != nil {
		s.Throw("unknown runnable goroutine during bootstrap")
	}
	s.Lastpoll.Store(s.Nanotime() | 1)
	s.Goidgen.Store(0)
	s.Maxmcount.Set(10_000)
	s.GFree.Stack.Set(gmp.GList{})
	s.GFree.NoStack.Set(gmp.GList{})
	s.GFree.N.Set(0)
	s.Newproc(mp, s.Mainfn)
}

func (p *deferring) resize(mp *gmp.M) *gmp.P {
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	p.s.Runq.Set(gmp.GQueue{})
	return p.s.Procresize(mp, int32(p.s.StartingProcs()))
}

func (p *deferring) MainExit(mp *gmp.M, gp *gmp.G) {
	defer p.s.Exit(mp, 0)
	for n := len(p.s.Exithooks.Get()) - 1; n >= 0; n-- {
		p.s.Exithooks.Get()[n]()
	}
}
