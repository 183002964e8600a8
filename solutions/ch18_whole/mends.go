package ch18

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
			Check: "mend-mask", Mutant: "idle-without-timers", Type: "maskMended", Method: "MaskIdle", Lines: 2,
			Met: [2][]string{{"m[id/maskBits] 3 → 2"}, {"schedule(…)"}},
		},
		{
			Check: "mend-busy", Mutant: "busy-when-it-has-work", Type: "busyMended", Method: "MaskBusy", Lines: 2,
			Met: [2][]string{{"locally(…)", "sees s.Nmspinning = 1"}, {"BusyPs(…)", "sees m[id/maskBits] = 3"}},
		},
		{
			Check: "mend-idle", Mutant: "timers-of-busy", Type: "idleMended", Method: "TimerPs", Lines: 2,
			Met: [2][]string{{"Pidleput(…)", "m[id/maskBits] 0 → 1"}, {"schedule(…)"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "busy-idle-first", What: "MaskBusy clears the bit in Idlepmask, and then sets that in Timerpmask",
		Parts: masksMutant(func(p *masks) gmp.Masks { return busyIdleFirst{p} }),
	},
}

type busyIdleFirst struct{ *masks }

func (p busyIdleFirst) MaskBusy(pp *gmp.P) {
	p.s.Idlepmask.Get().Clear(pp.ID)
	p.s.Timerpmask.Get().Set(pp.ID)
}
