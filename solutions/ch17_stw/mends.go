package ch17

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
			Check: "mend-wait", Mutant: "sema-unlocks-early", Type: "waitMended", Method: "StopTheWorld", Lines: 4,
			Met: [2][]string{{"mp.Curg.Get().M.Set(nil)"}, {"gp.M.Set(mp)"}},
		},
		{
			Check: "mend-last", Mutant: "gcstopm-looks-late", Type: "lastMended", Method: "Gcstopm", Lines: 2,
			Met: [2][]string{{"s.Stopwait.Get()"}, {"s.Stopwait.Set(left)"}},
		},
		{
			Check: "mend-count", Mutant: "safe-counts-first", Type: "countMended", Method: "RunSafePointFn", Lines: 2,
			Met: [2][]string{{"n.Set(n.Get() + 1)"}, {"c.ran[id].Get()"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "stop-count-late", What: "StopTheWorldWithSema sets Gcwaiting, and then Stopwait",
		Parts: mutant(func(p right) gmp.World { return stop{p, countLate} }),
	},
}
