package ch04_test

import (
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// hasty looks at a list before it locks it, as the runtime does, and again under the lock.
var hasty = gmp.Version{
	NotifyLists: func(s *gmp.Sched) gmp.NotifyLists { return &hastyLists{solutions.Base("ch04").NotifyLists(s), s} },
}

type hastyLists struct {
	gmp.NotifyLists
	s *gmp.Sched
}

func (p *hastyLists) NotifyListAdd(l *gmp.NotifyList) uint32 {
	l.Lock.Lock()
	defer l.Lock.Unlock()
	return l.Wait.Add(1) - 1
}

func (p *hastyLists) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	if int32(l.Notify.Load()-t) > 0 {
		return
	}
	p.NotifyLists.NotifyListWait(mp, gp, l, t)
}

func (p *hastyLists) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	if l.Wait.Load() == l.Notify.Load() {
		return
	}
	l.Lock.Lock()
	var gs []*gmp.G
	for l.Head.Get() != nil {
		sg := l.Head.Get()
		l.Head.Set(sg.Next.Get())
		sg.Next.Set(nil)
		sg.G.Get().Param.Set(sg)
		gs = append(gs, sg.G.Get())
	}
	l.Tail.Set(nil)
	for l.Notify.Load() != l.Wait.Load() {
		l.Notify.Store(l.Wait.Load())
	}
	l.Lock.Unlock()
	for _, gp := range gs {
		p.s.Goready(mp, gp)
	}
}

func (p *hastyLists) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	if l.Wait.Load() == l.Notify.Load() {
		return
	}
	p.NotifyLists.NotifyListNotifyOne(mp, l)
}
