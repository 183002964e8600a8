package ch10

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// find is a call of FindRunnable for M0. When M0 sleeps it is brought P0, and with it a
// G, unless the check says something else.
func (w *world) find() (gp *gmp.G, inheritTime bool) {
	w.t.Helper()
	if w.slept == nil {
		w.slept = func(mp *gmp.M) {
			if mp.P.Get() == nil {
				w.bring(w.s.Allp.Get()[0])
			}
			w.nearby = []*gmp.G{w.newG()}
		}
	}
	gp, inheritTime, tryWakeP := w.Finder.FindRunnable(w.m0)
	check.WantUnlocked(w.t, w.s, "FindRunnable")
	switch {
	case gp == nil && (inheritTime || tryWakeP):
		w.t.Errorf("FindRunnable returns no G, with inheritTime %v and tryWakeP %v", inheritTime, tryWakeP)
	case tryWakeP:
		w.t.Errorf("FindRunnable returns %s with tryWakeP; it is an ordinary G, and an M that spins wakes another anyway", check.Name(gp))
	}
	return gp, inheritTime
}

// bring takes pp off the list of idle Ps, if it is there, and gives it to M0.
func (w *world) bring(pp *gmp.P) {
	for at := &w.s.Pidle; at.Get() != nil; at = &at.Get().Link {
		if at.Get() == pp {
			at.Set(pp.Link.Get())
			w.s.Npidle.Add(-1)
			break
		}
	}
	pp.Link.Set(nil)
	check.Holding(w.m0, pp)
}

// findOrder checks the order in which an M looks.
func findOrder(t *check.T) {
	keys := []string{"Gcstopm", "CheckTimers", "Nearby", "StealWork", "Releasep", "Pidleput", "CheckRunqsNoP", "CheckTimersNoP", "Stopm"}

	w := newWorld(t, 2)
	g1 := w.newG()
	w.nearby = []*gmp.G{g1}
	gp, inheritTime := w.find()
	check.Want(t, "with G1 nearby, what FindRunnable does", w.order(keys...), "CheckTimers, Nearby")
	check.Want(t, "with G1 nearby, the result of FindRunnable", check.Name(gp), "G1")
	check.Want(t, "with G1 nearby, which inherits the time slice, inheritTime", inheritTime, true)
	check.Want(t, "with G1 nearby, M0.Spinning", w.m0.Spinning.Get(), false)

	w = newWorld(t, 2)
	w.find()
	check.Want(t, "with no G anywhere, what FindRunnable does until it sleeps, and then finds G1 nearby,", w.order(keys...),
		"CheckTimers, Nearby, StealWork, Releasep, Pidleput, CheckRunqsNoP, CheckTimersNoP, Stopm, CheckTimers, Nearby")

	w = newWorld(t, 2)
	w.s.Gcwaiting.Store(true)
	w.nearby = []*gmp.G{w.newG()}
	w.find()
	check.Want(t, "with G1 nearby, while the world is to stop, what FindRunnable does", w.order(keys...), "Gcstopm, CheckTimers, Nearby")

	w = newWorld(t, 2)
	w.s.Exit(w.m0, 0)
	w.nearby = []*gmp.G{w.newG()}
	gp, _ = w.find()
	check.Want(t, "with G1 nearby, when the program is over, the result of FindRunnable", check.Name(gp), "nil")
}

// findSteal checks what FindRunnable makes of what StealWork returns.
func findSteal(t *check.T) {
	w := newWorld(t, 2)
	w.stolen = []robbery{{gp: w.newG()}}
	gp, inheritTime := w.find()
	check.Want(t, "when G1 is stolen, the result of FindRunnable", check.Name(gp), "G1")
	check.Want(t, "when G1 is stolen, inheritTime", inheritTime, false)
	check.Want(t, "when G1 is stolen, M0.Spinning, which is for Schedule to end,", w.m0.Spinning.Get(), true)
	check.Want(t, "when G1 is stolen by M0 and no other M spins, s.Nmspinning", w.s.Nmspinning.Load(), 1)
	if then := w.last("StealWork"); !then.spinning || then.counted != 1 {
		t.Errorf("M0 asks other Ps (StealWork), but is not counted as spinning yet; an M that queues a G meanwhile wakes another, and too many begin to spin")
	}
	check.Want(t, "when G1 is stolen, M0.P", check.PName(w.m0.P.Get()), "P0")

	w = newWorld(t, 2)
	w.stolen = []robbery{{newWork: true}, {gp: w.newG()}}
	gp, _ = w.find()
	check.Want(t, "when StealWork has run timers, which may have made new work, what FindRunnable does", w.order("CheckTimers", "Nearby", "StealWork", "Releasep"),
		"CheckTimers, Nearby, StealWork, CheckTimers, Nearby, StealWork")
	check.Want(t, "when G1 is stolen in the second round, the result of FindRunnable", check.Name(gp), "G1")
	check.Want(t, "when M0 has spun for two rounds, and no other M, s.Nmspinning", w.s.Nmspinning.Load(), 1)

	w = newWorld(t, 2)
	g1 := w.newG()
	w.stolen = []robbery{{gp: g1, newWork: true}, {gp: w.newG()}}
	gp, _ = w.find()
	check.Want(t, "when StealWork has run timers and stolen G1, which is no longer on any queue, the result of FindRunnable", check.Name(gp), "G1")
}

