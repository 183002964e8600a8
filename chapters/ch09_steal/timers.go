package ch09

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// This file checks what a thief does with the timers of others.

// timersLast checks when the timers of a P are run: in the last pass, before its queue is
// asked, once.
func timersLast(t *check.T) {
	r := newRound(t, 5, 3, 8)
	r.steal(0)
	asks, timers := map[*gmp.P]int{}, map[*gmp.P]int{}
	for _, c := range r.Of("Runqsteal", "CheckTimers") {
		p2 := whose(c)
		name := check.PName(p2)
		switch {
		case c.Method == "CheckTimers" && p2 == r.mp.P.Get():
			r.errorf("StealWork runs the timers of %s, which is its own P; FindRunnable has already done that", name)
			return
		case c.Method == "CheckTimers":
			if timers[p2]++; timers[p2] > 1 {
				r.errorf("StealWork runs the timers of %s twice; the time is the same, so once is enough", name)
				return
			}
			if asks[p2] < tries-1 {
				r.errorf("StealWork runs the timers of %s in pass %d; want in the last one, pass %d", name, asks[p2]+1, tries)
				return
			}
		default:
			if asks[p2]++; asks[p2] == tries && timers[p2] == 0 {
				r.errorf("in the last pass StealWork asks %s for a G before it runs the timers of that P; they come first, since they may have one that is not about to run elsewhere", name)
				return
			}
		}
	}
	for _, pp := range r.s.Allp.Get() {
		if pp != r.mp.P.Get() && timers[pp] == 0 {
			r.errorf("StealWork finds no G, and has not run the timers of %s", check.PName(pp))
			return
		}
	}
}

// timerReady checks that a G that a timer has made ready is taken before all others.
func timerReady(t *check.T) {
	for _, next := range []bool{false, true} {
		r := newRound(t, 4, 0, 8)
		woken, gift := r.newG(), r.newG()
		fired := false
		r.fire = func(p2 *gmp.P) (int64, bool) {
			if p2.ID != 2 {
				return 0, false
			}
			fired = true
			r.s.Runqput(r.mp.P.Get(), woken, next)
			return 900, true
		}
		r.give = func(p2 *gmp.P, _ bool) *gmp.G {
			if fired {
				return gift
			}
			return nil
		}
		got := r.steal(5)
		switch {
		case !fired:
			r.errorf("P2 has a timer that is due; StealWork does not run it (CheckTimers)")
		case got.gp == gift:
			r.errorf("a timer of P2 has put %s on the thief's own queue, and StealWork goes on to steal; what it steals may find no room. Look at your own queue first (Runqget)", check.Name(woken))
		case got.gp != woken:
			r.errorf("a timer of P2 has put %s on the thief's own queue, and StealWork returns %s", check.Name(woken), check.Name(got.gp))
		case got.inheritTime != next:
			r.errorf("a timer of P2 has put %s on the thief's own queue, where Runqget finds it with inheritTime %v; StealWork returns %v", check.Name(woken), next, got.inheritTime)
		case got.now != 5 || got.pollUntil != 900:
			r.errorf("a timer of P2 has put %s on the thief's own queue, the next one there is due at 900, and the time is 5; StealWork returns it with rnow %d and pollUntil %d", check.Name(woken), got.now, got.pollUntil)
		default:
			continue
		}
		return
	}
}

// newWork checks that StealWork says whether timers ran, if it has not found what they
// made ready, and that it goes on.
func newWork(t *check.T) {
	for at := range 3 {
		r := newRound(t, 4, 3, 8)
		r.fire = func(p2 *gmp.P) (int64, bool) { return 0, int(p2.ID) == at }
		got := r.steal(5)
		if want := (loot{now: 5, newWork: true}); got != want {
			r.errorf("a timer of P%d has run, and another M has the G that it made ready; StealWork(now 5) returns %s; want %s: there may be more on another P", at, got, want)
			return
		}
		if len(r.asked()) != tries*r.others() {
			r.errorf("a timer of P%d has run, and another M has the G that it made ready; StealWork then asks no more: it has asked %s", at, r.order(r.asked()))
			return
		}
	}
}

// pollUntil checks that StealWork says when the first of the timers is due that it saw.
func pollUntil(t *check.T) {
	for _, c := range []struct {
		due  []int64 // by P
		want int64
	}{
		{[]int64{0, 0, 0}, 0},
		{[]int64{0, 900, 0}, 900},
		{[]int64{500, 300, 900}, 300},
		{[]int64{300, 0, 900}, 300},
		{[]int64{900, 500, 0}, 500},
	} {
		for seed := range uint64(6) { // in different orders
			r := newRound(t, 4, 3, seed)
			r.fire = func(p2 *gmp.P) (int64, bool) { return c.due[p2.ID], false }
			if got, want := r.steal(5), (loot{now: 5, pollUntil: c.want}); got != want {
				r.errorf("the next timers of P0, P1 and P2 are due at %d (0: there is none); StealWork(now 5) returns %s; want %s: an M that sleeps longer is late", c.due, got, want)
				return
			}
		}
	}
}

// looksOnce checks that the clock is looked at once at most, and that the caller learns
// what it said.
func looksOnce(t *check.T) {
	for _, now := range []int64{0, 5} {
		r := newRound(t, 4, 3, 2)
		r.clock = 1000
		r.fire = func(p2 *gmp.P) (int64, bool) { return 2000, false }
		got := r.steal(now)
		known := now
		for _, c := range r.Of("CheckTimers") {
			if told := check.Arg[int64](c.Call); told != known {
				r.errorf("StealWork(now %d) calls CheckTimers with %d, when the time is known to be %d; looking at the clock again for each P costs more than it is worth", now, told, known)
				return
			}
			if known == 0 {
				known = r.clock
			}
		}
		if want := (loot{now: known, pollUntil: 2000}); got != want {
			r.errorf("StealWork(now %d), in which CheckTimers says that the time is %d, returns %s; want %s", now, known, got, want)
			return
		}
	}
}
