package bench

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The ranks are those of the tables of the sign test.
func TestEstimate(t *testing.T) {
	for n, k := range map[int]int{1: 1, 5: 1, 6: 1, 8: 1, 9: 2, 11: 2, 12: 3, 15: 4, 20: 6, 25: 8, 41: 14, 100: 40} {
		assert.Equal(t, k, rank(n), n)
	}
	assert.Equal(t, Estimate{5, 2, 8}, estimate([]float64{9, 1, 8, 2, 7, 3, 6, 4, 5}))
	assert.Equal(t, Estimate{5, 2, 8}, estimate([]float64{1e9, 1, 8, 2, 7, 3, 6, 4, 5}), "one that is far off is no matter")
	assert.Equal(t, Estimate{2.5, 1, 4}, estimate([]float64{4, 1, 2, 3}), "too few for 95 %")
	assert.True(t, Estimate{1, 0.96, 1.04}.within(0.0401))
	assert.False(t, Estimate{1, 0.96, 1.04}.within(0.0399))
}

// The interval contains the true median in 95 % of all cases, also if the ratios spread
// unevenly; if it is looked at after each pair, in a little less.
func TestCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	uneven := func() float64 { return math.Exp(0.06*random.NormFloat64() + 0.2*max(0, random.NormFloat64()-1)) }
	truth := make([]float64, 200_001)
	for i := range truth {
		truth[i] = uneven()
	}
	true50 := median(truth)
	fixed, looking, cases := 0, 0, 4000
	for range cases {
		var ratios []float64
		for range 15 {
			ratios = append(ratios, uneven())
		}
		if e := estimate(ratios); e.Low <= true50 && true50 <= e.High {
			fixed++
		}
		e := estimate(ratios[:firstLook])
		for n := firstLook; !e.within(0.04) && n < 41; n++ {
			if n >= len(ratios) {
				ratios = append(ratios, uneven())
			}
			e = estimate(ratios[:n+1])
		}
		if e.Low <= true50 && true50 <= e.High {
			looking++
		}
	}
	assert.InDelta(t, 0.965, float64(fixed)/float64(cases), 0.015)
	assert.InDelta(t, 0.93, float64(looking)/float64(cases), 0.03)
}

// There is a difference only if 1 lies outside.
func TestVerdict(t *testing.T) {
	for _, at := range []struct {
		low, high float64
		want      Verdict
	}{{0.9, 0.999, Faster}, {0.9, 1, CannotTell}, {0.9, 1.1, CannotTell}, {1, 1.1, CannotTell}, {1.001, 1.1, Slower}} {
		assert.Equal(t, at.want, Estimate{1, at.low, at.high}.Verdict(), "%v", at)
	}
}

// What had less of the CPUs than usual is dropped, or waited for the disk when that is not
// usual; never all.
func TestUndisturbed(t *testing.T) {
	pairs := func(shares ...float64) (list []Pair) {
		for i, s := range shares {
			list = append(list, Pair{A: float64(i), B: 1, Share: s})
		}
		return list
	}
	of := func(list []Pair) (left []float64) {
		for _, p := range undisturbed(list) {
			left = append(left, p.A)
		}
		return left
	}
	assert.Equal(t, []float64{0, 1, 3, 4}, of(pairs(0.9, 0.95, 0.7, 0.73, 1)), "0.7 is less than four fifths of 0.9")
	assert.Equal(t, []float64{0, 1, 2, 3}, of(pairs(0.09, 0.095, 0.08, 0.1)), "evenly busy")
	assert.Equal(t, []float64{0, 1}, of(pairs(0.5, 0.5, 0.1)))
	assert.Equal(t, []float64{0}, of(pairs(0)))

	one := pairs(0.9, 0.9, 0.9)
	one[1].Faults = 5
	assert.Equal(t, []float64{0, 2}, of(one))
	one[0].Faults = 1
	assert.Equal(t, []float64{0, 1, 2}, of(one), "it is usual")
	cold := pairs(0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.9)
	cold[3].Faults, cold[4].Faults, cold[5].Faults = 1, 1, 1
	assert.Equal(t, []float64{3, 4, 5, 6}, of(cold), "too few would be left")

	ten := pairs(1, 1, 1, 1, 1, 1, 0.1, 0.1, 0.1)
	for i := range ten {
		ten[i].A = 2
	}
	c := compared(ten)
	assert.Equal(t, Comparison{Estimate{2, 2, 2}, 2, 1, 6, 3}, c)
	assert.True(t, c.Disturbed())
	assert.False(t, compared(ten[:8]).Disturbed())
}

