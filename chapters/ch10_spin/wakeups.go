package ch10

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// become checks that an M that begins to spin is counted.
func become(t *check.T) {
	for _, before := range []int32{0, 2} {
		w := newWorld(t, 8)
		w.spins(false, before)
		w.s.Needspinning.Store(true)
		w.s.BecomeSpinning(w.m0)
		check.Want(t, "after BecomeSpinning(M0) M0.Spinning", w.m0.Spinning.Get(), true)
		check.Want(t, fmt.Sprintf("with s.Nmspinning %d before BecomeSpinning(M0), after it s.Nmspinning", before), w.s.Nmspinning.Load(), before+1)
		if w.s.Needspinning.Load() {
			t.Errorf("after BecomeSpinning(M0) s.Needspinning is still set; M0 looks for the work for which it was set, and every M that finds nothing would spin for ever")
		}
	}
}

// idleP checks the taking of a P by one who knows of work.
func idleP(t *check.T) {
	take := func(w *world) (pp *gmp.P, now int64) {
		w.clock = 7
		check.Locked(t, w.s, "PidlegetSpinning", func() { pp, now = w.wakeups.PidlegetSpinning(w.m0, 7) })
		return pp, now
	}
	for _, before := range []bool{false, true} {
		w := newWorld(t, 3)
		pp := w.idle(1)
		w.s.Needspinning.Store(before)
		got, now := take(w)
		check.Want(t, "with P1 idle, the result of PidlegetSpinning", check.PName(got), check.PName(pp))
		check.Want(t, "with P1 idle and now 7, the time that PidlegetSpinning returns", now, 7)
		check.Want(t, fmt.Sprintf("with P1 idle and s.Needspinning %v, after PidlegetSpinning s.Needspinning", before), w.s.Needspinning.Load(), before)
		check.Want(t, "after PidlegetSpinning the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 0)
	}
	w := newWorld(t, 3)
	got, _ := take(w)
	check.Want(t, "with no P idle, the result of PidlegetSpinning", check.PName(got), "nil")
	if !w.s.Needspinning.Load() {
		t.Errorf("no P is idle, and PidlegetSpinning, whose caller knows of work, does not set s.Needspinning: an M that has not seen the work may be about to give its P back, and nothing tells it")
	}
}

// reset checks the M that has found a G.
func reset(t *check.T) {
	for _, before := range []int32{1, 3} {
		w := newWorld(t, 8)
		w.spins(true, before)
		w.s.Resetspinning(w.m0)
		check.Want(t, "after Resetspinning(M0) M0.Spinning", w.m0.Spinning.Get(), false)
		check.Want(t, fmt.Sprintf("with s.Nmspinning %d before Resetspinning(M0), after it s.Nmspinning", before), w.s.Nmspinning.Load(), before-1)
		calls := w.Of("Wakep")
		if before == 1 && len(calls) == 0 {
			t.Fatalf("M0 was the only M that spun, and Resetspinning does not call Wakep: others may have queued Gs while M0 spun, and because of that woken no M. Whether there is such a G is for the M that Wakep brings to find out")
		}
		for i, c := range calls {
			check.Want(t, fmt.Sprintf("with s.Nmspinning %d before Resetspinning(M0), when it calls Wakep s.Nmspinning", before), w.then["Wakep"][i].counted, before-1)
			check.Must(t, !c.Locked, "when Resetspinning calls Wakep, s.Lock must not be held")
		}
	}
	w := newWorld(t, 2)
	msg := t.Throws(func() { w.s.Resetspinning(w.m0) })
	check.WantThrow(t, "when M0 does not spin, Resetspinning(M0)", check.Thrown(msg), `"resetspinning: not a spinning m"`)
	w.spins(true, 0)
	msg = t.Throws(func() { w.s.Resetspinning(w.m0) })
	check.WantThrow(t, "when M0 spins and s.Nmspinning is 0, Resetspinning(M0)", check.Thrown(msg), `"resetspinning: negative nmspinning"`)
}

// stop checks the sleep of an M.
func stop(t *check.T) {
	for range 2 {
		w := newWorld(t, 2)
		w.m0.P.Set(nil)
		pp, slept := w.spare(1), false
		w.parked = func(mp *gmp.M) {
			slept = true
			if check.Held(&w.s.Lock) {
				t.Fatalf("M0 goes to sleep (MPark) with s.Lock held; no other M will ever get it")
			}
			if w.s.Midle.Get() != mp {
				t.Fatalf("M0 goes to sleep (MPark), but is not on the list of idle Ms; it will not be found there")
			}
			w.s.Lock.Lock()
			w.s.Mget()
			w.s.Lock.Unlock()
			mp.Nextp.Set(pp)
		}
		w.wakeups.Stopm(w.m0)
		if !slept {
			t.Fatalf("Stopm(M0) returned, and M0 has not slept (MPark)")
		}
		w.only("Stopm", "Mput", "an M is on the list of idle Ms once")
		check.Want(t, "M0 was woken and given P1, by Nextp; after Stopm M0.P", check.PName(w.m0.P.Get()), "P1")
		check.Want(t, "after Stopm M0.Nextp", check.PName(w.m0.Nextp.Get()), "nil")
		check.WantUnlocked(w.t, w.s, "Stopm")
	}
	for _, c := range []struct {
		what    string
		mistake func(w *world)
		throws  string
	}{
		{"M0 holds P0", func(w *world) {}, "stopm holding p"},
		{"M0 spins", func(w *world) {
			w.m0.P.Set(nil)
			w.spins(true, 1)
		}, "stopm spinning"},
	} {
		w := newWorld(t, 2)
		c.mistake(w)
		msg := t.Throws(func() { w.wakeups.Stopm(w.m0) })
		check.WantThrow(t, "when "+c.what+", Stopm(M0)", check.Thrown(msg), check.Thrown(c.throws))
		if len(w.Of("Mput")) > 0 {
			t.Errorf("when %s, Stopm(M0) puts M0 on the list of idle Ms, and then throws; another M may have found it there by then", c.what)
		}
	}
}

// startm is a call of the Startm under test by M0.
func (w *world) startm(pp *gmp.P, spinning, lockheld bool) {
	if lockheld {
		w.s.Lock.Lock()
	}
	w.wakeups.Startm(w.m0, pp, spinning, lockheld)
	if lockheld {
		if !check.Held(&w.s.Lock) {
			w.t.Fatalf("Startm with lockheld set returned without s.Lock, which its caller holds and still needs")
		}
		w.s.Lock.Unlock()
	}
	check.WantUnlocked(w.t, w.s, "Startm")
}

// startIdle checks that an idle M is given the P, and woken.
func startIdle(t *check.T) {
	for _, spinning := range []bool{false, true} {
		for _, lockheld := range []bool{false, true} {
			w := newWorld(t, 2)
			w.s.Nmspinning.Store(1)
			m1 := check.IdleM(w.s)
			what := fmt.Sprintf("M1 is idle; after Startm(P1, spinning %v, lockheld %v) ", spinning, lockheld)
			w.startm(w.spare(1), spinning, lockheld)
			check.Want(t, what+"M1.Nextp", check.PName(m1.Nextp.Get()), "P1")
			check.Want(t, what+"M1.Spinning", m1.Spinning.Get(), spinning)
			check.Must(t, check.Woken(m1), what+"M1 must be woken")
			check.Want(t, what+"the number of idle Ms, s.Nmidle,", w.s.Nmidle.Get(), 0)
			check.Want(t, what+"s.Nmspinning, in which the caller has counted M1 if it is to spin,", w.s.Nmspinning.Load(), 1)
			check.Want(t, what+"the number of new Ms", len(w.Started()), 0)
		}
	}
}

// startNew checks that a new M is made if none is idle.
func startNew(t *check.T) {
	for _, spinning := range []bool{false, true} {
		for _, lockheld := range []bool{false, true} {
			w := newWorld(t, 2)
			w.s.Mnext.Set(5)
			what := fmt.Sprintf("no M is idle; Startm(P1, spinning %v, lockheld %v) ", spinning, lockheld)
			w.startm(w.spare(1), spinning, lockheld)
			if len(w.Started()) != 1 {
				t.Fatalf("%scalled Newm %d times; want once", what, len(w.Started()))
			}
			w.only("Startm", "MReserveID", "the new M counts from then on")
			if w.Of("Newm")[0].Locked {
				t.Errorf("%scalled Newm with s.Lock held; making a thread takes a long time, and all others wait meanwhile", what)
			}
			m := w.Started()[0]
			check.Want(t, what+"starts a new M; the P that it passes to Newm", check.PName(m.P), "P1")
			check.Want(t, what+"starts a new M; the ID that it passes to Newm", m.ID, 5)
			newm := &gmp.M{ID: m.ID}
			if m.Fn != nil {
				m.Fn(newm)
			}
			check.Want(t, what+"makes an M that begins with Spinning", newm.Spinning.Get(), spinning)
			check.Want(t, "after "+what+"s.Nmspinning, which is the caller's business,", w.s.Nmspinning.Load(), 0)
		}
	}
}

// startP checks the call without a P, and the mistakes of callers.
func startP(t *check.T) {
	for _, lockheld := range []bool{false, true} {
		w := newWorld(t, 2)
		m1 := check.IdleM(w.s)
		w.idle(1)
		w.startm(nil, false, lockheld)
		check.Want(t, "P1 and M1 are idle; after Startm(nil) M1.Nextp", check.PName(m1.Nextp.Get()), "P1")
		check.Want(t, "P1 and M1 are idle; after Startm(nil) the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 0)

		w = newWorld(t, 2)
		m1 = check.IdleM(w.s)
		w.startm(nil, false, lockheld)
		if check.Woken(m1) || w.s.Nmidle.Get() != 1 || len(w.Started()) > 0 {
			t.Errorf("no P is idle, and Startm(nil) still wakes or makes an M; without a P it can do nothing")
		}
	}
	for _, c := range []struct {
		what     string
		mistake  func(w *world, m1 *gmp.M) *gmp.P
		spinning bool
		throws   string
	}{
		{"an M is to spin, and there is no P for it", func(w *world, m1 *gmp.M) *gmp.P { return nil }, true, "startm: P required for spinning=true"},
		{"M1, the idle one, has Spinning set", func(w *world, m1 *gmp.M) *gmp.P {
			m1.Spinning.Set(true)
			return w.spare(1)
		}, false, "startm: m is spinning"},
		{"M1, the idle one, has a Nextp", func(w *world, m1 *gmp.M) *gmp.P {
			m1.Nextp.Set(w.s.Allp.Get()[0])
			return w.spare(1)
		}, false, "startm: m has p"},
		{"M1 is to spin, and P1 has a G in its queue", func(w *world, m1 *gmp.M) *gmp.P {
			w.s.Runqput(w.s.Allp.Get()[1], w.newG(), false)
			return w.spare(1)
		}, true, "startm: p has runnable gs"},
		{"M1 is to run the G in the queue of P1, and not to spin", func(w *world, m1 *gmp.M) *gmp.P {
			w.s.Runqput(w.s.Allp.Get()[1], w.newG(), false)
			return w.spare(1)
		}, false, ""},
	} {
		w := newWorld(t, 2)
		m1 := check.IdleM(w.s)
		pp := c.mistake(w, m1)
		msg := t.Throws(func() { w.wakeups.Startm(w.m0, pp, c.spinning, false) })
		check.WantThrow(t, "when "+c.what+", Startm", check.Thrown(msg), check.Thrown(c.throws))
	}
}

// wakes checks who is woken for work, and when nobody is.
func wakes(t *check.T) {
	w := newWorld(t, 3)
	w.idle(1)
	w.wakeups.Wakep(w.m0)
	check.WantUnlocked(w.t, w.s, "Wakep")
	c := w.only("with P1 idle and no M spinning, Wakep", "Startm", "no other M will come for the G that was queued")
	check.Want(t, "with P1 idle, the P for which Wakep calls Startm", check.PName(check.Arg[*gmp.P](c.Call)), "P1")
	check.Want(t, "when Wakep calls Startm, its argument spinning", c.Args[2].(bool), true)
	check.Want(t, "when Wakep calls Startm, s.Nmspinning", w.last("Startm").counted, 1)
	check.Want(t, "after Wakep took P1, the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 0)

	w = newWorld(t, 3)
	w.idle(1)
	w.spins(false, 1)
	w.wakeups.Wakep(w.m0)
	if len(w.Of("Startm")) > 0 {
		t.Errorf("an M already spins, and Wakep starts another one; the one that spins will find the G, or wake another that does")
	}
	check.Want(t, "an M already spins; after Wakep s.Nmspinning", w.s.Nmspinning.Load(), 1)
	check.Want(t, "an M already spins; after Wakep the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 1)

	w = newWorld(t, 3)
	check.IdleM(w.s)
	w.wakeups.Wakep(w.m0)
	check.WantUnlocked(w.t, w.s, "Wakep")
	if len(w.Of("Startm")) > 0 {
		t.Errorf("no P is idle, and Wakep still calls Startm")
	}
	check.Want(t, "no P is idle; after Wakep, which has woken no M, s.Nmspinning", w.s.Nmspinning.Load(), 0)
	check.Want(t, "no P is idle, and Wakep knows of work; after it s.Needspinning", w.s.Needspinning.Load(), true)
}

// runqs checks the second look at the queues of all Ps.
func runqs(t *check.T) {
	look := func(w *world) *gmp.P {
		pp := w.wakeups.CheckRunqsNoP(w.m0, w.s.Allp.Get())
		check.WantUnlocked(w.t, w.s, "CheckRunqsNoP")
		return pp
	}
	for _, id := range []int{0, 2, 3} {
		w := newWorld(t, 4)
		w.m0.P.Set(nil)
		w.idle(1)
		w.s.Runqput(w.s.Allp.Get()[id], w.newG(), false)
		what := fmt.Sprintf("P1 is idle, and P%d, which is busy, has a G in its queue; ", id)
		check.Want(t, what+"the result of CheckRunqsNoP", check.PName(look(w)), "P1")
		check.Want(t, what+"after CheckRunqsNoP the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 0)
	}
	w := newWorld(t, 4)
	w.m0.P.Set(nil)
	w.idle(1)
	check.Want(t, "P1 is idle, and no P has a G; the result of CheckRunqsNoP", check.PName(look(w)), "nil")
	check.Want(t, "P1 is idle, and no P has a G; after CheckRunqsNoP s.Npidle", w.s.Npidle.Load(), 1)
	check.Want(t, "P1 is idle, and no P has a G; after CheckRunqsNoP s.Needspinning", w.s.Needspinning.Load(), false)

	w = newWorld(t, 4)
	w.m0.P.Set(nil)
	w.s.Runqput(w.s.Allp.Get()[3], w.newG(), false)
	check.Want(t, "P3 has a G, and no P is idle; the result of CheckRunqsNoP", check.PName(look(w)), "nil")
	check.Want(t, "P3 has a G, and no P is idle; after CheckRunqsNoP s.Needspinning", w.s.Needspinning.Load(), true)
}

// visible checks that the models see what the parts share.
func visible(t *check.T) {
	w := newWorld(t, 1)
	w.s.BecomeSpinning(w.m0)
	t.Visible()
}
