package ch12

import (
	"fmt"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// slice checks how long a time slice lasts.
func slice(t *check.T) {
	w := newWorld(t, 1)
	w.runs(0, 5)
	story := ""
	w.happens["Preemptone"] = func() {
		if check.Held(&w.s.Lock) {
			t.Fatalf("Retake calls Preemptone with s.Lock held, which it needs only to read Allp")
		}
	}
	look := func(now int64, want bool) {
		t.Helper()
		w.Calls = nil
		w.clocked(func() { w.monitor.Retake(w.mon, now) })
		story += fmt.Sprintf("; Retake at %v", ns(now))
		calls := w.Of("Preemptone")
		switch {
		case want && len(calls) == 0:
			t.Fatalf("P0 is in its time slice 5%s: by the times that Retake is told the slice has lasted for 10 ms or more, and Preemptone is not called, or not through s", story)
		case !want && len(calls) > 0:
			t.Fatalf("P0 is in its time slice 5%s: Preemptone is called, and as far as the monitor can know the slice has not lasted for 10 ms", story)
		case len(calls) > 1 || want && pOf(calls[0]) != w.p(0):
			t.Fatalf("P0 is in its time slice 5%s: Preemptone is called for P0 %d times; want once", story, len(calls))
		case want && check.Arg[*gmp.M](calls[0].Call) != w.mon:
			t.Fatalf("Retake calls Preemptone in the name of another M than its own, mp")
		}
	}
	look(3*ms, false)
	look(4*ms, false)
	look(13*ms-1, false)
	look(13*ms, true)
	look(13*ms+20_000, true)
	w.p(0).Schedtick.Set(6)
	story += "; slice 6 begins"
	look(14*ms, false)
	look(24*ms-1, false)
	w.p(0).Schedtick.Set(7)
	story += "; slice 7 begins"
	look(30*ms, false)
	w.p(0).Schedtick.Set(8)
	story += "; slice 8 begins"
	w.p(0).Schedtick.Set(7)
	story += ", and 2³² slices later one with number 7, which nobody can tell from the old one"
	look(40*ms, true)
	w.p(0).Schedtick.Set(0)
	story += "; slice 2³² begins, whose number is 0"
	look(41*ms, false)
	w.s.Gcwaiting.Store(true)
	story += "; the world is to stop"
	look(51*ms, true)
}

func ns(now int64) string { return fmt.Sprintf("%d.%06d ms", now/ms, now%ms) }

// states checks which Ps are looked at.
func states(t *check.T) {
	const procs = 5
	of := []uint32{gmp.Pidle, gmp.Prunning, gmp.Psyscall, gmp.Pgcstop, gmp.Pdead}
	w := newWorld(t, procs)
	for id := range procs {
		w.runs(id, 9)
		w.p(id).Status.Store(of[id])
	}
	w.takeCall = func(*gmp.P, int64, bool) bool { return false }
	for _, now := range []int64{1 * ms, 11 * ms} {
		w.Calls = nil
		w.clocked(func() { w.monitor.Retake(w.mon, now) })
		for id := range procs {
			interesting := of[id] == gmp.Prunning || of[id] == gmp.Psyscall
			preempts, takes := 0, 0
			for _, c := range w.Of("Preemptone") {
				if pOf(c) == w.p(id) {
					preempts++
				}
			}
			for _, c := range w.Of("RetakeSyscall") {
				if pOf(c) == w.p(id) {
					takes++
				}
			}
			what := fmt.Sprintf("the slice of each P has lasted since %v; %s is %s; how often Retake at %v calls ", ns(1*ms), check.PName(w.p(id)), check.PState(w.p(id)), ns(now))
			check.Want(t, what+"Preemptone for it", preempts, count(interesting && now == 11*ms))
			check.Want(t, what+"RetakeSyscall for it", takes, count(interesting))
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// calls checks what is done about system calls.
func calls(t *check.T) {
	w := newWorld(t, 3)
	w.calls(0, 4)
	w.runs(1, 4)
	w.calls(2, 4)
	w.p(0).Syscalltick.Set(7)
	var take []bool
	var dues []bool
	noted := map[*gmp.P]int64{}
	w.takeCall = func(pp *gmp.P, now int64, due bool) bool {
		if check.Held(&w.s.Lock) {
			t.Fatalf("Retake calls RetakeSyscall with s.Lock held; that hands a P off, and takes the lock itself")
		}
		asked := slices.ContainsFunc(w.Of("Preemptone"), func(c check.Call) bool { return pOf(c) == pp })
		if due && !asked {
			t.Fatalf("the slice of %s is over, and Retake calls RetakeSyscall before Preemptone; if that takes the P, the request would reach a G that has just begun", check.PName(pp))
		}
		dues = append(dues, due)
		tick := pp.Sysmontick.Get()
		check.Want(t, fmt.Sprintf("what RetakeSyscall has noted in %s.Sysmontick.Syscallwhen, at its next look,", check.PName(pp)), tick.Syscallwhen, noted[pp])
		tick.Syscalltick, tick.Syscallwhen = pp.Syscalltick.Look(), now
		noted[pp] = now
		pp.Sysmontick.Set(tick)
		took := take[0]
		take = take[1:]
		return took
	}
	none, all := []bool{false, false, false}, []bool{true, true, true}
	for _, c := range []struct {
		now   int64
		take  []bool
		dues  []bool
		want  uint32
		begin int // the P whose slice number 5 begins before that; -1 if none
	}{
		{2 * ms, []bool{false, false, false}, none, 0, -1},
		{3 * ms, []bool{true, false, true}, none, 2, -1},
		{12 * ms, []bool{true, false, true}, all, 2, -1},
		{13 * ms, []bool{false, false, true}, []bool{true, false, true}, 1, 1},
		{14 * ms, []bool{false, false, true}, []bool{true, false, false}, 1, 2},
	} {
		take, dues, w.Calls = c.take, nil, nil
		begun := ""
		if c.begin >= 0 {
			w.p(c.begin).Schedtick.Set(5)
			begun = fmt.Sprintf(", and %s begins a new slice", check.PName(w.p(c.begin)))
		}
		var got uint32
		w.clocked(func() { got = w.monitor.Retake(w.mon, c.now) })
		what := fmt.Sprintf("P0 and P2 are in system calls, P1 runs, all since %v%s; Retake at %v", ns(2*ms), begun, ns(c.now))
		if len(dues) != 3 {
			t.Fatalf("%s calls RetakeSyscall %d times; want once for each of the three: whether a P is in a call is its business", what, len(dues))
		}
		for id, due := range dues {
			check.Want(t, fmt.Sprintf("%s, and due, which it tells RetakeSyscall for P%d,", what, id), due, c.dues[id])
		}
		for _, call := range w.Of("RetakeSyscall") {
			check.Want(t, what+", and the time that it tells RetakeSyscall,", check.Arg[int64](call.Call), c.now)
		}
		check.Want(t, fmt.Sprintf("%s, and RetakeSyscall takes %d Ps; the result of Retake", what, c.want), got, c.want)
	}
	tick := w.p(0).Sysmontick.Get()
	check.Want(t, "RetakeSyscall has noted 7 in P0.Sysmontick.Syscalltick; after Retake that", tick.Syscalltick, 7)
	check.Want(t, "RetakeSyscall has noted the time of its last look in P0.Sysmontick.Syscallwhen; after Retake that", tick.Syscallwhen, 14*ms)
	check.Want(t, "P0.Schedtick is 4; after Retake P0.Sysmontick.Schedtick", tick.Schedtick, 4)
	check.Want(t, "Retake has seen P0's slice for the first time at 2 ms; after that P0.Sysmontick.Schedwhen", tick.Schedwhen, 2*ms)
}
