package ch13

import (
	_ "embed"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

//go:embed mutants.go
var mutantsSource string

// Mends are what the student mends in this chapter.
var Mends = check.Mends{
	Source: mutantsSource,
	List: []check.Mend{
		{
			Check: "mend-guard", Mutant: "grow-guards-again", Type: "growMended", Method: "Newstack", Lines: 3, Delegates: true,
			Met: [2][]string{{"59456 → -1314", "gp.Preempt.Set(true)"}, {"-1314 → 59456"}},
		},
		{
			Check: "mend-yield", Mutant: "yield-clears-late", Type: "yieldMended", Method: "Newstack", Lines: 4, Delegates: true,
			Met: [2][]string{{"gp.Preempt.Set(true) 0 → 1"}, {"gp.Preempt.Set(false) 1 → 0"}},
		},
		{
			Check: "mend-chan", Mutant: "copy-locks-late", Type: "chanMended", Method: "Copystack", Lines: 2,
			Met: [2][]string{{"writes G1's slot"}, {"s.Machine.Copy(…)", "reads G1's stack"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "copy-frees-early", What: "Copystack frees the old stack before it adjusts the frames",
		Parts: mutant(func(p *stacks) gmp.Stacks { return copyFreesEarly{right{p, p.s}} }),
	},
}

type copyFreesEarly struct{ right }

func (p copyFreesEarly) Copystack(gp *gmp.G, newsize uint64) {
	s, old := p.s, gp.Stack.Get()
	used := old.Hi - gp.Sched.SP
	if uint64(used) > newsize {
		s.Throw("copystack: stack too small")
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	p.channels(gp, (*machine.Mutex).Lock)
	s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))
	s.Adjustsudogs(gp, adj)
	p.channels(gp, (*machine.Mutex).Unlock)
	s.Stackfree(old)
	s.Adjustctxt(gp, adj)
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		s.Adjustframe(fr, adj)
		return true
	})
	gp.Stack.Set(st)
	gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
}
