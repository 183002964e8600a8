package ch09

import (
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// This file checks in which order a thief asks.

// alone checks a thief that has the only P.
func alone(t *check.T) {
	r := newRound(t, 1, 0, 1)
	got := r.steal(5)
	if want := (loot{now: 5}); got != want {
		r.errorf("StealWork(now 5) returns %s; want %s", got, want)
	}
	if asked := r.asked(); len(asked) > 0 {
		r.errorf("StealWork asks %s; there is no other P to ask", r.order(asked))
	}
}

// eachOnce checks that each pass asks each other P, once, for many numbers of Ps and
// many random numbers.
func eachOnce(t *check.T) {
	for _, n := range []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 30, 31, 32, 33, 64, 97, 128} {
		for seed := range uint64(12) {
			r := newRound(t, n, int(seed)%n, seed)
			if !r.onceInEachPass("") {
				return
			}
		}
	}
	for _, n := range []int{2, 5, 9} { // and when their number changes
		r := newRound(t, 6, 1, 1)
		r.steal(0)
		r.resize(n)
		if !r.onceInEachPass("there were 6 Ps before, and StealWork was called: ") {
			return
		}
	}
}

// onceInEachPass calls StealWork and reports whether each pass asks each other P once.
func (r *round) onceInEachPass(what string) bool {
	r.t.Helper()
	r.steal(0)
	for i, pass := range r.passes() {
		seen := map[*gmp.P]bool{}
		for _, pp := range pass {
			seen[pp] = slices.Contains(r.s.Allp.Get(), pp)
			if !seen[pp] {
				r.errorf("%spass %d asks %s, and %s is not in s.Allp", what, i+1, r.order(pass), check.PName(pp))
				return false
			}
		}
		if len(seen) != r.others() {
			r.errorf("%spass %d asks %s; want each of the other %d once", what, i+1, r.order(pass), r.others())
			return false
		}
	}
	return true
}

// notOwn checks that the thief does not ask itself, nor lets another P steal.
func notOwn(t *check.T) {
	for _, n := range []int{2, 3, 8} {
		for own := range n {
			r := newRound(t, n, own, uint64(own))
			r.steal(0)
			for _, c := range r.Of("Runqsteal") {
				pp, p2 := c.Args[0].(*gmp.P), whose(c)
				switch {
				case pp != r.mp.P.Get():
					r.errorf("StealWork calls Runqsteal(%s, %s); the first argument is the P that gets something, and that is %s", check.PName(pp), check.PName(p2), check.PName(r.mp.P.Get()))
					return
				case p2 == pp:
					r.errorf("StealWork lets %s steal from itself: it asks %s", check.PName(pp), r.order(r.asked()))
					return
				}
			}
		}
	}
}

// randomFirst checks that each P can be the first that is asked, and none is much less
// likely so than others.
func randomFirst(t *check.T) {
	const (
		n     = 8
		times = 7000
	)
	for _, own := range []int{0, 5} {
		r := newRound(t, n, own, 1)
		gift := r.newG()
		r.give = func(*gmp.P, bool) *gmp.G { return gift }
		first := map[*gmp.P]int{}
		for range times {
			r.steal(0)
			if asked := r.asked(); len(asked) > 0 {
				first[asked[0]]++
			}
		}
		for _, pp := range r.s.Allp.Get() {
			if share := times / r.others(); pp != r.mp.P.Get() && first[pp] < share/2 {
				r.errorf("of %d calls of StealWork %d ask %s first; a fair share would be %d. Thieves that all start at the same P get in each other's way there", times, first[pp], check.PName(pp), share)
				return
			}
		}
	}
}

// randomOrder checks that it is not always the same P that comes after another one, and
// that the passes of a call have orders of their own.
func randomOrder(t *check.T) {
	const (
		n     = 8
		times = 2000
	)
	r := newRound(t, n, 0, 1)
	after := map[*gmp.P]map[*gmp.P]int{} // how often which P was asked right after another one
	for _, pp := range r.s.Allp.Get() {
		after[pp] = map[*gmp.P]int{}
	}
	same := 0
	for range times {
		r.steal(0)
		passes := r.passes()
		for i, pp := range passes[0][1:] {
			after[passes[0][i]][pp]++
		}
		if len(passes) > 1 && slices.Equal(passes[0], passes[1]) {
			same++
		}
	}
	for _, a := range r.s.Allp.Get()[1:] {
		all := 0
		for _, often := range after[a] {
			all += often
		}
		for _, b := range r.s.Allp.Get()[1:] {
			if often := after[a][b]; often > all*2/3 {
				r.errorf("in %d of %d cases it is %s that StealWork asks right after %s. Two thieves that are at one P at the same time must not stay together: the size of the steps must be random as well as the starting point", often, all, check.PName(b), check.PName(a))
				return
			}
		}
	}
	if same > times/2 {
		r.errorf("in %d of %d calls the second pass asks the Ps in the order of the first; each pass must have an order of its own", same, times)
	}
}

// ownRandom checks that the order depends on the thief's own random numbers and on
// nothing else, so that a run can be repeated.
func ownRandom(t *check.T) {
	const n = 16
	r := newRound(t, n, 3, 77)
	r.steal(0)
	first := r.asked()
	r.steal(0)
	if slices.Equal(first, r.asked()) {
		r.errorf("the second call of StealWork asks in the same order as the first one; take a new random number for each pass, by mp.Cheaprand")
		return
	}
	other := r.mp
	r.mp = r.thief(1, other.P.Get(), 77)
	r.steal(0)
	if again := r.asked(); !slices.Equal(first, again) {
		r.errorf("M1 starts with the random numbers with which M0 started, and asks in a different order:\n%s\nwant %s\nThe order must come from mp.Cheaprand alone; whatever all thieves share would be one more thing to wait for", r.order(again), r.order(first))
	}
}
