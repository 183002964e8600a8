package ch16

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
			Check: "mend-close", Mutant: "close-wakes-first", Type: "closeMended", Method: "PollUnblock", Lines: 10,
			Met: [2][]string{{"pd.PollInfo.Store(was ^ bit)"}, {"half PdWait → G1"}},
		},
		{
			Check: "mend-done", Mutant: "done-two-steps", Type: "doneMended", Method: "NetpollblockDone", Lines: 3,
			Met: [2][]string{{"half.Store(nil)"}, {"nil → PdReady"}},
		},
		{
			Check: "mend-inject", Mutant: "inject-forgets-idle", Type: "injectMended", Method: "Injectglist", Lines: 3,
			Met: [2][]string{{"sees s.Npidle = 0"}, {"s.Npidle 0 → 1"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "block-looks-twice", What: "Netpollblock looks at PollInfo before it sets PdWait, and once more afterwards",
		Parts: mutant(func(p right) gmp.NetPoller { return blockLooksTwice{p} }),
	},
}

type blockLooksTwice struct{ right }

func (p blockLooksTwice) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	if p.s.Netpollcheckerr(pd, mode) != gmp.PollNoError {
		return pd.Half(mode).CompareAndSwap(gmp.PdReady, nil), false
	}
	return p.NetPoller.Netpollblock(mp, gp, pd, mode)
}
