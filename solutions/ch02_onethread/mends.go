package ch02

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "gosched-drops-queued", What: "GoschedImpl lets M and G go of each other when the G is queued, before it releases the lock",
		Parts: submissionMutant(func(s brokenSubmission) gmp.Submission { return dropsQueued{s} }),
	},
}

type dropsQueued struct{ brokenSubmission }

func (p dropsQueued) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Dropg(mp)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}
