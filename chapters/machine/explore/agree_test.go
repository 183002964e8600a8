package explore

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

var (
	programs  = flag.Int("programs", 0, "random programs of TestAgree; 0 is a sample")
	firstSeed = flag.Uint64("first", 1, "seed of the first random program of TestAgree")
)

// Bounds, so that no program takes long. All orders are tried only of programs
// whose states are few.
const (
	oracleStates = 20_000
	smallStates  = 150
	reducedSteps = 400_000
	plainSteps   = 60_000
)

// outcomes are the results of all executions of a search: the states at the
// end, and whether one of them went wrong in a way that ends it early.
type outcomes struct {
	finals   map[string]bool
	wrong    bool
	complete bool
}

// all runs p in the given way.
func (p *tiny) all(s strategy, steps int) (outcomes, *explorer) {
	model, last := p.model()
	out := outcomes{finals: map[string]bool{}}
	x := newExplorer(Options{Depth: 400}, model)
	x.bound = 1000 // more than there can be
	defer x.pool.close()
	out.complete = x.visit(s, steps, func(v *verdict) bool {
		switch {
		case x.redundant:
		case v == nil || v.kind == Deadlock || v.kind == LostWakeup || v.kind == Livelock:
			out.finals[(*last).state()] = true
		default:
			out.wrong = true
		}
		return true
	})
	return out, x
}

// judge makes sure that an exploration accuses p if, and only if, an execution
// of it goes wrong, and that a failure that is called minimal is.
func (p *tiny) judge(t *testing.T, seed uint64, want *oracle) {
	model, _ := p.model()
	r := Explore(Options{Steps: reducedSteps / 2}, model)
	require.Equal(t, want.wrong || want.stuck, r.Failure != nil, "seed %d: %v %v\n%v", seed, r, r.Failure, p)
	if r.Failure == nil || !r.Failure.Minimal || r.Failure.Preemptions == 0 || len(want.seen) > smallStates {
		return
	}
	x := newExplorer(Options{Depth: 400}, model)
	defer x.pool.close()
	x.visit(everyOrder, plainSteps, func(v *verdict) bool {
		require.False(t, v != nil && x.preemptions() < r.Failure.Preemptions, "seed %d: %d preemptions are enough, not %d\n%v", seed, x.preemptions(), r.Failure.Preemptions, p)
		return true
	})
}

// TestAgree is the proof of the search: on random programs it finds the same as
// one that tries all orders, and as an oracle that shares nothing with either.
//
//	go test ./chapters/machine/explore -run TestAgree -programs 100000
func TestAgree(t *testing.T) {
	n := *programs
	if n == 0 {
		n = sample.Of(100, 250, 1000)
	}
	var plain, wrong, long, executions, all int
	for i := range n {
		seed := *firstSeed + uint64(i)
		p := generate(rand.New(rand.NewPCG(seed, 0)))
		want, ok := p.search(oracleStates)
		if !ok {
			continue
		}
		p.judge(t, seed, want)
		got, x := p.all(reduced, reducedSteps)
		executions += x.executions
		if !got.complete {
			long++
			require.False(t, got.wrong && !want.wrong, "seed %d\n%v", seed, p)
			continue
		}
		require.Equal(t, want.wrong, got.wrong, "DPOR, seed %d: is there an execution that goes wrong?\n%v", seed, p)
		if want.wrong {
			wrong++
			continue
		}
		require.Equal(t, sorted(want.finals), sorted(got.finals), "DPOR, seed %d: the states at the end\n%v", seed, p)
		if len(want.seen) > smallStates {
			continue
		}
		for _, s := range []strategy{sleepSets, everyOrder, bounded} {
			got, x := p.all(s, plainSteps)
			if s == everyOrder && got.complete {
				plain++
				all += x.executions
			}
			require.Subset(t, sorted(want.finals), sorted(got.finals), "seed %d\n%v", seed, p)
			if got.complete {
				require.Equal(t, sorted(want.finals), sorted(got.finals), "strategy %d, seed %d\n%v", s, seed, p)
			}
		}
	}
	t.Logf("%d programs, of which %d go wrong and %d are too long; %d executions by DPOR; %d programs in all orders, %d executions", n, wrong, long, executions, plain, all)
}
