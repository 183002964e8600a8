package ch09

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
)

// This file checks how often a thief asks, for what, and when it stops.

// tries is how many passes there are.
const tries = 4

// String writes what StealWork returns as in a return statement, with names.
func (l loot) String() string {
	return fmt.Sprintf("%s, inheritTime %v, rnow %d, pollUntil %d, newWork %v", check.Name(l.gp), l.inheritTime, l.now, l.pollUntil, l.newWork)
}

// asks counts how often each P was asked.
func (r *round) asks() map[*gmp.P]int {
	n := map[*gmp.P]int{}
	for _, pp := range r.asked() {
		n[pp]++
	}
	return n
}

// fourPasses checks that a thief that gets nothing asks everybody four times, and says
// that there was nothing.
func fourPasses(t *check.T) {
	for _, n := range []int{2, 3, 8} {
		r := newRound(t, n, n-1, 3)
		got := r.steal(5)
		for _, pp := range r.s.Allp.Get()[:n-1] {
			if asks := r.asks()[pp]; asks != tries {
				r.errorf("when there is nothing to be had %s is asked %s; want %s, once in each pass", check.PName(pp), check.Times(asks), check.Times(tries))
				return
			}
		}
		if want := (loot{now: 5}); got != want {
			r.errorf("when there is nothing to be had StealWork(now 5) returns %s; want %s", got, want)
		}
	}
}

// firstFound checks that a G that comes at any moment is found when its P is asked next,
// and that StealWork returns it at once.
func firstFound(t *check.T) {
	const n = 6
	for pass := 1; pass <= tries; pass++ {
		for at := range n - 1 {
			r := newRound(t, n, n-1, uint64(pass))
			gift, times, asked := r.newG(), 0, 0
			r.give = func(p2 *gmp.P, next bool) *gmp.G {
				if int(p2.ID) == at {
					times++
				}
				if times < pass {
					return nil
				}
				asked++
				return gift
			}
			got := r.steal(0)
			if got.gp != gift {
				r.errorf("%s has a G when it is asked for the %s time, and StealWork returns %s; want that G", check.PName(r.s.Allp.Get()[at]), ordinal(pass), check.Name(got.gp))
				return
			}
			if asked > 1 {
				r.errorf("StealWork has got a G and still asks others; each G that it gets from them must be kept, too, and it can return only one")
				return
			}
		}
	}
}

func ordinal(i int) string {
	return []string{"", "first", "second", "third", "fourth"}[i]
}

// stolen checks what is done with what a victim has: half of it goes to the thief's
// ring, and the last of that is returned.
func stolen(t *check.T) {
	for have := 1; have <= 4; have++ {
		r := newRound(t, 5, 2, uint64(have))
		r.really()
		victim := r.s.Allp.Get()[have%2]
		var gs []*gmp.G
		for range have {
			gs = append(gs, r.newG())
			r.s.Runqput(victim, gs[len(gs)-1], false)
		}
		half := have - have/2
		got := r.steal(5)
		if want := (loot{gp: gs[half-1], now: 5}); got != want {
			r.errorf("%s has %s, and StealWork(now 5) returns %s; want %s", check.PName(victim), check.Names(gs), got, want)
			return
		}
		if ring := r.rest(r.mp.P.Get()); check.Names(ring) != check.Names(gs[:half-1]) {
			r.errorf("%s had %s; after StealWork the thief has %s in its queue; want %s", check.PName(victim), check.Names(gs), check.Names(ring), check.Names(gs[:half-1]))
			return
		}
		if left := r.rest(victim); check.Names(left) != check.Names(gs[half:]) {
			r.errorf("%s had %s; after StealWork it has %s; want %s", check.PName(victim), check.Names(gs), check.Names(left), check.Names(gs[half:]))
			return
		}
	}
}

// rest takes all Gs that pp has, as its owner would.
func (r *round) rest(pp *gmp.P) []*gmp.G {
	var gs []*gmp.G
	for gp, _ := r.s.Runqget(pp); gp != nil && len(gs) < 100; gp, _ = r.s.Runqget(pp) {
		gs = append(gs, gp)
	}
	return gs
}

// nextLast checks that a thief asks for Runnext in the last pass, and not before.
func nextLast(t *check.T) {
	r := newRound(t, 4, 0, 9)
	r.steal(0)
	asks := map[*gmp.P]int{}
	for _, c := range r.Of("Runqsteal") {
		p2, next := whose(c), check.Arg[bool](c.Call)
		asks[p2]++
		if last := asks[p2] == tries; next != last {
			r.errorf("when %s is asked for the %s time, stealRunNext is %v; want %v: a G in Runnext is about to run where it is, so it is the last thing to take", check.PName(p2), ordinal(min(asks[p2], tries)), next, last)
			return
		}
	}

	r = newRound(t, 4, 0, 9)
	r.really()
	gp := r.newG()
	r.s.Runqput(r.s.Allp.Get()[2], gp, true)
	if got, want := r.steal(5), (loot{gp: gp, now: 5}); got != want {
		r.errorf("P2 has %s in Runnext, and no other P has anything; StealWork(now 5) returns %s; want %s", check.Name(gp), got, want)
	}
}

// stops checks that a thief gives up when the world is to stop, and says that there is
// something to see to.
func stops(t *check.T) {
	const n = 4
	for after := range tries * (n - 1) {
		r := newRound(t, n, 1, 4)
		r.s.Gcwaiting.Store(after == 0)
		asked := 0
		r.give = func(*gmp.P, bool) *gmp.G {
			asked++
			r.s.Gcwaiting.Store(asked >= after)
			return nil
		}
		got := r.steal(5)
		if asked > after {
			r.errorf("the world is to stop (Gcwaiting) after %d calls of Runqsteal, and StealWork asks %s; want no more: the M that stops the world waits for the thief's P", after, r.order(r.asked()))
			return
		}
		if want := (loot{now: 5, newWork: true}); got != want {
			r.errorf("the world is to stop (Gcwaiting), and StealWork(now 5) returns %s; want %s, so that the caller looks again, and stops", got, want)
			return
		}
	}
}

// noLock checks that all this is done without a lock.
func noLock(t *check.T) {
	r := newRound(t, 4, 0, 6)
	r.fire = func(*gmp.P) (int64, bool) { return 700, true }
	r.steal(0)
	for _, c := range r.Calls {
		if c.Locked {
			r.errorf("StealWork calls %s with s.Lock held; all other thieves wait meanwhile, and so does any M that needs that lock", c.Method)
			return
		}
	}
	r.Off = true // to see whether s.Lock is held, it is tried
	report, err := sim.Run(sim.Options{CPUs: 1}, func() { r.steal(0) })
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, l := range report.Locks {
		if l.Acquisitions > 0 {
			r.errorf("StealWork takes %s; it needs no lock", l.Name)
		}
	}
}

// visible checks that the models see what the part shares.
func visible(t *check.T) {
	newRound(t, 2, 0, 1).steal(0)
	t.Visible()
}
