package ch18

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// giveUp checks how things are while M0 looks for the last time.
func giveUp(t *check.T) {
	w := newWorld(t, 4)
	w.others(1)
	w.find()
	check.Want(t, "when FindRunnable puts P0 on the list of idle Ps, M0.P", check.PName(w.last("Pidleput").held), "nil")
	for _, method := range []string{"CheckRunqsNoP", "CheckIdleGCNoP", "CheckTimersNoP", "Stopm"} {
		then := w.last(method)
		if then.counted != 1 {
			t.Errorf("when FindRunnable calls %s, s.Nmspinning is %d; want 1, the other M: an M that brings work after that look would still see M0 spinning, and wake no other", method, then.counted)
		}
		check.Want(t, "when FindRunnable calls "+method+", M0.Spinning", then.spinning, false)
	}

	w = newWorld(t, 2)
	w.others(1) // M0 may not spin
	w.find()
	check.Want(t, "M0 has not spun; what it looks at once more", w.asked("CheckRunqsNoP", "CheckIdleGCNoP", "CheckTimersNoP"), "nothing")
	check.Want(t, "M0 has not spun; after FindRunnable s.Nmspinning, which counts another M,", w.s.Nmspinning.Load(), 1)

	w = newWorld(t, 2)
	w.m0.Spinning.Set(true)
	msg := t.Throws(func() { w.finder.FindRunnable(w.m0) })
	check.WantThrow(t, "M0 spins, and s.Nmspinning is 0; FindRunnable", check.Thrown(msg), `"findRunnable: negative nmspinning"`)
}

// masked checks which Ps are looked at without a P, and with which masks.
func masked(t *check.T) {
	w := newWorld(t, 3)
	all, idle, timers := w.s.Allp.Get(), w.s.Idlepmask.Get(), w.s.Timerpmask.Get()
	idle.Set(2)
	timers.Clear(1)
	w.happens["Pidleput"] = func() { // in truth somewhat later: now the lock is held
		w.s.Allp.Set(all[:1])
		w.s.Resizemasks(1)
	}
	w.find()
	looked := w.Of("CheckRunqsNoP")
	if len(looked) == 0 {
		t.Fatalf("M0 has spun, and does not call CheckRunqsNoP")
	}
	check.Want(t, "P2 was in Idlepmask, and when M0 had given back its P the world was stopped, and started with one P; the Ps whose queues it looks at (CheckRunqsNoP)", ps(check.Arg[[]*gmp.P](looked[0].Call)), "P0, P1")
	looked = w.Of("CheckTimersNoP")
	if len(looked) == 0 {
		t.Fatalf("M0 has spun, and does not call CheckTimersNoP")
	}
	check.Want(t, "P1 was not in Timerpmask; the Ps whose timers it looks at (CheckTimersNoP)", ps(check.Arg[[]*gmp.P](looked[0].Call)), "P0, P2")
}

// ps names Ps.
func ps(list []*gmp.P) string {
	text := ""
	for i, pp := range list {
		if i > 0 {
			text += ", "
		}
		text += check.PName(pp)
	}
	if text == "" {
		return "none"
	}
	return text
}

// afterAll checks what M0 does that finds work in its last look.
func afterAll(t *check.T) {
	w := newWorld(t, 2)
	var g1 *gmp.G
	w.happens["Pidleput"] = func() { g1 = w.global() }
	gp, inherit, wake := w.find()
	check.Want(t, "M0 has given its P back, and G1 comes to the global queue; the result of FindRunnable", check.Name(gp), check.Name(g1))
	check.Want(t, "M0 has given its P back, and G1 comes to the global queue; inheritTime and tryWakeP", inherit || wake, false)
	spinsAgain(w, "M0 has given its P back, and G1 comes to the global queue; ")

	w = newWorld(t, 2)
	w.found = w.s.Allp.Get()[1]
	w.happens["Acquirep"] = func() { w.steal.gp = w.newG() }
	w.find()
	check.WantOrder(t, "CheckRunqsNoP returns P1; FindRunnable", w.asked("StealWork", "CheckRunqsNoP", "Acquirep", "Stopm"), "StealWork, CheckRunqsNoP, Acquirep, StealWork")
	spinsAgain(w, "CheckRunqsNoP returns P1, with which M0 steals G1; ")

	w = newWorld(t, 2)
	w.late = w.newG()
	g1 = w.late
	gp, inherit, wake = w.find()
	check.Want(t, "CheckIdleGCNoP returns P0 and a worker, G1; the result of FindRunnable", check.Name(gp), check.Name(g1))
	check.Want(t, "CheckIdleGCNoP returns P0 and a worker, G1; inheritTime and tryWakeP", inherit || wake, false)
	spinsAgain(w, "CheckIdleGCNoP returns P0 and a worker, G1; ")
}

