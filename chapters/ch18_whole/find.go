package ch18

import (
	"fmt"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// steps are the sources, and what FindRunnable does between them.
var steps = []string{
	"Gcstopm", "RunSafePointFn", "CheckTimers", "FindRunnableGCWorker", "Wakefing", "Runqget", "Globrunqgetlocal", "Netpoll",
	"StealWork", "IdleGCWorker", "Releasep", "Pidleput", "CheckRunqsNoP", "CheckTimersNoP", "Stopm",
}

// stepLog checks which sources are asked, in which order, and which come first.
func stepLog(t *check.T) {
	w := newWorld(t, 2)
	gp, _, _ := w.find()
	check.WantOrder(t, "with nothing anywhere, FindRunnable, which finds G1 on the queue of its P when M0 has slept", w.asked(slices.DeleteFunc(slices.Clone(steps), func(m string) bool { return m == "Globrunqgetlocal" })...),
		"CheckTimers, FindRunnableGCWorker, Wakefing, Runqget, StealWork, IdleGCWorker, Releasep, Pidleput, CheckRunqsNoP, CheckTimersNoP, Stopm, "+
			"CheckTimers, FindRunnableGCWorker, Wakefing, Runqget")
	check.Want(t, "the result of FindRunnable", check.Name(gp), "G1")

	// From each source on all have a G; the first one is returned, and no later one is asked.
	const looks = "CheckTimers, FindRunnableGCWorker"
	for from, c := range []struct {
		source, asked string
		inherit, wake bool
	}{
		{"there is a GC worker", looks, false, true},
		{"it is a 61st tick, and there is a G on the global queue", looks, false, false},
		{"the queue of P0 has a G", looks + ", Wakefing, Runqget", true, false},
		{"the global queue has a G", looks + ", Wakefing, Runqget, Globrunqgetlocal", false, false},
		{"the network has a G", looks + ", Wakefing, Runqget, Netpoll", false, false},
		{"another P has a G", looks + ", Wakefing, Runqget, Netpoll, StealWork", true, false},
		{"there is an idle-time marker", looks + ", Wakefing, Runqget, Netpoll, StealWork, IdleGCWorker", false, false},
	} {
		w := newWorld(t, 2)
		gs := make([]*gmp.G, 7)
		for i := range gs {
			st := gmp.Grunnable
			if i == 4 {
				st = gmp.Gwaiting
			}
			gs[i] = check.NewG(w.s, st)
		}
		w.waiters = true
		for i := from; i < len(gs); i++ {
			switch i {
			case 0:
				w.worker = gs[i]
			case 1:
				w.p0.Schedtick.Set(122)
				w.s.Runq.PushBack(gs[i])
				w.s.Runqsize.Store(1)
			case 2:
				w.local = append(w.local, gs[i])
			case 3:
				w.s.Runq.PushBack(gs[i])
				w.s.Runqsize.Store(w.s.Runq.Get().Size)
			case 4:
				w.ready.Push(gs[i])
			case 5:
				w.steal.gp = gs[i]
			case 6:
				w.idle = gs[i]
			}
		}
		gp, inherit, wake := w.find()
		what := c.source + ", as have all sources that come later; "
		if from == len(gs)-1 {
			what = c.source + ", and nothing else; "
		}
		check.WantOrder(t, what+"FindRunnable", w.asked(steps...), c.asked)
		check.Want(t, what+"the result of FindRunnable", check.Name(gp), check.Name(gs[from]))
		check.Want(t, what+"inheritTime", inherit, c.inherit)
		check.Want(t, what+"tryWakeP", wake, c.wake)
	}

	w = newWorld(t, 2)
	w.s.Exit(w.m0, 0)
	w.local = []*gmp.G{w.newG()}
	gp, inherit, wake := w.find()
	check.Want(t, "the program is over; the result of FindRunnable", check.Name(gp), "nil")
	check.Want(t, "the program is over; inheritTime and tryWakeP", inherit || wake, false)

	w = newWorld(t, 2)
	w.s.GcController.BlackenEnabled.Store(false)
	w.local = []*gmp.G{w.newG()}
	w.find()
	check.Want(t, "no collection marks; how often FindRunnable asks for a worker", len(w.Of("FindRunnableGCWorker")), 0)

	w = newWorld(t, 2)
	g1, g2 := w.global(), w.newG()
	w.steal.gp = g2
	gp, _, _ = w.find()
	check.Want(t, "no G waits for the network, the global queue has G1, and another P has G2; the result of FindRunnable", check.Name(gp), check.Name(g1))
}

// stops checks what comes before all sources: the world, and the ragged barrier.
func stops(t *check.T) {
	keys := []string{"Gcstopm", "RunSafePointFn", "CheckTimers", "StealWork", "Releasep"}

	w := newWorld(t, 2)
	w.s.Gcwaiting.Store(true)
	w.p0.RunSafePointFn.Store(1)
	w.local = []*gmp.G{w.newG()}
	w.find()
	check.WantOrder(t, "the world is to stop, P0 is to run a function, and has a G; FindRunnable", w.asked(keys...), "Gcstopm, RunSafePointFn, CheckTimers")
	check.Want(t, "how often FindRunnable calls RunSafePointFn", len(w.Of("RunSafePointFn")), 1)

	w = newWorld(t, 2)
	w.local = []*gmp.G{w.newG()}
	w.find()
	check.WantOrder(t, "P0 is to run no function; FindRunnable", w.asked(keys...), "CheckTimers")

	// Meanwhile.
	for _, c := range []struct {
		what string
		do   func(w *world)
		then string
	}{
		{"the world is to stop", func(w *world) { w.s.Gcwaiting.Store(true) }, "Gcstopm"},
		{"P0 is to run a function", func(w *world) { w.p0.RunSafePointFn.Store(1) }, "RunSafePointFn"},
	} {
		w = newWorld(t, 2)
		w.happens["IdleGCWorker"] = func() {
			c.do(w)
			w.global()
			w.local = append(w.local, w.newG())
		}
		w.find()
		check.WantOrder(t, "while M0 looks elsewhere "+c.what+", and a G comes to the global queue; FindRunnable", w.asked(keys...), "CheckTimers, StealWork, "+c.then+", CheckTimers")
	}
}

// tick checks the 61st tick, and the finalizer goroutine.
func tick(t *check.T) {
	for _, at := range []uint32{0, 1, 60, 61, 62, 122, 610} {
		w := newWorld(t, 2)
		w.p0.Schedtick.Set(at)
		g1, g2 := w.global(), w.newG()
		w.global()
		w.local = []*gmp.G{g2}
		gp, inherit, _ := w.find()
		want := g2
		if at%61 == 0 {
			want = g1
		}
		what := fmt.Sprintf("P0.Schedtick is %d, G1 and G3 are on the global queue, and G2 on that of P0; ", at)
		check.Want(t, what+"the result of FindRunnable", check.Name(gp), check.Name(want))
		check.Want(t, what+"inheritTime", inherit, want == g2)
		if want == g1 {
			check.Want(t, what+"how many Gs the global queue has afterwards", w.s.Runq.Get().Size, 1)
		}
	}

	// One G, and none.
	w := newWorld(t, 2)
	w.p0.Schedtick.Set(61)
	g1 := w.global()
	w.local = []*gmp.G{w.newG()}
	gp, _, _ := w.find()
	check.Want(t, "P0.Schedtick is 61, and the global queue has one G, G1; the result of FindRunnable", check.Name(gp), check.Name(g1))
	w = newWorld(t, 2)
	w.p0.Schedtick.Set(61)
	w.local = []*gmp.G{w.newG()}
	w.find()
	check.Must(t, len(w.Of("Globrunqget", "Globrunqgetbatch", "Globrunqgetlocal")) == 0, "P0.Schedtick is 61, and s.Runqsize is 0; FindRunnable must not take s.Lock to read the global queue")

	// The queue seems to have a G, and does not.
	w = newWorld(t, 2)
	w.p0.Schedtick.Set(0)
	w.s.Runqsize.Store(1)
	w.local = []*gmp.G{w.newG()}
	gp, _, _ = w.find()
	check.Want(t, "P0.Schedtick is 0, and s.Runqsize is 1, but another M has taken that G; G1 is on the queue of P0; the result of FindRunnable", check.Name(gp), "G1")

	w = newWorld(t, 2)
	w.fing = w.waiting()
	g2 := w.newG()
	w.local = []*gmp.G{g2}
	gp, _, _ = w.find()
	calls := w.Of("Ready")
	if len(calls) != 1 {
		t.Fatalf("the finalizer goroutine, G1, waits and has work (Wakefing); FindRunnable makes it ready %d times; want once", len(calls))
	}
	check.Want(t, "the G that FindRunnable makes ready", check.Name(calls[0].G), "G1")
	check.Want(t, "when FindRunnable makes the finalizer goroutine ready, its argument next", check.Arg[bool](calls[0].Call), true)
	check.WantOrder(t, "the finalizer goroutine is ready, and on the queue of P0; FindRunnable", w.asked("Wakefing", "Ready", "Runqget"), "Wakefing, Ready, Runqget")
	check.Want(t, "the result of FindRunnable, which is what Runqget has", check.Name(gp), "G2")
}

// quietly checks the look at the network without waiting.
func quietly(t *check.T) {
	for _, c := range []struct {
		what           string
		waiters, looks bool
		lastpoll       int64
		asks           bool
	}{
		{"no G waits for the network", false, false, 1, false},
		{"a G waits for the network", true, false, 1, true},
		{"a G waits for the network, and an M waits there (s.Lastpoll is 0)", true, false, 0, false},
		{"a G waits for the network, and another M looks there (s.PollingNet)", true, true, 1, false},
	} {
		w := newWorld(t, 2)
		w.waiters = c.waiters
		w.s.PollingNet.Store(c.looks)
		w.s.Lastpoll.Store(c.lastpoll)
		w.steal.gp = w.newG()
		w.find()
		check.Must(t, (len(w.Of("Netpoll")) > 0) == c.asks, c.what+"; FindRunnable "+check.MustIf(c.asks)+" poll the network before it steals")
		check.Want(t, c.what+"; after FindRunnable s.PollingNet", w.s.PollingNet.Load(), c.looks)
		check.Want(t, c.what+"; after FindRunnable s.Lastpoll", w.s.Lastpoll.Load(), c.lastpoll)
		if c.asks {
			check.Want(t, "when FindRunnable looks at the network (Netpoll), s.PollingNet", w.last("Netpoll").polling, true)
		}
	}
	w := newWorld(t, 2)
	w.waiters = true
	third, second, first := w.waiting(), w.waiting(), w.waiting()
	for _, gp := range []*gmp.G{third, second, first} {
		w.ready.Push(gp)
	}
	gp, _, _ := w.find()
	came(w, gp, first, second)
	check.Want(t, "the network has three Gs; after FindRunnable s.PollingNet", w.s.PollingNet.Load(), false)
}

// came checks that of what the network has, first is run, and the others, of which second is the
// first, are for Injectglist.
func came(w *world, gp, first, second *gmp.G) {
	check.Want(w.t, "the network has three Gs; the result of FindRunnable, which is the first of them,", check.Name(gp), check.Name(first))
	calls := w.Of("Injectglist")
	if len(calls) != 1 {
		w.t.Fatalf("the network has three Gs; FindRunnable calls Injectglist %d times; want once, for the other two", len(calls))
	}
	list := check.Arg[gmp.GList](calls[0].Call)
	check.Want(w.t, "the network has three Gs; how many of them FindRunnable gives to Injectglist", list.Size, 2)
	check.Want(w.t, "the first G that FindRunnable gives to Injectglist", check.Name(list.Head), check.Name(second))
}

// spinnerCap checks who may begin to spin, and with what result.
func spinnerCap(t *check.T) {
	for _, c := range []struct {
		procs, idle, spinning int32
		spins, may            bool
	}{
		{procs: 1, may: true},
		{procs: 2, spinning: 1},
		{procs: 3, spinning: 1, may: true},
		{procs: 4, idle: 1, spinning: 1, may: true},
		{procs: 4, idle: 2, spinning: 1},
		{procs: 8, idle: 2, spinning: 3},
		{procs: 4, spinning: 2, spins: true, may: true},
	} {
		w := newWorld(t, c.procs)
		w.s.Npidle.Store(c.idle)
		w.m0.Spinning.Set(c.spins)
		w.others(c.spinning)
		w.steal.gp = w.newG()
		w.find()
		what := fmt.Sprintf("with %d Ps, %d of them idle, and s.Nmspinning %d (M0 among them: %v); ", c.procs, c.idle, c.spinning, c.spins)
		check.Must(t, (len(w.Of("StealWork")) > 0) == c.may, what+"M0 "+check.MustIf(c.may)+" ask other Ps (StealWork)")
		if c.may {
			spin := c.spinning
			if !c.spins {
				spin++
			}
			then := w.last("StealWork")
			check.Want(t, what+"when it does, s.Nmspinning", then.counted, spin)
			check.Want(t, what+"when it does, M0.Spinning", then.spinning, true)
			check.Want(t, what+"when it has stolen a G, M0.Spinning, which is for Schedule to end,", w.m0.Spinning.Get(), true)
		}
	}
	w := newWorld(t, 2)
	g1 := w.newG()
	w.steal = robbery{gp: g1, newWork: true}
	gp, _, _ := w.find()
	check.Want(t, "StealWork has run timers and stolen G1, which is on no queue any more; the result of FindRunnable", check.Name(gp), check.Name(g1))

	w = newWorld(t, 2)
	w.steal.newWork = true
	w.happens["StealWork"] = func() { w.local = append(w.local, w.newG()) }
	w.find()
	check.WantOrder(t, "StealWork has run timers, which may have made new work; FindRunnable", w.asked("StealWork", "Runqget", "IdleGCWorker", "Releasep"), "Runqget, StealWork, Runqget")
}

// lastLook checks what M0 does under the lock.
func lastLook(t *check.T) {
	w := newWorld(t, 2)
	var g1 *gmp.G
	w.happens["IdleGCWorker"] = func() { g1 = w.global() }
	gp, inherit, wake := w.find()
	check.Want(t, "while M0 looks elsewhere G1 comes to the global queue; the result of FindRunnable", check.Name(gp), check.Name(g1))
	check.Want(t, "while M0 looks elsewhere G1 comes to the global queue; inheritTime and tryWakeP", inherit || wake, false)
	check.Must(t, len(w.Of("Releasep")) == 0, "while M0 looks elsewhere G1 comes to the global queue; M0 must not give its P back")

	w = newWorld(t, 2)
	w.others(1)
	w.s.Needspinning.Store(true)
	w.steal.gp = w.newG()
	w.find()
	if len(w.Of("Releasep")) > 0 {
		t.Fatalf("M0 has not looked at the queues of others, s.Needspinning is set, and M0 gives its P back; another M has seen work, and got no P for it")
	}
	check.Must(t, len(w.Of("StealWork")) > 0, "s.Needspinning is set, and M0 may not begin to spin by itself; M0 must steal")
	check.Want(t, "with another M that spins, s.Nmspinning", w.s.Nmspinning.Load(), 2)

	w = newWorld(t, 2)
	w.happens["StealWork"] = func() { w.s.Needspinning.Store(true) }
	w.find()
	check.Must(t, len(w.Of("Releasep")) > 0, "M0 spins, and finds nothing; s.Needspinning, which is for those that have not looked, is set; M0 must give its P back")
}
