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

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch06"), map[string]gmp.Version{
		"swaps": swaps, "sorts": sorts, "batches": batches, "defers": defers,
		"small-caches": smallCaches, "carries": carries, "from-the-back": fromTheBack, "own-list": ownList,
	})
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

// batches sorts what goes to the shared lists before it takes the lock.
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
		pp.Sudogcache.Set(slices.Delete(pp.Sudogcache.Get(), 0, room/2)) // which clears what is behind
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

// smallCaches gives a P room for 16 sudogs, and takes the oldest of a cache first.
var smallCaches = gmp.Version{
	Procs:  func(s *gmp.Sched) gmp.Procs { return &small{ch06.NewProcs(s), s} },
	Sudogs: func(s *gmp.Sched) gmp.Sudogs { return &oldest{ch06.NewSudogs(s), s} },
}

type small struct {
	gmp.Procs
	s *gmp.Sched
}

func (p *small) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	known := p.s.Allp.Get()[:cap(p.s.Allp.Get())]
	list := p.Procs.Procresize(mp, nprocs)
	for _, pp := range p.s.Allp.Get() {
		if !slices.Contains(known, pp) {
			pp.Sudogcache.Set(make([]*gmp.Sudog, 0, 16))
		}
	}
	return list
}

type oldest struct {
	gmp.Sudogs
	s *gmp.Sched
}

func (p *oldest) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	pp := mp.P.Get()
	cache := pp.Sudogcache.Get()
	if len(cache) == 0 {
		cache = append(cache, p.fetch(cap(cache)/2)...)
	}
	if len(cache) == 0 {
		return &gmp.Sudog{}
	}
	sg := cache[0]
	pp.Sudogcache.Set(slices.Delete(cache, 0, 1))
	return sg
}

// fetch takes up to n off the shared list, and unlinks them when it has given back the
// lock: nobody else finds them any more.
func (p *oldest) fetch(n int) (sgs []*gmp.Sudog) {
	s := p.s
	s.Sudoglock.Lock()
	sg := s.Sudogcache.Get()
	for ; sg != nil && len(sgs) < n; sg = sg.Next.Get() {
		sgs = append(sgs, sg)
	}
	s.Sudogcache.Set(sg)
	s.Sudoglock.Unlock()
	for _, sg := range sgs {
		sg.Next.Set(nil)
	}
	return sgs
}

// carries moves dead Gs between P and the shared list in a slice of its own, so that it holds
// the lock for as short a time as possible.
var carries = gmp.Version{
	Freelists: func(s *gmp.Sched) gmp.Freelists { return &carrying{s} },
}

type carrying struct{ s *gmp.Sched }

func (p *carrying) Gfget(mp *gmp.M) *gmp.G {
	s, free := p.s, &mp.P.Get().GFree
	gp := free.Pop()
	if gp == nil {
		gs := p.fetch()
		for _, gp := range gs {
			free.Push(gp)
		}
		if gp = free.Pop(); gp == nil {
			return nil
		}
	}
	if gp.Stack.Get() == (machine.Stack{}) {
		st := s.Stackalloc(gmp.StartingStack)
		gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
		gp.Stack.Set(st)
	}
	return gp
}

func (p *carrying) fetch() (gs []*gmp.G) {
	all := &p.s.GFree
	all.Lock.Lock()
	defer all.Lock.Unlock()
	for _, list := range []*gmp.SharedGList{&all.Stack, &all.NoStack} {
		for len(gs) < 32 {
			gp := list.Pop()
			if gp == nil {
				break
			}
			gs = append(gs, gp)
		}
	}
	all.N.Set(all.N.Get() - int32(len(gs)))
	return gs
}

func (p *carrying) Gfput(mp *gmp.M, gp *gmp.G) {
	s, free := p.s, &mp.P.Get().GFree
	if gp.Atomicstatus.Load() != gmp.Gdead {
		s.Throw("gfput: bad status (not Gdead)")
	}
	if st := gp.Stack.Get(); st.Hi-st.Lo != gmp.StartingStack && st.Lo != 0 {
		gp.Stack.Set(machine.Stack{})
		s.Stackfree(st)
	}
	// It makes room first, and so keeps gp itself in any case.
	if free.Get().Size == 63 {
		var lists [2]gmp.GList
		for free.Get().Size > 30 {
			gp, i := free.Pop(), 0
			if gp.Stack.Get().Lo == 0 {
				i = 1
			}
			lists[i].Push(gp)
		}
		p.give(lists)
	}
	free.Push(gp)
}

func (p *carrying) give(lists [2]gmp.GList) {
	all := &p.s.GFree
	all.Lock.Lock()
	for i, list := range []*gmp.SharedGList{&all.Stack, &all.NoStack} {
		for gp := lists[i].Pop(); gp != nil; gp = lists[i].Pop() {
			list.Push(gp)
			all.N.Set(all.N.Get() + 1)
		}
	}
	all.Lock.Unlock()
}

