package ch06

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// idleList checks the list of idle Ps.
func idleList(t *check.T) {
	w := newWorld(t)
	s := w.s
	for round := range 2 { // the second time from a list that has been empty
		ps := []*gmp.P{newP(1), newP(2), newP(3)}
		check.Locked(t, w.s, "Pidleput or Pidleget", func() {
			if got, _ := s.Pidleget(1); got != nil {
				t.Fatalf("round %d: Pidleget from an empty list returns %s; want nil", round, check.PName(got))
			}
			for _, pp := range ps {
				s.Pidleput(pp, 1)
			}
			check.Want(t, "after Pidleput of P1, P2, P3 the list, s.Pidle and the Links,", w.idle(), "P3, P2, P1")
			check.Want(t, "after Pidleput of P1, P2, P3 the number of idle Ps, s.Npidle,", s.Npidle.Load(), 3)
			for i := 2; i >= 0; i-- {
				got, _ := s.Pidleget(1)
				what := fmt.Sprintf("after Pidleput of P1, P2, P3 call %d of Pidleget", 3-i)
				check.Want(t, what, check.PName(got), check.PName(ps[i]))
				if got != ps[i] {
					t.FailNow()
				}
				if got.Link.Get() != nil {
					t.Errorf("%s has left the list, but its Link still points to %s", check.PName(got), check.PName(got.Link.Get()))
				}
				check.Want(t, what+": the number of idle Ps, s.Npidle,", s.Npidle.Load(), int32(i))
				w.wantFree(what+":", got, "idle")
			}
			check.Want(t, "when all have left the list", w.idle(), "nothing")
		})
		if t.Failed() {
			return
		}
	}
}

// idleRules checks who may be on the list, and the time that is passed on.
func idleRules(t *check.T) {
	w := newWorld(t)
	s := w.s
	busy := newP(5)
	w.put(busy, 1)
	check.Locked(t, w.s, "Pidleput", func() { s.Pidleput(newP(4), 1) })
	msg := t.Throws(func() {
		s.Lock.Lock()
		s.Pidleput(busy, 1)
	})
	check.WantThrow(t, "P5 has a G in its queue; Pidleput(P5)", check.Thrown(msg), `"pidleput: P has non-empty run queue"`)
	check.Want(t, "P4 was idle, and Pidleput has refused P5; the list of idle Ps", w.idle(), "P4")
	check.Want(t, "P4 was idle, and Pidleput has refused P5; the Link of P5", check.PName(busy.Link.Get()), "nil")
	if t.Failed() {
		return
	}
	s.Pidleget(1)
	s.Lock.Unlock()

	check.Locked(t, w.s, "Pidleput or Pidleget", func() {
		_, now := s.Pidleget(0)
		check.Want(t, "there is no idle P; the time that Pidleget(0) returns", now, 0)
		if s.Pidleput(newP(1), 77) != 77 {
			t.Errorf("Pidleput(P1, 77) does not return 77; the caller has looked at the clock, and looking again would cost time")
		}
		before := s.Nanotime()
		now = s.Pidleput(newP(2), 0)
		if after := s.Nanotime(); now < before || now > after || now == 0 {
			t.Errorf("Pidleput(P2, 0) does not return the time, in ns on the clock of s.Nanotime")
		}
		_, now = s.Pidleget(88)
		if now != 88 {
			t.Errorf("Pidleget(88) does not return the time 88; the caller has looked at the clock")
		}
		before = s.Nanotime()
		_, now = s.Pidleget(0)
		if after := s.Nanotime(); now < before || now > after || now == 0 {
			t.Errorf("there is an idle P, and Pidleget(0) does not return the time, in ns on the clock of s.Nanotime")
		}
	})
}