// spinnerCap checks who may begin to spin.
func spinnerCap(t *check.T) {
	for _, c := range []struct {
		procs, idle, spinning int32
		spins                 bool // M0 does already, and is one of them
		may                   bool
	}{
		{procs: 1, may: true},
		{procs: 2, may: true},
		{procs: 2, spinning: 1},
		{procs: 3, spinning: 1, may: true},
		{procs: 4, spinning: 1, may: true},
		{procs: 4, spinning: 2},
		{procs: 4, idle: 1, spinning: 1, may: true},
		{procs: 4, idle: 2, spinning: 1},
		{procs: 8, idle: 3, spinning: 2, may: true},
		{procs: 8, idle: 2, spinning: 3},
		{procs: 64, idle: 60, spinning: 2},
		{procs: 64, idle: 60, spinning: 1, may: true},
		{procs: 4, spinning: 2, spins: true, may: true},
		{procs: 64, idle: 63, spinning: 1, spins: true, may: true},
	} {
		w := newWorld(t, c.procs)
		w.s.Npidle.Store(c.idle)
		w.spins(c.spins, c.spinning)
		w.stolen = []robbery{{gp: w.newG()}}
		w.find()
		what := fmt.Sprintf("with %d Ps, %d of them idle, and s.Nmspinning %d", c.procs, c.idle, c.spinning)
		if c.spins {
			what += ", M0 among them"
		}
		stole := len(w.Of("StealWork")) > 0
		switch {
		case stole && !c.may:
			t.Errorf("%s, M0 steals; it must not begin to: twice %d is not less than the %d busy Ps", what, c.spinning, c.procs-c.idle)
		case !stole && c.may && c.spins:
			t.Errorf("%s, M0 does not steal; an M that already spins goes on; the limit is for those that begin", what)
		case !stole && c.may:
			t.Errorf("%s, M0 does not steal; it may begin to: twice %d is less than the %d busy Ps", what, c.spinning, c.procs-c.idle)
		case stole && !c.spins:
			check.Want(t, what+", and M0, which begins to, s.Nmspinning", w.s.Nmspinning.Load(), c.spinning+1)
		case stole:
			check.Want(t, what+", when M0 steals again, s.Nmspinning", w.s.Nmspinning.Load(), c.spinning)
		}
	}
}

// lastLook checks what an M does under the lock before it gives its P back.
func lastLook(t *check.T) {
	w := newWorld(t, 2)
	var g1 *gmp.G
	w.happens["StealWork"] = func() { g1 = w.global() }
	gp, inheritTime := w.find()
	check.Want(t, "while M0 looks at the queues of others, G1 comes to the global queue; the result of FindRunnable", check.Name(gp), check.Name(g1))
	check.Want(t, "while M0 looks at the queues of others, G1 comes to the global queue; inheritTime", inheritTime, false)
	if len(w.Of("Releasep")) > 0 {
		t.Errorf("while M0 looks at the queues of others, G1 comes to the global queue, and M0 gives its P back; it must look there again before that")
	}

	w = newWorld(t, 2)
	w.happens["StealWork"] = func() {
		w.s.Gcwaiting.Store(true)
		w.happens["StealWork"] = nil
	}
	w.find()
	check.Want(t, "while M0 looks at the queues of others the world is to stop; what FindRunnable does", w.order("StealWork", "Gcstopm", "Releasep"), "StealWork, Gcstopm, StealWork, Releasep")

	w = newWorld(t, 2)
	w.happens["StealWork"] = func() {
		w.s.Gcwaiting.Store(true)
		w.global()
		w.happens["StealWork"] = nil
	}
	w.find()
	for _, then := range append(w.then["Globrunqgetlocal"], w.then["Globrunqget"]...) {
		if then.stopping {
			t.Errorf("while M0 looks at the queues of others the world is to stop, and G1 comes to the global queue; FindRunnable takes G1 instead of stopping, and the M that stops the world waits for M0's P")
		}
	}

	// M0 does not spin, since another one does; and somebody has seen work, and got no P.
	w = newWorld(t, 2)
	w.spins(false, 1)
	w.s.Needspinning.Store(true)
	w.stolen = []robbery{{gp: w.newG()}}
	gp, _ = w.find()
	if len(w.Of("Releasep")) > 0 {
		t.Fatalf("M0 has not looked at the queues of others, s.Needspinning is set, and M0 gives its P back; another M has seen work, and got no P for it")
	}
	check.Want(t, "M0 may not begin to spin, but s.Needspinning is set; what FindRunnable does", w.order("StealWork"), "StealWork")
	check.Want(t, "when G1 is stolen then, the result of FindRunnable", check.Name(gp), "G1")
	check.Want(t, "with another M that spins, s.Nmspinning", w.s.Nmspinning.Load(), 2)
	check.Want(t, "when M0 spins for the M that has seen work, s.Needspinning", w.s.Needspinning.Load(), false)
}

