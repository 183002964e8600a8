package bench

import (
	"math"
	"slices"
)

// An Estimate is the median of some ratios and how far it can be trusted.
type Estimate struct {
	Ratio     float64 // the median
	Low, High float64 // the true median lies between them with a confidence of 95 %
}

// A Verdict says what a ratio of new costs to old ones means.
type Verdict string

const (
	Faster     Verdict = "faster"
	Slower     Verdict = "slower"
	CannotTell Verdict = "cannot tell"
)

// Verdict takes the ratio for one of new to old costs. A difference is one only if 1 lies
// outside the interval.
func (e Estimate) Verdict() Verdict {
	switch {
	case e.High < 1:
		return Faster
	case e.Low > 1:
		return Slower
	}
	return CannotTell
}

// within reports whether the interval reaches no further than a share of the median to
// either side, on average.
func (e Estimate) within(share float64) bool { return e.High-e.Low <= 2*share*e.Ratio }

// fewest is the number of values below which no interval of 95 % exists: of five, all lie on
// one side of the true median in 6 % of all cases.
const fewest = 6

// estimate returns the median of the ratios and its interval, for fewer than fewest of them
// from the smallest to the largest.
//
// The interval is of order statistics. Each value lies below the true median with
// probability 1/2, so how many do has the binomial distribution, and the true median lies
// between the kth smallest and the kth largest value unless fewer than k are on one side of
// it. That holds exactly, for any distribution and for few values; a bootstrap of ten values
// is too narrow, and a normal distribution is just what a busy computer does not have.
// Whoever looks after each pair whether the interval is narrow enough gets a little less than
// 95 %; TestCoverage counts how much.
func estimate(ratios []float64) Estimate {
	sorted := slices.Sorted(slices.Values(ratios))
	k := rank(len(sorted))
	return Estimate{median(sorted), sorted[k-1], sorted[len(sorted)-k]}
}

// rank returns the largest k such that fewer than k of n values lie below the true median in
// at most 2.5 % of all cases; at least 1.
func rank(n int) int {
	k, below := 0, 0.0
	for ways := math.Pow(0.5, float64(n)); below+ways <= 0.025; k++ {
		below += ways
		ways *= float64(n-k) / float64(k+1)
	}
	return max(k, 1)
}

// median returns the middle one of the values, of an even number the mean of the two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
