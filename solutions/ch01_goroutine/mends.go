package ch01

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "forgets-while-running", What: "Goexit0 forgets what the life of the G was about before the G is dead",
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			forget(gp)
			mp.Lockedg.Set(nil)
			p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
			p.s.Dropg(mp)
			p.s.Gfput(mp, gp)
			p.s.Schedule(mp)
		}),
	},
}
