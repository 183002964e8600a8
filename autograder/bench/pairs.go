package bench

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// A Run is one run of a program.
type Run struct {
	Cost   float64       // nanoseconds or bytes
	CPU    time.Duration // what the process had of CPUs, from its start to its end
	Faults int64         // how often it waited for a page from disk
}

// A Runner runs a program with an argument. It calls begin when everything is ready but the
// program itself.
type Runner func(ctx context.Context, n int, begin *Begin) (Run, error)

// A Begin lets two processes begin their work at the same moment.
type Begin struct {
	CPU  int // the only one that the process may use, -1 if it may use all
	once sync.Once
	all  *sync.WaitGroup
}

// Wait returns when all are ready.
func (b *Begin) Wait() {
	b.arrive()
	b.all.Wait()
}

func (b *Begin) arrive() { b.once.Do(b.all.Done) }

// A Limit says when there are enough pairs.
type Limit struct {
	Share float64       // the interval is no wider than this share of the ratio, to either side
	Pairs int           // or there are so many pairs
	Time  time.Duration // or they have taken so long
}

const (
	// firstLook is the number of pairs after which the interval is looked at.
	firstLook = 9
	// together is about how long each of two programs computes that run at the same time.
	together = 100 * time.Millisecond
)

// A Pair is two runs next to each other: the costs of one piece of work, and what can be
// said of the moment.
type Pair struct {
	A, B   float64
	Share  float64 // of its time, for which one of its processes had a CPU; with two CPUs up to 2
	Faults int64   // how often they waited for a page from disk
}

// A Comparison is what came out of a number of pairs.
type Comparison struct {
	Estimate
	A, B    float64 // the medians of the costs
	Pairs   int     // those that count
	Dropped int     // those that were disturbed
}

// Disturbed reports whether so many pairs were disturbed, a third or more, that the others
// may have been, too.
func (c Comparison) Disturbed() bool { return 2*c.Dropped >= c.Pairs }

// undisturbed returns those of the pairs that count. A pair is disturbed if its processes
// had much less of the CPUs than is usual in this measuring: less than four fifths of the
// median share. So is one that waited for the disk, if the median pair did not; unless too
// few would be left, less than a third. Both signs are relative to the median, so there are
// always some left, and a computer that is evenly busy loses none: what it does to both
// programs of a pair is the same.
//
// Context switches that a process did not ask for are no sign: two programs on one CPU take
// turns by nothing else.
func undisturbed(pairs []Pair) []Pair {
	var shares, faults []float64
	for _, p := range pairs {
		shares = append(shares, p.Share)
		faults = append(faults, float64(p.Faults))
	}
	usual, disk := 0.8*median(shares), median(faults) > 0
	had := slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool { return p.Share < usual })
	kept := slices.DeleteFunc(slices.Clone(had), func(p Pair) bool { return p.Faults > 0 && !disk })
	if len(kept) < len(pairs)/3 {
		return had
	}
	return kept
}

// compared is the comparison that the pairs amount to.
func compared(pairs []Pair) Comparison {
	kept := undisturbed(pairs)
	var as, bs, ratios []float64
	for _, p := range kept {
		as, bs, ratios = append(as, p.A), append(bs, p.B), append(ratios, p.A/p.B)
	}
	return Comparison{estimate(ratios), median(as), median(bs), len(kept), len(pairs) - len(kept)}
}

