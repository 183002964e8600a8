package ch05

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
			Check: "mend-match", Mutant: "match-gives-late", Type: "matchMended", Method: "Matchmg", Lines: 2,
			Met: [2][]string{{"idle.Park.Wakeup()", "idle.Nextg.Set("}, {"mp.Park.Sleep()", "mp.Park.Clear()", "mp.Nextg.Get()"}},
		},
		{
			Check: "mend-next", Mutant: "next-discounts-late", Type: "nextMended", Method: "NextGAndUnlock", Lines: 2,
			Met: [2][]string{{"p.s.Mcpu.Set(others)"}, {"p.s.Mcpu.Get()"}},
		},
		{
			Check: "mend-yield", Mutant: "yield-queues-first", Type: "yieldMended", Method: "GoschedImpl", Lines: 2,
			Met: [2][]string{{"mp.Curg.Get().M.Set(nil)", "p.s.Lock.Unlock()"}, {"gp.M.Set(mp)", "l.s.Runqsize.Store(n) 1 → 0"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "yield-locks-first", What: "GoschedImpl changes the state of the G, lets go of it and queues it, all under the lock",
		Parts: submissionMutant(func(p *submission) gmp.Submission { return yieldLocksFirst{p} }),
	},
}

type yieldLocksFirst struct{ *submission }

func (p yieldLocksFirst) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Lock.Lock()
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}
