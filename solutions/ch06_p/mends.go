package ch06

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
			Check: "mend-idle", Mutant: "idle-gives-way", Type: "idleMended", Method: "Pidleget", Lines: 2,
			Met: [2][]string{{"p.s.Lock.Unlock()", "s.Lock.Lock()"}, {"pidleput(…)"}},
		},
		{
			Check: "mend-free", Mutant: "free-looks-early", Type: "freeMended", Method: "Gfget", Lines: 2,
			Met: [2][]string{{"all.N.Get()"}, {"s.GFree.N.Set("}},
		},
		{
			Check: "mend-sudog", Mutant: "sudog-links-early", Type: "sudogMended", Method: "ReleaseSudog", Lines: 2,
			Met: [2][]string{{"p.s.Sudogcache.Get()"}, {"s.Sudogcache.Set("}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "dies-first", What: "Procresize lets a P be dead first, and takes away what it has then",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesFirst{p} }),
	},
}

type diesFirst struct{ *procs }

func (p diesFirst) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	for _, pp := range p.dying(nprocs) {
		pp.Status.Store(gmp.Pdead)
	}
	return p.procs.Procresize(mp, nprocs)
}
