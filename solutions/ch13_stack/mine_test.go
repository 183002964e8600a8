package ch13_test

import (
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// mine tests Shrinkstack of s. Report what is wrong with t.Errorf.
//
// s.Malg(8192) makes a G with a stack of 8 KiB. It has no frames, so its Sched.SP can be
// set to where you like: as many bytes below the high end as are in use. Its state must be
// gmp.Gwaiting|gmp.Gscan, as if you had looked at a G that waits.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question Of a stack of 8 KiB, how many bytes may be in use at most so that it shrinks? And how many bytes does it have then?
	//course:step A table: the size, the bytes in use, and the size afterwards. Have one that is nearly empty, one on each side of the border, and one that must not become smaller.
	for _, c := range []struct{ size, used, want uint64 }{
		{8192, 64, 4096},
		{32768, 64, 16384},
		{8192, 2048 - machine.StackSmall - 8, 4096},
		{8192, 2048 - machine.StackSmall, 8192},
		{8192, 3000, 8192},
		{2048, 64, 2048},
	} {
		//course:step Make the G, put a number at the lowest word in use, and shrink.
		gp := s.Malg(c.size)
		gp.Atomicstatus.Store(gmp.Gwaiting | gmp.Gscan)
		gp.Sched.SP = gp.Stack.Get().Hi - machine.Addr(c.used)
		s.Machine.SetWord(gp.Sched.SP, 42)
		s.Shrinkstack(gp)
		//course:step Compare the size, the bytes in use, and the number.
		st := gp.Stack.Get()
		if got := uint64(st.Hi - st.Lo); got != c.want {
			t.Errorf("%d bytes of %d are in use; after Shrinkstack the stack has %d bytes, want %d", c.used, c.size, got, c.want)
		}
		if got := uint64(st.Hi - gp.Sched.SP); got != c.used || s.Machine.Word(gp.Sched.SP) != 42 {
			t.Errorf("%d bytes of %d were in use; after Shrinkstack there are %d, or other ones", c.used, c.size, got)
		}
	}
}

// TestMine runs your test on a correct Shrinkstack, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch13"), solutions.Mutants("ch13"), mine)
}
