package ch09

import (
	_ "embed"

	"gosched/chapters/check"
)

//go:embed mutants.go
var mutantsSource string

// Mends are what the student mends in this chapter: not StealWork, but what it relies on.
var Mends = check.Mends{
	Source: mutantsSource,
	List: []check.Mend{
		{
			Check: "mend-next", Mutant: "next-by-hand", Type: "nextMended", Method: "Runqsteal", Lines: 5,
			Met: [2][]string{{"p2.Runnext.Load()", "p2.Runnext.Store(nil)"}, {"pp.Runnext G1 → nil", "pp.Runnext.Swap(gp)"}},
		},
		{
			Check: "mend-ring", Mutant: "ring-by-hand", Type: "ringMended", Method: "Runqsteal", Lines: 4, Delegates: true,
			Met: [2][]string{{"p2.Runqhead.Load() = 1", "p2.Runqtail.Load() = 3", "slot(p2, h+i).Load()", "p2.Runqhead.Store("}, {"steal(…)", "p2.Runqhead 1 → 2"}},
		},
		{
			Check: "mend-own", Mutant: "steal-shows-returned", Type: "ownMended", Method: "Runqsteal", Lines: 1,
			Met: [2][]string{{"pp.Runqtail.Store(t + n", "slot(pp, t+n-1).Load()"}, {"steal(…)", "pp.Runqhead 0 → 1, pp.Runqtail 0 → 1", "sees slot(pp, h+i) = G2"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "looks-before", What: "StealWork leaves out a P that says that it has no G",
		Parts: mutant(func(w *wrong) { w.skips = true }),
	},
}
