package ch07

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
			Check: "mend-put", Mutant: "tail-before-slot", Type: "putMended", Method: "Runqput", Lines: 2,
			Met: [2][]string{{"pp.Runqtail.Store(t + 1)", "slot(pp, t).Store(gp)"}, {"runqgrab(…)", "sees slot(pp, h+i) = nil"}},
		},
		{
			Check: "mend-next", Mutant: "next-put-by-store", Type: "nextMended", Method: "Runqput", Lines: 4,
			Met: [2][]string{{"pp.Runnext.Load()", "pp.Runnext.Store(gp)"}, {"runqgrab(…)", "pp.Runnext G1 → nil"}},
		},
		{
			Check: "mend-empty", Mutant: "empty-in-two-looks", Type: "emptyMended", Method: "Runqempty", Lines: 4,
			Met: [2][]string{{"pp.Runqtail.Load()", "pp.Runnext.Load()", "pp.Runqhead.Load()"}, {"runqput(…)", "runqget(…): pp.Runnext", "pp.Runnext.Swap(gp)"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "empty-tail-first", What: "Runqempty looks at the tail before the head",
		Parts: mutant(func(b broken) gmp.RunQueue { return emptyTailFirst{b} }),
	},
}

type emptyTailFirst struct{ broken }

func (p emptyTailFirst) Runqempty(pp *gmp.P) bool {
	for {
		t := pp.Runqtail.Load()
		h := pp.Runqhead.Load()
		next := pp.Runnext.Load()
		if t == pp.Runqtail.Load() {
			return h == t && next == nil
		}
	}
}