// both checks that M0, which finds two things in its last look, takes one of them.
func both(t *check.T) {
	w := newWorld(t, 2)
	w.late = w.newG()
	other := w.s.Allp.Get()[1] // is idle, too
	other.Status.Store(gmp.Pidle)
	w.Tape.Parts.Procs.Pidleput(other, 0)
	w.happens["Pidleput"] = func() { w.global() }
	w.find()
	if w.late == nil && w.s.Runq.Get().Size == 0 {
		t.Errorf("M0 has given its P back, a worker is there, and a G comes to the global queue; FindRunnable takes both, and returns one: the other is on no queue any more")
	}

	w = newWorld(t, 2)
	p1 := w.s.Allp.Get()[1]
	w.found = p1
	w.happens["Pidleput"] = func() { w.global() }
	w.find()
	if w.found == nil && w.m0.P.Get() != p1 {
		t.Errorf("M0 has given its P back, a G comes to the global queue, and CheckRunqsNoP has P1 for it; FindRunnable takes P1, and another P, too: P1 is on no list any more")
	}
}

// spinsAgain checks an M that has found work in its last look.
func spinsAgain(w *world, what string) {
	check.Must(w.t, !w.slept, what+"M0 must not sleep")
	check.Want(w.t, what+"M0.Spinning, so that Schedule lets another M look for more,", w.m0.Spinning.Get(), true)
	check.Want(w.t, what+"s.Nmspinning", w.s.Nmspinning.Load(), 1)
}

// waits checks the M that waits for a timer or the network.
func waits(t *check.T) {
	for _, c := range []struct {
		what                      string
		timer, stolen, nop, delay int64
		waiters                   bool
	}{
		{what: "a timer of P0 is due at 500", timer: 500, delay: 500},
		{what: "a timer of P0 is due at 500, and StealWork has seen one that is due at 300", timer: 500, stolen: 300, delay: 300},
		{what: "a timer of P0 is due at 500, and StealWork has seen one that is due at 700", timer: 500, stolen: 700, delay: 500},
		{what: "StealWork has seen a timer that is due at 300", stolen: 300, delay: 300},
		{what: "a timer of P0 is due at 500, and meanwhile one was set that is due at 200", timer: 500, nop: 200, delay: 200},
		{what: "there is no timer, and a G waits for the network", waiters: true, delay: -1},
	} {
		w := newWorld(t, 2)
		w.timer, w.nop, w.waiters = c.timer, c.nop, c.waiters
		w.steal.pollUntil = c.stolen
		w.find()
		what := "the time is 0; " + c.what + "; "
		calls := w.Of("Netpoll")
		if len(calls) == 0 {
			t.Fatalf("%sFindRunnable does not wait for that (Netpoll)", what)
		}
		check.Want(t, what+"for how long FindRunnable waits", check.Arg[int64](calls[len(calls)-1].Call), c.delay)
		then := w.last("Netpoll")
		until := int64(0)
		if c.delay > 0 {
			until = c.delay
		}
		check.Want(t, what+"while M0 waits s.PollUntil", then.pollUntil, until)
		check.Want(t, what+"while M0 waits s.Lastpoll, which says that an M does,", then.lastpoll, 0)
		check.Want(t, what+"while M0 waits M0.P", check.PName(then.held), "nil")
		check.Want(t, what+"while M0 waits s.Nmspinning", then.counted, 0)
		check.Want(t, what+"afterwards s.PollUntil", w.s.PollUntil.Load(), 0)
		if w.s.Lastpoll.Load() == 0 {
			t.Errorf("%safterwards s.Lastpoll is 0, as if an M still waited; nobody will ever wait again", what)
		}
		check.Must(t, !w.slept, what+"M0 must not sleep (Stopm) when it has waited")
		check.Want(t, what+"nothing has come, and M0 spun before; M0.Spinning afterwards", w.m0.Spinning.Get(), true)
		check.Want(t, what+"nothing has come, and M0 spun before; s.Nmspinning afterwards", w.s.Nmspinning.Load(), 1)
	}

	// The time is not 0.
	w := newWorld(t, 2)
	w.timer, w.now = 600, 100
	w.find()
	if delay := check.Arg[int64](w.Of("Netpoll")[0].Call); delay < 0 || delay > 600 {
		t.Errorf("the time is 100, and a timer is due at 600; FindRunnable waits (Netpoll) for %d ns; want 500", delay)
	}

	// The time is over.
	w = newWorld(t, 2)
	w.timer, w.now = 99, 100
	w.find()
	if delay := check.Arg[int64](w.Of("Netpoll")[0].Call); delay < 0 {
		t.Errorf("the time is 100, and a timer is due at 99; FindRunnable waits (Netpoll) for %d ns, which means for ever; want 0", delay)
	}

	// M0 may not spin.
	w = newWorld(t, 2)
	w.others(1)
	w.timer = 500
	w.find()
	check.Want(t, "M0 did not spin before it waited, and nothing has come; s.Nmspinning, which counts another M,", w.s.Nmspinning.Load(), 1)

	// Nothing to wait for.
	w = newWorld(t, 2)
	w.find()
	check.WantOrder(t, "there is no timer, and no G waits for the network; FindRunnable", w.asked("Netpoll", "NetpollBreak", "Stopm"), "Stopm")
	check.Want(t, "there is nothing to wait for; after FindRunnable s.Lastpoll", w.s.Lastpoll.Load(), 1)
}

