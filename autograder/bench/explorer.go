package bench

import (
	"errors"
	"fmt"
	"time"

	"gosched/chapters/cputime"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
)

// An Explorer says how fast models are explored on this computer.
type Explorer struct {
	// ExecutionsPerSec is how many executions of the model of theft are made in a second of
	// the CPU's time.
	ExecutionsPerSec float64 `json:"executions_per_s"`
	// StepsPerSec is how many steps these have.
	StepsPerSec float64 `json:"steps_per_s"`
}

// MeasureExplorer measures the explorer in so many rounds, and returns the medians. The model is
// of v's run queue.
func MeasureExplorer(rounds int, v gmp.Version) (Explorer, error) {
	var executions, steps []float64
	for range rounds {
		r, spent, err := exploreTheft(v)
		if err != nil {
			return Explorer{}, err
		}
		executions = append(executions, float64(r.Executions)/spent.Seconds())
		steps = append(steps, float64(r.Steps)/spent.Seconds())
	}
	return Explorer{ExecutionsPerSec: tenth(median(executions)), StepsPerSec: tenth(median(steps))}, nil
}

// repeats is how often a round explores the model: once would be too short to be measured.
const repeats = 200

// exploreTheft explores the model of theft to its end, again and again, and returns what that
// comes to together.
func exploreTheft(v gmp.Version) (sum explore.Result, spent time.Duration, err error) {
	if !cputime.Known {
		return sum, 0, errors.New("the explorer is not measured: this system does not tell the CPU time of a process")
	}
	v = v.Only("RunQueue")
	before := cputime.Own()
	for range repeats {
		r := explore.Explore(explore.Options{}, func(m *explore.Model) { theft(m, v) })
		if r.Failure != nil {
			return sum, 0, fmt.Errorf("the explorer is not measured: in its model the run queue is wrong: %s", r.Failure.Message)
		}
		sum.Executions += r.Executions
		sum.Steps += r.Steps
	}
	return sum, cputime.Own() - before, nil
}

// theft is the model that is measured: one owner with three operations, which puts two Gs and
// takes one, and one thief with one, which steals half, on a bare scheduler that has a run queue
// and nothing else. An execution makes the scheduler, two Ps of two slots and two Gs; it has about
// 22 steps, each an atomic operation of one of the two, and ends with the search for Gs that
// are lost or doubled.
func theft(m *explore.Model, v gmp.Version) {
	s := gmp.NewBare(v, nil)
	victim, other := gmp.NewP(0, 2), gmp.NewP(1, 2)
	take := func(gp *gmp.G) {
		if gp != nil {
			m.Take(gp)
		}
	}
	m.Thread("owner", func() {
		for id := range int64(2) {
			gp := gmp.NewG(id + 1)
			m.Put(gp)
			s.Runqput(victim, gp, false)
		}
		gp, _ := s.Runqget(victim)
		take(gp)
	})
	m.Thread("thief", func() { take(s.Runqsteal(other, victim, false)) })
	m.Check(func() {
		for _, pp := range []*gmp.P{victim, other} {
			for gp, _ := s.Runqget(pp); gp != nil; gp, _ = s.Runqget(pp) {
				m.Take(gp)
			}
		}
	})
}
