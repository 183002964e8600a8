package ch05

import (
	"bytes"
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// idleList checks the list of idle Ms.
func idleList(t *check.T) {
	w := newWorld(t, 1)
	s := w.s
	for round := range 2 { // the second time from a list that has been empty
		a, b := s.NewM(1), s.NewM(2)
		check.Locked(t, w.s, "Mput or Mget", func() {
			if got := s.Mget(); got != nil {
				t.Fatalf("round %d: Mget from an empty list returns M%d; want nil", round, got.ID)
			}
			s.Mput(a)
			s.Mput(b)
			check.Want(t, "after Mput(M1), Mput(M2) the number of idle Ms, s.Nmidle,", s.Nmidle.Get(), 2)
			for i, next := range []*gmp.M{b, a} {
				got := s.Mget()
				check.Want(t, fmt.Sprintf("after Mput(M1), Mput(M2) call %d of Mget", i+1), check.MName(got), check.MName(next))
				if got != next {
					t.FailNow()
				}
				if got.Schedlink.Get() != nil {
					t.Errorf("M%d has left the list, but its Schedlink still points to M%d", got.ID, got.Schedlink.Get().ID)
				}
			}
			check.Want(t, "when both have left the list, s.Nmidle", s.Nmidle.Get(), 0)
			if s.Midle.Get() != nil {
				t.Errorf("when both have left the list, s.Midle is M%d; want nil", s.Midle.Get().ID)
			}
		})
	}
}

// idleDead checks that Mput asks whether it was the last M.
func idleDead(t *check.T) {
	w := newWorld(t, 1)
	check.Locked(t, w.s, "Mput", func() { w.s.Mput(w.m0) })
	calls := w.Of("Checkdead")
	if len(calls) != 1 {
		t.Fatalf("Mput(M0) called Checkdead %d times; want once: if M0 was the last one awake, no other M will ever ask", len(calls))
	}
	if calls[0].Nmidle != 1 {
		t.Errorf("when Mput(M0) calls Checkdead, s.Nmidle is %d; want 1: M0 must already count as idle, or there is always one left that is awake", calls[0].Nmidle)
	}
	if !calls[0].Locked {
		t.Errorf("Mput called Checkdead without s.Lock")
	}
}

// reserve checks the IDs of Ms, and that who has one counts.
func reserve(t *check.T) {
	w := newWorld(t, 1)
	s := w.s
	for _, id := range []int64{1, 2, 3} {
		var got int64
		check.Locked(t, w.s, "MReserveID", func() { got = s.MReserveID() })
		check.Want(t, "with M0 alone made, the result of MReserveID, called again and again,", got, id)
		check.Want(t, fmt.Sprintf("after MReserveID returned %d the number of Ms made or reserved, s.Mnext,", id), s.Mnext.Get(), id+1)
	}
	if n := len(w.Of("Checkmcount")); n != 3 {
		t.Errorf("three calls of MReserveID called Checkmcount %d times; want 3", n)
	}
	s.Mnext.Set(5)
	s.Maxmcount.Set(5)
	msg := t.Throws(func() { s.MReserveID() })
	check.WantThrow(t, "with five Ms where five are allowed, MReserveID", check.Thrown(msg), check.Thrown(exhausted))
}

const exhausted = "thread exhaustion"

// mcount checks the limit on the number of Ms.
func mcount(t *check.T) {
	for _, c := range []struct {
		mnext, freed int64
		max          int32
		line         string // on standard error, "" for none
	}{
		{mnext: 10_000, max: 10_000},
		{mnext: 10_001, max: 10_000, line: "runtime: program exceeds 10000-thread limit\n"},
		{mnext: 10_050, freed: 50, max: 10_000},
		{mnext: 10_051, freed: 50, max: 10_000, line: "runtime: program exceeds 10000-thread limit\n"},
		{mnext: 4, max: 3, line: "runtime: program exceeds 3-thread limit\n"},
	} {
		var stderr bytes.Buffer
		s, err := gmp.New(t.Version(), nil, gmp.Options{Machine: machine.Options{MemBytes: 1 << 20, Stderr: &stderr}})
		if err != nil {
			panic(err)
		}
		s.Mnext.Set(c.mnext)
		s.Nmfreed.Set(c.freed)
		s.Maxmcount.Set(c.max)
		what := fmt.Sprintf("with %d Ms made, %d of them gone, and a limit of %d,", c.mnext, c.freed, c.max)
		msg := t.Throws(func() {
			s.Lock.Lock()
			s.Checkmcount()
		})
		switch {
		case c.line == "" && msg != "":
			t.Errorf("%s Checkmcount throws %q; that many are allowed", what, msg)
		case c.line != "" && msg != exhausted:
			t.Errorf("%s Checkmcount throws %s; want %q", what, check.Thrown(msg), exhausted)
		case stderr.String() != c.line:
			t.Errorf("%s Checkmcount writes %q on standard error; want %q", what, stderr.String(), c.line)
		}
	}
}

// mpark checks that a wake-up is kept, and that an M can sleep again.
func mpark(t *check.T) {
	w := newWorld(t, 1)
	mp := w.m0
	park := func() { w.Threads.MPark(mp) }
	// On simulated CPUs: there the time tells who was first, and who sleeps for ever
	// is found out.
	_, err := check.OnCPUs(1, func() {
		for range 2 {
			mp.Park.Wakeup() // throws if the last one was not cleared
			park()
		}
	})
	if err != nil {
		t.Fatalf("M0 is woken just before it goes to sleep by MPark, twice: %v", err)
	}
	if mp.Park.SleepTimeout(0) {
		t.Errorf("after MPark the note is still signalled: the next MPark would return at once")
	}
	mp.Park.Clear()

	var woken, returned int64
	_, err = check.OnCPUs(2, func() {
		machine.Newosproc("M0", func() {
			park()
			returned = machine.Nanotime()
		})
		machine.Usleep(100)
		woken = machine.Nanotime()
		mp.Park.Wakeup()
		machine.Usleep(100)
	})
	switch {
	case err != nil:
		t.Errorf("M0 sleeps by MPark, and another thread wakes it: %v", err)
	case returned == 0:
		t.Errorf("M0 slept by MPark and was woken, but MPark did not return")
	case returned < woken:
		t.Errorf("MPark returned before M0 was woken; an M without a G must not go on")
	}
}

// visible checks that the explorer sees what the threads of the parts share.
func visible(t *check.T) {
	w := newWorld(t, 1)
	check.Locked(t, w.s, "MReserveID", func() { w.s.MReserveID() })
	t.Visible()
}