// brings checks what comes from the network when M0 has waited.
func brings(t *check.T) {
	for _, noIdle := range []bool{false, true} {
		w := newWorld(t, 2)
		w.waiters, w.noIdle = true, noIdle
		third, second, first := w.waiting(), w.waiting(), w.waiting()
		for _, gp := range []*gmp.G{third, second, first} {
			w.waited.Push(gp)
		}
		gp, inherit, wake := w.find()
		if !noIdle {
			came(w, gp, first, second)
			check.Want(t, "M0 has waited, and the network has three Gs; when FindRunnable calls Injectglist, which uses it, M0.P", check.PName(w.last("Injectglist").held), "P0")
			check.Want(t, "M0 has waited, and the network has three Gs; inheritTime and tryWakeP", inherit || wake, false)
			check.Want(t, "M0 has waited, and has a G to run, so that it need not look for more; M0.Spinning", w.m0.Spinning.Get(), false)
			continue
		}
		calls := w.Of("Injectglist")
		if len(calls) != 1 || check.Arg[gmp.GList](calls[0].Call).Size != 3 {
			t.Fatalf("M0 has waited, the network has three Gs, and no P is idle; FindRunnable calls Injectglist %d times; want once, for all three", len(calls))
		}
		check.WantOrder(t, "M0 has waited, the network has three Gs, and no P is idle; FindRunnable", w.asked("Netpoll", "Injectglist", "Stopm"), "Netpoll, Injectglist, Stopm")
	}
}

// another checks what M0 does when another M waits already.
func another(t *check.T) {
	for _, c := range []struct {
		what         string
		timer, until int64
		breaks       bool
	}{
		{"until 500, and M0 has a timer that is due at 300", 300, 500, true},
		{"for ever, and M0 has a timer that is due at 300", 300, 0, true},
		{"until 200, and M0 has a timer that is due at 300", 300, 200, false},
		{"until 300, and M0 has a timer that is due at 300", 300, 300, false},
		{"until 500, and M0 has no timer", 0, 500, false},
		{"for ever, and M0 has no timer", 0, 0, false},
	} {
		w := newWorld(t, 2)
		w.waiters = true
		w.timer = c.timer
		w.s.Lastpoll.Store(0)
		w.s.PollUntil.Store(c.until)
		w.happens["Stopm"] = func() { w.timer = 0 }
		w.find()
		what := fmt.Sprintf("another M waits for the network %s; ", c.what)
		check.Must(t, (len(w.Of("NetpollBreak")) > 0) == c.breaks, what+"FindRunnable "+check.MustIf(c.breaks)+" wake that M (NetpollBreak)")
		check.Must(t, len(w.Of("Netpoll")) == 0, what+"M0 must not wait, too (Netpoll)")
		check.Must(t, w.slept, what+"M0 must sleep (Stopm)")
		check.Want(t, what+"afterwards s.Lastpoll, which is for the other M to change,", w.s.Lastpoll.Load(), 0)
		check.Want(t, what+"afterwards s.PollUntil", w.s.PollUntil.Load(), c.until)
	}
}
