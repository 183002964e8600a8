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
		Name: "match-counts-woken", What: "Matchmg wakes an idle M, and counts it then",
		Parts: matchingMutant(func(p *matching) gmp.Matching { return matchCountsWoken{p} }),
	},
}

type matchCountsWoken struct{ *matching }

func (p matchCountsWoken) Matchmg(mp *gmp.M) {
	s := p.s
	for s.Mcpu.Get() < s.Mcpumax.Get() && s.Runq.Get().Head != nil && s.Midle.Get() != nil {
		idle := s.Mget()
		idle.Nextg.Set(s.Globrunqget())
		idle.Park.Wakeup()
		s.Mcpu.Set(s.Mcpu.Get() + 1)
	}
	p.matching.Matchmg(mp)
}