// It ends when the interval is narrow, or there are enough pairs, or it has taken too long.
func TestLimit(t *testing.T) {
	p := Program{N: 160, Prints: true}
	wild := []float64{1, 2, 1, 3, 0.5, 1, 2, 0.3}
	c, err := compare(context.Background(), p, 1, Limit{0.04, 30, time.Hour}, fake(0, 1), fake(0, 1))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, c.Pairs, firstLook)
	assert.Less(t, c.Pairs+c.Dropped, 30)
	c, err = compare(context.Background(), p, 1, Limit{0.04, 30, time.Hour}, fake(0, 1, wild...), fake(0, 1))
	require.NoError(t, err)
	assert.Equal(t, 30, c.Pairs+c.Dropped)
	c, err = compare(context.Background(), p, 1, Limit{0.04, 30, 0}, fake(0, 1, wild...), fake(0, 1))
	require.NoError(t, err)
	assert.Equal(t, fewest, c.Pairs)
}

// The two of a pair begin together, each with work for the same time; where one runs alone,
// they take turns at being the first.
func TestTurns(t *testing.T) {
	var order string
	runner := func(name string) Runner {
		return func(ctx context.Context, n int, begin *Begin) (Run, error) {
			begin.Wait()
			order += name
			return Run{Cost: float64(n)}, nil
		}
	}
	_, err := compare(context.Background(), Program{N: 10, Prints: true}, 1, Limit{0.04, fewest, 0}, runner("a"), runner("b"))
	require.NoError(t, err)
	assert.Equal(t, "abbaabbaabba", order)

	if cpus() == nil {
		t.Skip("a process cannot be kept on one CPU on this system")
	}
	var at atomic.Int64
	together := func(n *int, cost float64) Runner {
		return func(ctx context.Context, count int, begin *Begin) (Run, error) {
			if begin.CPU >= 0 {
				*n = count
				at.Add(1)
				begin.Wait()
				assert.Zero(t, at.Load()%2, "one of them began alone")
			}
			return Run{Cost: cost * float64(count), CPU: time.Millisecond}, nil
		}
	}
	var cheap, dear int
	_, err = compare(context.Background(), Program{N: 1600}, 1, Limit{0.04, fewest, 0}, together(&cheap, 50_000), together(&dear, 100_000))
	require.NoError(t, err)
	assert.InDelta(t, 2, float64(cheap)/float64(dear), 0.2)
}

// One that cannot begin does not keep the other waiting.
func TestFailedSide(t *testing.T) {
	if cpus() == nil {
		t.Skip("a process cannot be kept on one CPU on this system")
	}
	fails := func(ctx context.Context, n int, begin *Begin) (Run, error) {
		if begin.CPU >= 0 {
			return Run{}, errors.New("no")
		}
		return Run{Cost: float64(n)}, nil
	}
	done := make(chan error)
	go func() {
		_, err := compare(context.Background(), Program{N: 160}, 1, Limit{0.04, fewest, 0}, fails, fake(0, 1))
		done <- err
	}()
	select {
	case err := <-done:
		assert.EqualError(t, err, "no")
	case <-time.After(10 * time.Second):
		t.Fatal("the other one waits for ever")
	}
}
