package ch08

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
			Check: "mend-ready", Mutant: "ready-wakes-first", Type: "readyMended", Method: "Ready", Lines: 2,
			Met: [2][]string{{"p.s.Npidle.Load() = 0", "l.s.Runqsize.Store(n)"}, {"schedule(…)", "s.Npidle 0 → 1"}},
		},
		{
			Check: "mend-newproc", Mutant: "newproc-touches", Type: "newprocMended", Method: "Newproc", Lines: 3,
			Met: [2][]string{{"takes G2 off its queue", "new G of it", "gp.Goid.Set(gp.Goid.Get())"}, {"gp.Goid.Get()"}},
		},
		{
			Check: "mend-yield", Mutant: "yield-wakes-nobody", Type: "yieldMended", Method: "GoschedImpl", Lines: 1,
			Met: [2][]string{{"schedule(…)", "s.Npidle 0 → 1"}, {"GoschedImpl(…)"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "yield-locks-early", What: "GoschedImpl takes s.Lock before it changes the state of the G",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return yieldLocksEarly{p} }),
	},
}

type yieldLocksEarly struct{ *submission }

func (p yieldLocksEarly) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	s := p.s
	s.Lock.Lock()
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	s.Globrunqput(gp)
	s.Lock.Unlock()
	s.Wakep(mp)
	s.Schedule(mp)
}
