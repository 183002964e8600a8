package ch02

import (
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"

	"github.com/google/go-cmp/cmp"
)

// newGs makes n Gs in state st, numbered from 1. They are in the list of all Gs
// and on no queue. They have no stack: nobody runs them.
func newGs(s *gmp.Sched, n int, st uint32) []*gmp.G {
	gs := make([]*gmp.G, n)
	for i := range gs {
		gs[i] = check.NewG(s, st)
	}
	return gs
}

// queue puts gs on the global queue.
func queue(s *gmp.Sched, gs ...*gmp.G) {
	s.Lock.Lock()
	for _, gp := range gs {
		s.Globrunqput(gp)
	}
	s.Lock.Unlock()
}

// diff compares what a program printed with what it should.
func diff(want, got []string) string {
	// go-cmp mixes in no-break spaces, at random, so that nobody relies on its form.
	return strings.ReplaceAll(cmp.Diff(want, got), "\u00a0", " ")
}

// wantQueued checks that the global queue holds just want, in that order, and
// empties it.
func wantQueued(t *check.T, s *gmp.Sched, after string, want ...*gmp.G) {
	t.Helper()
	if got := check.Drain(s); check.Names(got) != check.Names(want) {
		t.Errorf("after %s the global queue holds %s; want %s", after, check.Names(got), check.Names(want))
	}
}

// wantCurrent checks that mp runs gp, or nothing if gp is nil.
func wantCurrent(t *check.T, mp *gmp.M, after string, gp *gmp.G) {
	t.Helper()
	if mp.Curg.Get() != gp {
		t.Errorf("after %s mp.Curg is %s; want %s", after, check.Name(mp.Curg.Get()), check.Name(gp))
	}
}

// A maker stands in for chapter 1: its Newproc1 makes Gs that nobody will run,
// and remembers what it was asked for.
type maker struct {
	gmp.Goroutines
	s     *gmp.Sched
	asked []order
}

// An order is one call of Newproc1.
type order struct {
	fn       machine.Addr
	callergp *gmp.G
	callerpc machine.PC
	locked   bool   // s.Lock was held
	made     *gmp.G // the result
}

// standIn puts a maker in the place of the Goroutines of s.
func standIn(s *gmp.Sched) *maker {
	m := &maker{Goroutines: s.Goroutines, s: s}
	s.Goroutines = m
	return m
}

func (m *maker) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	gp := check.NewG(m.s, gmp.Grunnable)
	m.asked = append(m.asked, order{fn, callergp, callerpc, check.Held(&m.s.Lock), gp})
	return gp
}
