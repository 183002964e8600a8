package ch04_test

import (
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// mine tests the waiters of semaphores of s: SemaQueue and SemaDequeue. Report what
// is wrong with t.Errorf.
//
// new(gmp.SemaRoot) is an empty root; nothing else uses it, so no lock is needed.
// s.Allm.Load() is an M. An address is any number but 0; it is only compared. A sudog
// that waits has a G, by which it can be told from others: &gmp.Sudog{G:
// machine.CellOf(new(gmp.G))}. Its Blank tells whether all fields are zero.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question A step goes wrong and all looks well. In which of the sudogs that come or leave after it does it show?
	//course:step Make a root, three addresses, and a sudog for each waiter.
	mp, root := s.Allm.Load(), new(gmp.SemaRoot)
	const a, b, c machine.Addr = 0x1000, 0x1008, 0x1010
	var sg [8]*gmp.Sudog
	for i := range sg {
		sg[i] = &gmp.Sudog{G: machine.CellOf(new(gmp.G))}
	}
	//course:step Let several wait for each of several addresses, some of them with lifo.
	queue := func(addr machine.Addr, i int, lifo bool) { s.SemaQueue(mp, root, addr, sg[i], lifo) }
	queue(b, 0, false)
	queue(b, 1, false)
	queue(b, 2, false)
	queue(a, 3, false)
	queue(c, 4, false)
	queue(c, 5, false)
	queue(c, 6, true)
	//course:step Take them out, one address at a time. Which one must come? And what may be left in it, apart from its G?
	want := func(addr machine.Addr, i int) {
		got := s.SemaDequeue(mp, root, addr)
		if got != sg[i] {
			t.Errorf("address %#x: not the one whose turn it is", uint64(addr))
			return
		}
		if got.G.Set(nil); !got.Blank() {
			t.Errorf("address %#x: a sudog that has left still has more than its G", uint64(addr))
		}
	}
	want(c, 6)
	want(b, 0)
	//course:step Let one more come, to an address for which others still wait. Are all of them still there?
	queue(b, 7, false)
	want(b, 1)
	want(b, 2)
	want(b, 7)
	want(a, 3)
	want(c, 4)
	want(c, 5)
	//course:step At the end none is left, for any address.
	for _, addr := range []machine.Addr{a, b, c} {
		if s.SemaDequeue(mp, root, addr) != nil {
			t.Errorf("address %#x: all have left, and one still comes", uint64(addr))
		}
	}
}

// TestMine runs your test on correct waiters, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch04"), solutions.Mutants("ch04"), mine)
}