// giveUp checks in which order an M that spins gives up.
func giveUp(t *check.T) {
	w := newWorld(t, 4)
	w.spins(false, 1) // somebody else
	w.find()
	w.only("FindRunnable, which finds nothing,", "Pidleput", "others may have the P")
	check.Want(t, "when FindRunnable puts P0 on the list of idle Ps, M0.P", check.PName(w.last("Pidleput").held), "nil")
	for _, method := range []string{"CheckRunqsNoP", "CheckTimersNoP", "Stopm"} {
		calls := w.Of(method)
		if len(calls) == 0 {
			t.Fatalf("M0 has spun and found nothing, and FindRunnable does not call %s; an M that has spun looks at everything once more, and then sleeps", method)
		}
		for i, then := range w.then[method] {
			if then.counted != 1 {
				t.Errorf("when FindRunnable calls %s, s.Nmspinning is %d; want 1, the other M: M0 must be taken out before it looks for the last time. An M that queues a G after that look would still see M0 spinning, and wake no other", method, then.counted)
			}
			check.Want(t, "when FindRunnable calls "+method+", M0.Spinning", then.spinning, false)
			check.Want(t, "when FindRunnable calls "+method+", M0.P", check.PName(then.held), "nil")
			check.Must(t, !calls[i].Locked, "when FindRunnable calls "+method+", s.Lock must not be held")
		}
	}

	// M0 may not begin to spin.
	w = newWorld(t, 2)
	w.spins(false, 1)
	w.find()
	check.Want(t, "M0 has not spun; after FindRunnable s.Nmspinning, which counts another M,", w.s.Nmspinning.Load(), 1)
}

// foundAfterAll checks what an M does that finds work in its last look.
func foundAfterAll(t *check.T) {
	w := newWorld(t, 2)
	var g1 *gmp.G
	w.happens["Pidleput"] = func() { g1 = w.global() } // in truth somewhat later: now the lock is held
	gp, inheritTime := w.find()
	check.Want(t, "M0 has given its P back, and G1 comes to the global queue; the result of FindRunnable", check.Name(gp), check.Name(g1))
	check.Want(t, "M0 has given its P back, and G1 comes to the global queue; inheritTime", inheritTime, false)
	check.Want(t, "after it M0.P", check.PName(w.m0.P.Get()), "P0")
	if len(w.Of("Stopm")) > 0 {
		t.Errorf("M0 has given its P back, G1 comes to the global queue, and M0 sleeps; an M that has spun must look there, too, once more")
	}
	check.Want(t, "M0 has found G1 in its last look; M0.Spinning, so that Schedule wakes an M that looks for more,", w.m0.Spinning.Get(), true)
	check.Want(t, "M0 has found G1 in its last look; s.Nmspinning", w.s.Nmspinning.Load(), 1)

	w = newWorld(t, 2)
	w.found = w.s.Allp.Get()[1]
	w.happens["CheckRunqsNoP"] = func() { w.spare(1) }
	w.happens["Acquirep"] = func() { w.stolen = []robbery{{gp: w.newG()}} }
	gp, _ = w.find()
	check.Want(t, "CheckRunqsNoP returns P1; what FindRunnable does then", w.order("CheckRunqsNoP", "Acquirep", "StealWork", "Stopm"),
		"StealWork, CheckRunqsNoP, Acquirep, StealWork")
	check.Want(t, "CheckRunqsNoP returns P1, with which M0 steals G1; the result of FindRunnable", check.Name(gp), "G1")
	check.Want(t, "after it M0.P", check.PName(w.m0.P.Get()), "P1")
	check.Want(t, "after it s.Nmspinning, in which M0 counts again,", w.s.Nmspinning.Load(), 1)
}

