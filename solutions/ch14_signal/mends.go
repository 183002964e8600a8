package ch14

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
			Check: "mend-answer", Mutant: "answer-generation-first", Type: "answerMended", Method: "DoSigPreempt", Lines: 2,
			Met: [2][]string{{"fails, finds 1"}, {"mp.SignalPending.Store(0)"}},
		},
		{
			Check: "mend-park", Mutant: "park-drops-late", Type: "parkMended", Method: "PreemptPark", Lines: 2,
			Met: [2][]string{{"mp.Curg.Get().M.Set(nil)"}, {"gp.M.Set(mp)"}},
		},
		{
			Check: "mend-send", Mutant: "send-looks", Type: "sendMended", Method: "PreemptM", Lines: 3,
			Met: [2][]string{{"target.SignalPending.Store(1)", "target.SignalPending.Load()"}, {"target.SignalPending 0 → 1"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "answer-decides-last", What: "DoSigPreempt says that the signal is answered before it looks whether gp was asked to stop",
		Parts: mutant(func(p right) gmp.Signals { return answerDecidesLast{p} }),
	},
}

type answerDecidesLast struct{ right }

func (p answerDecidesLast) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	s := p.s
	mp.SignalPending.Store(0)
	mp.PreemptGen.Add(1)
	if s.WantAsyncPreempt(gp) && s.IsAsyncSafePoint(gp, gp.Sched.At()) {
		s.Asyncpreempt2(mp, gp)
	}
}
