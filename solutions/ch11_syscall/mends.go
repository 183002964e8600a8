package ch11

import (
	_ "embed"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

//go:embed mutants.go
var mutantsSource string

// Mends are what the student mends in this chapter.
var Mends = check.Mends{
	Source: mutantsSource,
	List: []check.Mend{
		{
			Check: "mend-enter", Mutant: "enter-looks-first", Type: "enterMended", Method: "Entersyscall", Lines: 2,
			Met: [2][]string{{"s.Gcwaiting.Load() = 0", "pp.Status.Store(gmp.Psyscall)"}, {"s.Gcwaiting.Store(true)", "pp.Status.CompareAndSwap"}},
		},
		{
			Check: "mend-monitor", Mutant: "enter-wakes-twice", Type: "wakeMended", Method: "Entersyscall", Lines: 2,
			Met: [2][]string{{"s.Sysmonwait.Load() = 1"}, {"ExitsyscallPidle(…)", "s.Sysmonwait 1 → 0"}},
		},
		{
			Check: "mend-handoff", Mutant: "handoff-looks-once", Type: "handoffMended", Method: "Handoffp", Lines: 2,
			Met: [2][]string{{"s.Runqsize.Load() = 0"}, {"Exitsyscall(…)", "s.Runqsize 0 → 1"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "block-hands-off-first", What: "Entersyscallblock hands the P off while the G is still Grunning, as since Go 1.26",
		Parts: callsMutant(func(p *syscalls) gmp.Syscalls { return blockHandsOffFirst{p} }),
	},
}

type blockHandsOffFirst struct{ *syscalls }

func (p blockHandsOffFirst) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	s.Handoffp(mp, s.Releasep(mp))
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
}