// compare runs a program in pairs, on a and on b, until the limit is reached.
//
// With one P the two processes of a pair run at the same time and on the same CPU, so the
// kernel lets them take turns of a few milliseconds. A neighbour that makes the CPU slow for
// a moment then slows both, while of two runs one after the other, even short ones, it often
// meets only one: on a busy computer the ratios of such pairs spread over a sixth of the range
// of those one after the other.
// So that both are busy up to the end, each gets as much work as it does in the same CPU time.
// What prints latencies or measures memory runs alone, and so does what is measured by the
// clock; there a and b take turns at being the first.
func compare(ctx context.Context, p Program, procs int, limit Limit, a, b Runner) (Comparison, error) {
	cpus := cpus()
	if p.Prints || p.Memory || procs > 1 {
		cpus = nil
	}
	sides := []*side{{p: p, run: a}, {p: p, run: b}}
	for _, s := range sides {
		if err := s.prepare(ctx, cpus != nil); err != nil {
			return Comparison{}, err
		}
	}
	if p.Rounds != 0 {
		limit.Pairs = min(limit.Pairs, p.Rounds)
	}
	var pairs []Pair
	var failed int
	for started := time.Now(); ; {
		pair, err := measure(ctx, sides, len(pairs)+failed, cpus)
		if err != nil {
			return Comparison{}, err
		}
		if pair.A > 0 && pair.B > 0 {
			pairs = append(pairs, pair)
		} else if failed++; failed > firstLook && failed > len(pairs) {
			return Comparison{}, errors.New("the computer is too busy: more work cost no more")
		}
		if len(pairs) == 0 {
			continue
		}
		c := compared(pairs)
		enough := c.Pairs >= firstLook && c.within(limit.Share)
		if enough || len(pairs) >= limit.Pairs || c.Pairs >= fewest && time.Since(started) > limit.Time {
			return c, nil
		}
	}
}

// A side is one of the two that are compared.
type side struct {
	p    Program
	run  Runner
	n    int     // the argument of its runs
	few  int     // a small one
	base float64 // the cost with few
}

// prepare runs the program a few times with little work, to learn what is the same for any
// amount, and once with much, which does not count; balance asks for as much work as takes
// the time together.
func (s *side) prepare(ctx context.Context, balance bool) error {
	s.n = s.p.N
	if s.p.Prints {
		return nil
	}
	s.few = max(1, s.n/16)
	var costs []float64
	for range 3 {
		r, err := s.alone(ctx, s.few, -1)
		if err != nil {
			return err
		}
		costs = append(costs, r.Cost)
	}
	s.base = median(costs)
	if s.p.Memory {
		return nil
	}
	much, err := s.alone(ctx, s.n, -1)
	if work := much.Cost - s.base; err == nil && balance && !s.p.Whole && work > 0 {
		s.n = min(max(int(float64(s.n)*float64(together)/work), s.n/4, 2*s.few), 16*s.n)
	}
	return err
}

func (s *side) alone(ctx context.Context, n, cpu int) (Run, error) {
	var all sync.WaitGroup
	all.Add(1)
	return s.run(ctx, n, &Begin{CPU: cpu, all: &all})
}

// piece is what one piece of work cost in a run with n.
func (s *side) piece(r Run) float64 {
	switch {
	case s.p.Prints:
		return r.Cost
	case s.p.Whole:
		return r.Cost - s.base
	}
	return (r.Cost - s.base) / float64(s.n-s.few)
}

// measure runs the ith pair: together on one of the CPUs, or one after the other if there
// are none.
func measure(ctx context.Context, sides []*side, i int, cpus []int) (Pair, error) {
	var runs [2]Run
	var errs [2]error
	started := time.Now()
	if cpus == nil {
		for k := range sides {
			k := (k + i) % 2
			runs[k], errs[k] = sides[k].alone(ctx, sides[k].n, -1)
		}
	} else {
		var begin, end sync.WaitGroup
		begin.Add(len(sides))
		for k, s := range sides {
			end.Go(func() {
				b := &Begin{CPU: cpus[i%len(cpus)], all: &begin}
				defer b.arrive() // the other one need not wait for one that cannot begin
				runs[k], errs[k] = s.run(ctx, s.n, b)
			})
		}
		end.Wait()
	}
	took := time.Since(started)
	return Pair{
		A: sides[0].piece(runs[0]), B: sides[1].piece(runs[1]),
		Share:  float64(runs[0].CPU+runs[1].CPU) / float64(took),
		Faults: runs[0].Faults + runs[1].Faults,
	}, errors.Join(errs[:]...)
}
