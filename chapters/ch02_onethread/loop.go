package ch02

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// executeLinks checks what Execute does to M and G, and that it goes through
// Casgstatus.
func executeLinks(t *check.T) {
	for _, inheritTime := range []bool{false, true} {
		s, mp := t.Sched()
		gp := check.NewG(s, gmp.Grunnable)
		s.Execute(mp, gp, inheritTime)
		wantCurrent(t, mp, "Execute(G1)", gp)
		if gp.M.Get() != mp {
			t.Errorf("after Execute(G1) on M0, G1.M does not point to M0")
		}
		check.Want(t, "after Execute the state of G1", check.State(gp), "running")
		if t.Failed() {
			return
		}
	}
	s, mp := t.Sched()
	gp := check.NewG(s, gmp.Gwaiting)
	if msg := t.Throws(func() { s.Execute(mp, gp, false) }); msg == "" {
		t.Errorf("Execute of a G that waits must throw, as Casgstatus does when the G is not in the state that the caller names; it made the G %s", check.State(gp))
	}
}

// scheduleHead checks that Schedule takes the G at the head, and only that one,
// off the queue and executes it.
func scheduleHead(t *check.T) {
	s, mp := t.Sched()
	tp := check.NewTape(s)
	g := newGs(s, 3, gmp.Grunnable)
	queue(s, g...)
	s.Schedule(mp)
	check.WantUnlocked(t, s, "Schedule")
	wantCurrent(t, mp, "Schedule with G1, G2, G3 queued", g[0])
	wantQueued(t, s, "Schedule with G1, G2, G3 queued", g[1], g[2])

	executed := tp.Of("Execute")
	if len(executed) != 1 {
		t.Fatalf("Schedule must execute one G, through s.Execute; it called it %d times", len(executed))
	}
	if executed[0].Locked {
		t.Errorf("Schedule called Execute while it held s.Lock: the G would run with the lock held, and all others would have to wait for it")
	}
	if check.Arg[bool](executed[0].Call) {
		t.Errorf("Schedule called Execute with inheritTime set; a G from this queue gets a time slice of its own")
	}
}

// verdict is what a doctor throws.
const verdict = "the doctor says: dead"

// A doctor stands in for Checkdead and notes in what state it was called.
type doctor struct {
	s      *gmp.Sched
	called int
	locked bool
}

func (d *doctor) Checkdead() {
	d.called++
	d.locked = check.Held(&d.s.Lock)
	d.s.Throw(verdict)
}

// scheduleEmpty checks what Schedule does when there is nothing to run.
func scheduleEmpty(t *check.T) {
	s, mp := t.Sched()
	d := &doctor{s: s}
	s.Deadlock = d
	check.NewG(s, gmp.Gwaiting)
	msg := t.Throws(func() { s.Schedule(mp) })
	if d.called == 0 {
		t.Fatalf("the queue is empty and G1 waits, but Schedule did not call Checkdead")
	}
	if !d.locked {
		t.Errorf("Schedule called Checkdead without s.Lock: with more threads, a G could be queued between the look at the queue and the verdict")
	}
	check.Want(t, "what Schedule threw, when Checkdead did,", msg, verdict)
	wantCurrent(t, mp, "Schedule with an empty queue", nil)
}

// scheduleOver checks that nothing is picked when the program is over.
func scheduleOver(t *check.T) {
	s, mp := t.Sched()
	g := newGs(s, 2, gmp.Grunnable)
	queue(s, g...)
	s.Exit(mp, 0)
	s.Schedule(mp)
	check.WantUnlocked(t, s, "Schedule after the end of the program")
	wantCurrent(t, mp, "the end of the program and Schedule", nil)
	wantQueued(t, s, "the end of the program and Schedule", g...)
	if msg := t.Throws(func() { s.Schedule(mp) }); msg != "" {
		t.Errorf("Schedule with an empty queue after the end of the program throws %q; it must simply return", msg)
	}
}