// poll checks the M that waits for a timer or the network.
func poll(t *check.T) {
	for _, c := range []struct {
		what                      string
		timer, stolen, nop, delay int64
	}{
		{"a timer of P0 is due at 500", 500, 0, 0, 500},
		{"a timer of P0 is due at 500, and StealWork has seen one that is due at 300", 500, 300, 0, 300},
		{"a timer of P0 is due at 500, and StealWork has seen one that is due at 700", 500, 700, 0, 500},
		{"P0 has no timer, and StealWork has seen one that is due at 300", 0, 300, 0, 300},
		{"a timer of P0 is due at 500, and meanwhile one was set that is due at 200, as CheckTimersNoP says", 500, 0, 200, 200},
	} {
		w := newWorld(t, 2)
		w.timer, w.nop = c.timer, c.nop
		w.stolen = []robbery{{pollUntil: c.stolen}}
		w.happens["Netpoll"] = func() { w.nearby = []*gmp.G{w.newG()} }
		w.find()
		polls := w.Of("Netpoll")
		if len(polls) != 1 {
			t.Fatalf("%s; FindRunnable waited in Netpolluntil %d times; want once", c.what, len(polls))
		}
		check.Want(t, "the time is 0; "+c.what+"; for how long FindRunnable waits", check.Arg[int64](polls[0].Call), c.delay)
		then := w.last("Netpoll")
		check.Want(t, "while M0 waits for the time to come, M0.P", check.PName(then.held), "nil")
		check.Want(t, "while M0 waits for the time to come, M0.Spinning", then.spinning, false)
		check.Want(t, "M0 has waited for the time to come; its P afterwards", check.PName(w.m0.P.Get()), "P0")
		check.Want(t, "M0 spun before it waited, and nothing came from the network; M0.Spinning afterwards", w.m0.Spinning.Get(), true)
		check.Want(t, "M0 spun before it waited, and nothing came from the network; s.Nmspinning afterwards", w.s.Nmspinning.Load(), 1)
		if len(w.Of("Stopm")) > 0 {
			t.Errorf("%s; M0 sleeps without a time (Stopm), although it has waited for the timer and has a P again", c.what)
		}
	}

	// M0 may not spin, and nothing comes from the network.
	w := newWorld(t, 2)
	w.spins(false, 1)
	w.timer = 500
	w.happens["Netpoll"] = func() { w.nearby = []*gmp.G{w.newG()} }
	w.find()
	check.Want(t, "M0 did not spin before it waited, since another M does; s.Nmspinning afterwards", w.s.Nmspinning.Load(), 1)

	// Another M polls.
	w = newWorld(t, 2)
	w.timer = 500
	w.s.Lastpoll.Store(0)
	w.find()
	check.Want(t, "another M waits for the network and the time; what FindRunnable does with M0", w.order("Netpoll", "Acquirep", "Stopm"), "Stopm")

	// The network has a G.
	w = newWorld(t, 2)
	w.polled.Push(w.newG())
	w.happens["Injectglist"] = func() { w.nearby = []*gmp.G{w.newG()} }
	w.find()
	check.Want(t, "the network has G1, and P0 is idle; what FindRunnable does", w.order("Netpoll", "Acquirep", "Injectglist", "Stopm"), "Netpoll, Acquirep, Injectglist")
	inject := w.only("the network has G1; FindRunnable", "Injectglist", "what has come must be queued")
	check.Want(t, "the network has G1; with how many Gs FindRunnable calls Injectglist", check.Arg[gmp.GList](inject.Call).Size, 1)
	check.Want(t, "the network has G1, and P0 is idle, so M0 takes it first; when FindRunnable calls Injectglist, which uses it, M0.P", check.PName(w.last("Injectglist").held), "P0")
	check.Want(t, "the network has G1; afterwards, since M0 need not look for more, M0.Spinning", w.m0.Spinning.Get(), false)

	// The network has a G, and while M0 waited for it somebody took the P.
	w = newWorld(t, 2)
	w.polled.Push(w.newG())
	w.happens["Netpoll"] = func() {
		w.s.Pidle.Set(nil)
		w.s.Npidle.Store(0)
	}
	w.find()
	injects := w.Of("Injectglist")
	if len(injects) != 1 || check.Arg[gmp.GList](injects[0].Call).Size != 1 {
		t.Fatalf("the network has G1, and no P is idle; FindRunnable called Injectglist %d times; want once, with G1", len(injects))
	}
	check.Want(t, "the network has G1, and no P is idle; what FindRunnable does", w.order("Netpoll", "Injectglist", "Stopm"), "Netpoll, Injectglist, Stopm")
}
