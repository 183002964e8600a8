package ch10

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
			Check: "mend-wake", Mutant: "wake-loads-and-adds", Type: "wakeMended", Method: "Wakep", Lines: 3,
			Met: [2][]string{{"s.Nmspinning.Load() = 0", "s.Nmspinning.Add(1) 1 → 2"}, {"wakesSomebody(…)", "s.Nmspinning 0 → 1"}},
		},
		{
			Check: "mend-reset", Mutant: "reset-looks-first", Type: "resetMended", Method: "Resetspinning", Lines: 6,
			Met: [2][]string{{"Ready(…)", "sees s.Nmspinning = 1"}, {"s.Nmspinning.Add(-1) 1 → 0", "pp.Runq[i].Load() = nil"}},
		},
		{
			Check: "mend-stop", Mutant: "stop-clears-late", Type: "stopMended", Method: "Stopm", Lines: 1,
			Met: [2][]string{{"locally(…)", "nmp.Park.Wakeup()"}, {"mp.Park.Clear()"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "needspinning-cleared-first", What: "BecomeSpinning clears Needspinning before it counts the M",
		Parts: wakeupsMutant(func(p *wakeups) gmp.Wakeups { return needspinningClearedFirst{p} }),
	},
}

type needspinningClearedFirst struct{ *wakeups }

func (p needspinningClearedFirst) BecomeSpinning(mp *gmp.M) {
	p.s.Needspinning.Store(false)
	mp.Spinning.Set(true)
	p.s.Nmspinning.Add(1)
}
