package ch15

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
			Check: "mend-sleep", Mutant: "sleep-sets-first", Type: "sleepMended", Method: "TimeSleep", Lines: 4,
			Met: [2][]string{{"mp.Curg.Get().M.Set(nil)"}, {"gp.M.Set(mp)"}},
		},
		{
			Check: "mend-take", Mutant: "take-empties-first", Type: "takeMended", Method: "TakeTimers", Lines: 6,
			Met: [2][]string{{"src.MinWhenHeap 20 → 0", "TakeTimers("}, {"sees ts.MinWhenHeap = 0", "CheckTimersNoP("}},
		},
		{
			Check: "mend-add", Mutant: "add-looks-once", Type: "addMended", Method: "MaybeAdd", Lines: 4,
			Met: [2][]string{{"t.Unlock()"}, {"ModTimer("}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "check-looks-twice", What: "CheckTimers looks at WakeTime once more when it has the lock, and gives up if nothing is due any more",
		Parts: mutant(func(p right) gmp.Timers { return checkLooksTwice{p} }),
	},
}

type checkLooksTwice struct{ right }

func (p checkLooksTwice) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	if next := pp.Timers.WakeTime(); next != 0 && now >= next {
		pp.Timers.Lock()
		next = pp.Timers.WakeTime()
		pp.Timers.Unlock()
		if next == 0 || now < next {
			return now, next, false
		}
	}
	return p.Timers.CheckTimers(mp, pp, now)
}