// fromTheBack lets Ps die first, and only then finds one for the M; the caches of a P that
// dies are emptied by the methods that serve its owner.
var fromTheBack = gmp.Version{
	Procs: func(s *gmp.Sched) gmp.Procs { return &backward{ch06.NewProcs(s), s} },
}

type backward struct {
	gmp.Procs
	s *gmp.Sched
}

func (p *backward) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	s := p.s
	if nprocs < 1 {
		s.Throw("procresize: invalid arg")
	}
	mine := mp.P.Get()
	if mine != nil {
		mine.M.Set(nil)
		mp.P.Set(nil)
	}
	ps := s.Allp.Get()
	for len(ps) > int(nprocs) {
		p.end(ps[len(ps)-1])
		ps = ps[:len(ps)-1]
	}
	for len(ps) < int(nprocs) {
		if len(ps) == cap(ps) {
			ps = append(ps, nil)[:len(ps)]
		}
		ps = ps[:len(ps)+1]
		if last := len(ps) - 1; ps[last] == nil {
			ps[last] = gmp.NewP(int32(last), gmp.RunqLen)
			ps[last].Sudogcache.Set(make([]*gmp.Sudog, 0, 64))
		}
	}
	s.Gomaxprocs.Set(nprocs)
	s.Allp.Set(ps)
	if mine == nil || mine.ID >= nprocs {
		mine = ps[0]
		mine.Status.Store(gmp.Pidle)
		s.Acquirep(mp, mine)
	} else {
		mp.P.Set(mine)
		mine.M.Set(mp)
		mine.Status.Store(gmp.Prunning)
	}
	var list *gmp.P
	for _, pp := range slices.Backward(ps) {
		if pp == mine {
			continue
		}
		pp.Status.Store(gmp.Pidle)
		if !s.Runqempty(pp) {
			pp.Link.Set(list)
			list = pp
			continue
		}
		s.Pidleput(pp, s.Nanotime())
	}
	return list
}

func (p *backward) end(pp *gmp.P) {
	s := p.s
	// Its queue passes by way of a list, which turns it round.
	var list gmp.GList
	queue := s.Runqdrain(pp)
	for gp := queue.Pop(); gp != nil; gp = queue.Pop() {
		list.Push(gp)
	}
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		s.Globrunqputhead(gp)
	}
	for gp := pp.GFree.Pop(); gp != nil; gp = pp.GFree.Pop() {
		s.GFree.Lock.Lock()
		if gp.Stack.Get().Lo != 0 {
			s.GFree.Stack.Push(gp)
		} else {
			s.GFree.NoStack.Push(gp)
		}
		s.GFree.N.Set(s.GFree.N.Get() + 1)
		s.GFree.Lock.Unlock()
	}
	s.Sudoglock.Lock()
	cache := pp.Sudogcache.Get()
	for i, sg := range slices.Backward(cache) {
		sg.Next.Set(s.Sudogcache.Get())
		s.Sudogcache.Set(sg)
		cache[i] = nil
	}
	pp.Sudogcache.Set(cache[:0])
	s.Sudoglock.Unlock()
	pp.Status.Store(gmp.Pdead)
}

// ownList keeps the list of idle Ps with a type of its own, counts first, and looks at the
// clock where it need not.
var ownList = gmp.Version{
	Procs: func(s *gmp.Sched) gmp.Procs { return &listing{ch06.NewProcs(s), idlePs{s}, s} },
}

type idlePs struct{ s *gmp.Sched }

func (l idlePs) push(pp *gmp.P) {
	l.s.Npidle.Store(l.s.Npidle.Load() + 1)
	pp.Link.Set(l.s.Pidle.Get())
	l.s.Pidle.Set(pp)
}

func (l idlePs) pop() *gmp.P {
	pp := l.s.Pidle.Get()
	if pp == nil {
		return nil
	}
	l.s.Pidle.Set(pp.Link.Get())
	l.s.Npidle.Store(l.s.Npidle.Load() - 1)
	pp.Link.Set(nil)
	return pp
}

type listing struct {
	gmp.Procs
	idle idlePs
	s    *gmp.Sched
}

func (p *listing) Pidleput(pp *gmp.P, now int64) int64 {
	at := p.s.Nanotime()
	if now != 0 {
		at = now
	}
	if pp.Runnext.Load() != nil || pp.Runqhead.Load() != pp.Runqtail.Load() {
		p.s.Throw("pidleput: P has non-empty run queue")
	}
	p.idle.push(pp)
	return at
}

func (p *listing) Pidleget(now int64) (*gmp.P, int64) {
	pp := p.idle.pop()
	if pp != nil && now == 0 {
		return pp, p.s.Nanotime()
	}
	return pp, now
}

func (p *listing) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	switch {
	case pp == nil:
		p.s.Throw("releasep: invalid arg")
	case pp.M.Get() != mp, pp.Status.Load() != gmp.Prunning:
		p.s.Throw("releasep: invalid p state")
	}
	defer func() { mp.P.Set(nil) }()
	pp.Status.Store(gmp.Pidle)
	pp.M.Set(nil)
	return pp
}
