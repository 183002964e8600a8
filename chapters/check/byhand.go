package check

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// This file is what checks do by hand: the states in which they begin, and what they find.

// NewG makes a G in state st, with the next number. It is in the list of all Gs and on
// no queue, and has no stack: nobody runs it.
func NewG(s *gmp.Sched, st uint32) *gmp.G {
	gp := s.Malg(0)
	gp.Goid.Set(s.Goidgen.Add(1))
	gp.Atomicstatus.Store(st)
	s.Allgadd(gp)
	return gp
}

// NewGWithStack makes a G that can run, with the next number, in the list of all Gs and on no
// queue. It has a stack, on which nothing runs: its SP and the block of arguments of the
// operation that a check calls in its name are so many bytes below the high end.
func NewGWithStack(s *gmp.Sched, sp, args machine.Addr) *gmp.G {
	gp := s.Malg(gmp.StartingStack)
	gp.Goid.Set(s.Goidgen.Add(1))
	gp.Sched.SP = gp.Stack.Get().Hi - sp
	gp.Sched.Args = gp.Stack.Get().Hi - args
	gp.Atomicstatus.Store(gmp.Grunnable)
	s.Allgadd(gp)
	return gp
}

// NewMaker lets the Newproc1 of s, on which nothing has run yet, make Gs as NewG does, in
// place of chapter 1. They are noted by their fn in the map that it returns.
func NewMaker(s *gmp.Sched) (made map[machine.Addr]*gmp.G) {
	m := &maker{s.Goroutines, s, map[machine.Addr]*gmp.G{}}
	s.Goroutines = m
	return m.made
}

type maker struct {
	gmp.Goroutines
	s    *gmp.Sched
	made map[machine.Addr]*gmp.G
}

func (m *maker) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	gp := NewG(m.s, gmp.Grunnable)
	m.made[fn] = gp
	return gp
}

// Running makes gp the current G of mp.
func Running(mp *gmp.M, gp *gmp.G) {
	gp.Atomicstatus.Store(gmp.Grunning)
	gp.M.Set(mp)
	mp.Curg.Set(gp)
}

// Holding makes pp the P of mp.
func Holding(mp *gmp.M, pp *gmp.P) {
	mp.P.Set(pp)
	pp.M.Set(mp)
	pp.Status.Store(gmp.Prunning)
}

// IdleM makes an M, with the next number, that is the first on the list of idle Ms. It has
// no thread.
func IdleM(s *gmp.Sched) *gmp.M {
	mp := &gmp.M{ID: s.Mnext.Get()}
	s.Mnext.Set(s.Mnext.Get() + 1)
	mp.Schedlink.Set(s.Midle.Get())
	s.Midle.Set(mp)
	s.Nmidle.Set(s.Nmidle.Get() + 1)
	return mp
}

// Woken reports whether mp's note is signalled, and uses that up.
func Woken(mp *gmp.M) bool {
	if !mp.Park.SleepTimeout(0) {
		return false
	}
	mp.Park.Clear()
	return true
}

// Drain takes all Gs off the global queue of s, at most a thousand.
func Drain(s *gmp.Sched) []*gmp.G {
	var gs []*gmp.G
	s.Lock.Lock()
	for gp := s.Globrunqget(); gp != nil && len(gs) < 1000; gp = s.Globrunqget() {
		gs = append(gs, gp)
	}
	s.Lock.Unlock()
	return gs
}
