package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// mine tests IsAsyncSafePoint of s. Report what is wrong with t.Errorf.
//
// gmp.M{} and gmp.NewP(0, 2) make an M and a P, check.Holding and check.Running link them and a
// G. s.Program() is an empty program, and yours: give it Code, and in Unsafe a bit for each pc
// that is no safe point.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question Which four things keep a G from being stopped? And is a G that is at none of them always stopped?
	//course:step A program with a function of a few instructions, one of which is marked.
	prog := s.Program()
	prog.Code = []machine.Instr{machine.EncImm(machine.ENTER, 0, 0, 2), machine.EncImm(machine.LDI, 0, 0, 1), machine.EncImm(machine.RET, 0, 0, 2)}
	prog.Funcs = []machine.Func{{Name: "main.work", Entry: 0, End: 3, Frame: 2}}
	prog.Unsafe = []uint64{1 << 2}
	//course:step A table: what is in the way, and the answer. Have one with nothing in the way, which is not at the beginning of the function.
	for _, c := range []struct {
		what string
		pc   machine.PC
		set  func(mp *gmp.M, pp *gmp.P, gp *gmp.G)
		want bool
	}{
		{"nothing is in the way", 1, func(mp *gmp.M, pp *gmp.P, gp *gmp.G) {}, true},
		{"the M is not to be interrupted", 1, func(mp *gmp.M, pp *gmp.P, gp *gmp.G) { mp.Locks.Set(1) }, false},
		{"the G is in a call", 1, func(mp *gmp.M, pp *gmp.P, gp *gmp.G) { gp.Sched.Trap = machine.TrapRawSyscall }, false},
		{"the pc is marked", 2, func(mp *gmp.M, pp *gmp.P, gp *gmp.G) {}, false},
	} {
		//course:step Make M, P and G, put it in the way, and ask.
		mp, pp, gp := &gmp.M{}, gmp.NewP(0, 2), &gmp.G{}
		check.Holding(mp, pp)
		check.Running(mp, gp)
		pp.Status.Store(gmp.Prunning)
		c.set(mp, pp, gp)
		if got := s.IsAsyncSafePoint(gp, c.pc); got != c.want {
			t.Errorf("%s, and IsAsyncSafePoint is %v", c.what, got)
		}
	}
}

// TestMine runs your test on a correct IsAsyncSafePoint, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch14"), solutions.Mutants("ch14"), mine)
}
