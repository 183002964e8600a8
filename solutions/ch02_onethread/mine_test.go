package ch02_test

import (
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// mine tests the global queue of s, which nothing else uses: Globrunqput, Globrunqputhead
// and Globrunqget, each called with s.Lock held, and what they leave in s.Runq. Gs made by
// hand will do, &gmp.G{Goid: machine.CellOf(int64(1))}: they do not run, so they need no
// stack. Report what is wrong with t.Errorf.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:lead What does a queue promise, and when is each promise hardest to keep?
	//course:step Make a few Gs by hand.
	var g [4]*gmp.G
	for i := range g {
		g[i] = &gmp.G{Goid: machine.CellOf(int64(i + 1))}
	}
	//course:step Work out what must come out, for some order of putting in.
	s.Lock.Lock()
	defer s.Lock.Unlock()
	want := func(what string, order ...*gmp.G) {
		for _, gp := range append(order, nil) {
			got := s.Globrunqget()
			if got != gp {
				t.Errorf("%s: Globrunqget returned %v, want %v", what, got, gp)
			}
			if got != nil && got.Schedlink.Get() != nil {
				t.Errorf("%s: a G that has left the queue still has a Schedlink", what)
			}
		}
	}
	//course:step Test each method: at the tail, at the head, both mixed, into an empty queue.
	s.Globrunqput(g[0])
	s.Globrunqput(g[1])
	s.Globrunqput(g[2])
	want("three at the tail", g[0], g[1], g[2])
	//course:step Test the queue again after it has been empty.
	s.Globrunqputhead(g[1])
	s.Globrunqput(g[2])
	s.Globrunqputhead(g[0])
	s.Globrunqput(g[3])
	want("head and tail in turn", g[0], g[1], g[2], g[3])
}

// TestMine runs your test on the correct queue, where it must pass, and on
// wrong ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch02"), solutions.Mutants("ch02"), mine)
}
