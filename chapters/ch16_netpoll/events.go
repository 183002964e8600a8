package ch16

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// This file checks Netpoll, NetpollBreak and Injectglist.

// polls calls Netpoll with delay 0 and returns the Gs.
func (w *world) polls() []*gmp.G { return listed(w.s.Netpoll(w.m0, 0)) }

// events checks what Netpoll makes of events.
func events(t *check.T) {
	w := newWorld(t)
	check.Want(t, "there has been no descriptor; what Netpoll with delay 0 returns", check.Names(w.polls()), check.Names(nil))

	a, b := w.sockets()
	pd := w.open(a)
	r, wr := w.waiting(pd, 'r'), w.waiting(pd, 'w')
	what := "a socket can be written to, and there is nothing to read; Netpoll"
	check.Want(t, what+"; what it returns", check.Names(w.polls()), check.Names([]*gmp.G{wr}))
	w.wantHalf(what, pd, 'r', r)
	w.wantHalf(what, pd, 'w', gmp.PdReady)

	pd.Wg.Store(nil)
	wr = w.waiting(pd, 'w')
	w.write(b)
	what = "a byte has come, and there is still room to write; Netpoll"
	got := w.polls()
	check.Want(t, what+"; the number of Gs that it returns", len(got), 2)
	w.wantHalf(what, pd, 'r', gmp.PdReady)
	w.wantHalf(what, pd, 'w', gmp.PdReady)
	check.Want(t, "nothing has happened since; what Netpoll returns", check.Names(w.polls()), check.Names(nil))
	check.Want(t, "Gs that Netpoll made ready, which is up to the caller", check.Names(w.readied()), check.Names(nil))

	for _, c := range []struct {
		what string
		do   func(w *world, a, b int)
		want string
	}{
		{"the other end has closed", func(w *world, a, b int) { w.call(machine.SysClose, uint64(b)) }, "'r'+'w'"},
		{"the other end sends no more", func(w *world, a, b int) { w.call(machine.SysShutdown, uint64(b), machine.ShutWrite) }, "'r'+'w'"},
		{"nothing has come, and there is no room", func(w *world, a, b int) {
			buf := w.memory(1 << 14)
			for {
				c := machine.Syscall{Num: machine.SysWrite, Args: [3]uint64{uint64(a), uint64(buf), 1 << 14}}
				if w.m0.Thread.Syscall(&c); c.Err != 0 {
					return
				}
			}
		}, "no mode"},
	} {
		w := newWorld(t)
		a, b := w.sockets()
		c.do(w, a, b)
		pd := w.open(a)
		w.polls()
		check.Want(t, c.what+"; the mode in which Netpoll makes the descriptor ready", readyIn(pd), c.want)
	}

	// A socket that listens is ready to be read from, and nothing else.
	w = newWorld(t)
	l, c := w.call(machine.SysSocket), w.call(machine.SysSocket)
	w.call(machine.SysBind, l, uint64(machine.Addr4(127, 0, 0, 1, 80)))
	w.call(machine.SysListen, l, 5)
	pd = w.open(int(l))
	w.m0.Thread.Syscall(&machine.Syscall{Num: machine.SysConnect, Args: [3]uint64{c, uint64(machine.Addr4(127, 0, 0, 1, 80))}})
	w.polls()
	check.Want(t, "a connection has come to a socket that listens; the mode in which Netpoll makes it ready", readyIn(pd), "'r'")

	// One that has failed and hung up is ready in both.
	w = newWorld(t)
	s := w.call(machine.SysSocket)
	pd = w.open(int(s))
	w.polls()
	check.Want(t, "a socket without a connection reports PollOut and PollHup; the mode in which Netpoll makes it ready", readyIn(pd), "'r'+'w'")
}

// readyIn says in which mode pd is PdReady.
func readyIn(pd *gmp.PollDesc) string {
	m := 0
	for _, half := range []int{'r', 'w'} {
		if pd.Half(half).Load() == gmp.PdReady {
			m += half
		}
	}
	return mode(m)
}

// stale checks that an event of a former life is dropped.
func stale(t *check.T) {
	w := newWorld(t)
	a, _ := w.sockets()
	b, _ := w.sockets()
	other, _ := w.sockets()
	pa, pb := w.open(a), w.open(b)
	w.polls()
	// Both can be read. When Netpoll comes to the first one, the second is closed, and its
	// PollDesc is used again.
	w.call(machine.SysShutdown, uint64(a), machine.ShutRead)
	w.call(machine.SysShutdown, uint64(b), machine.ShutRead)
	reused := false
	w.sees["Netpollready"] = func(call *check.Call) {
		if reused {
			return
		}
		reused = true
		pd := check.Arg[*gmp.PollDesc](call.Call)
		victim := pa
		if pd == pa {
			victim = pb
		}
		w.s.PollUnblock(w.m0, victim)
		w.s.PollClose(w.m0, victim)
		if again := w.s.Pollalloc(other); again != victim {
			panic("the PollDesc that was given back is not the next one")
		}
		victim.Rg.Store(nil)
		defer func() {
			w.sees["Netpollready"] = func(call *check.Call) {
				if check.Arg[*gmp.PollDesc](call.Call) == victim {
					w.fails = "the second descriptor was closed after its event was fetched, and its PollDesc now stands for another descriptor; Netpoll makes that one ready"
				}
			}
		}()
	}
	w.polls()
	check.Must(t, reused, "two descriptors are ready; Netpoll must call Netpollready")
	if w.fails != "" {
		t.Fatalf("%s", w.fails)
	}
}

// many checks that Netpoll takes all events, in several calls if it must.
//
// It leaves room for an event of a break in each call: whether breaks are cleared is for the
// check of NetpollBreak to say.
func many(t *check.T) {
	const n = 2 * 127
	w := newWorld(t)
	w.open(first(w.sockets()))
	w.s.Netpoll(w.m0, 1) // the break of Netpollinit is an event, too
	var woken = map[*gmp.G]bool{}
	for range n {
		a, _ := w.sockets()
		w.waiting(w.open(a), 'w')
	}
	calls := 0
	for ; calls < 10 && len(woken) < n; calls++ {
		got := w.polls()
		if len(got) > 128 {
			t.Fatalf("%d descriptors become ready at once, and one Netpoll takes %d of their events; want 128 at most: all these Gs are in the hands of one M", n, len(got))
		}
		for _, gp := range got {
			woken[gp] = true
		}
	}
	check.Want(t, fmt.Sprintf("%d descriptors become ready at once; Gs that Netpoll returned in %d calls", n, calls), len(woken), n)
	if calls > 2 {
		t.Fatalf("%d descriptors become ready at once, and Netpoll needed %d calls; want 2: up to 128 at a time", n, calls)
	}
}

// breaks checks NetpollBreak.
func breaks(t *check.T) {
	for _, network := range []bool{false, true} {
		w := newWorld(t)
		what := "no descriptor was opened yet; "
		if network {
			what = "a descriptor was opened; "
			w.open(first(w.sockets()))
			w.s.Netpoll(w.m0, 1) // it can be written to; and the break of Netpollinit
		}
		done := func(delay int64) bool {
			before := machine.Nanotime()
			w.s.Netpoll(w.m0, delay)
			return machine.Nanotime()-before < delay
		}
		const long, short = 2e9, 1e6 // a check that sleeps longer is taken to hang
		for range 2 {
			before := w.s.Machine.Breaks()
			w.s.NetpollBreak()
			w.s.NetpollBreak()
			if n := w.s.Machine.Breaks() - before; n > 1 {
				t.Fatalf("%sNetpollBreak, twice; there were %d system calls (Epoll.Break); want 1, which ends the same wait", what, n)
			}
			w.s.Netpoll(w.m0, 0)
			if !done(long) {
				t.Fatalf("%sNetpollBreak, twice, and a Netpoll with delay 0; a Netpoll that waits does not return before its time", what)
			}
			if done(short) {
				t.Fatalf("%sNetpollBreak, and two calls of Netpoll that wait; the second returns before its time: the break was not cleared", what)
			}
		}
	}
}

// inject checks Injectglist.
func inject(t *check.T) { clocked(t, func() { deals(t) }) }

func deals(t *check.T) {
	for _, c := range []struct {
		what          string
		p             bool
		gs, idle      int
		room          int // on the queue of P0
		global, start int
	}{
		{"no G", true, 0, 2, 4, 0, 0},
		{"3 Gs, M0 has no P, and 2 Ps are idle", false, 3, 2, 4, 3, 2},
		{"3 Gs, M0 has no P, and none is idle", false, 3, 0, 4, 3, 0},
		{"3 Gs, M0 has P0, and none is idle", true, 3, 0, 4, 0, 0},
		{"3 Gs, M0 has P0, and 1 is idle", true, 3, 1, 4, 1, 1},
		{"3 Gs, M0 has P0, and 3 are idle", true, 3, 3, 4, 3, 3},
		{"2 Gs, M0 has P0, and 3 are idle", true, 2, 3, 4, 2, 2},
		{"4 Gs, M0 has P0, whose queue has room for 2, and none is idle", true, 4, 0, 2, 2, 0},
	} {
		w := newWorld(t)
		for i := range c.idle {
			pp := gmp.NewP(int32(i+1), 4)
			pp.Link.Set(w.s.Pidle.Get())
			pp.Status.Store(gmp.Pidle)
			w.s.Pidle.Set(pp)
			w.s.Npidle.Add(1)
		}
		for range 4 - c.room {
			w.s.Runqput(w.p0, check.NewG(w.s, gmp.Grunnable), false)
		}
		if !c.p {
			w.m0.P.Set(nil)
		}
		var list gmp.GList
		var gs []*gmp.G
		for range c.gs {
			gp := check.NewG(w.s, gmp.Gwaiting)
			gs = append(gs, gp)
			list.Push(gp)
		}
		for _, m := range []string{"Globrunqputbatch", "Runqputbatch"} {
			w.sees[m] = func(call *check.Call) {
				q := check.Arg[gmp.GQueue](call.Call)
				for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
					if st := gp.Atomicstatus.Load(); st != gmp.Grunnable {
						w.fails = fmt.Sprintf("%s is %s when it comes to a queue by %s: an M that takes it at once cannot run it", check.Name(gp), gmp.StatusName(st), call.Method)
					}
				}
			}
		}
		w.sees["Startm"] = func(call *check.Call) {
			if locked := check.Held(&w.s.Lock); locked != call.Args[3].(bool) {
				w.fails = fmt.Sprintf("Startm is told that s.Lock is held: %v; it is: %v", call.Args[3], locked)
			}
			if w.s.Runq.Get().Size == 0 {
				w.fails = "Startm is called before there is a G on the global queue: the M may find nothing, and sleep again"
			}
		}
		before := w.s.Nanotime()
		w.s.Injectglist(w.m0, list)
		what := "Injectglist of " + c.what
		for _, call := range w.Of("PidlegetSpinning") {
			if now := check.Arg[int64](call.Call); now != 0 && (now < before || now > w.s.Nanotime()) {
				t.Fatalf("%s; it tells PidlegetSpinning that the time is %d; want the time, or 0 if it is not known", what, now)
			}
		}
		if c.global == 0 {
			check.Want(t, what+"; how often it puts a batch on the global queue, for which it takes s.Lock,", len(w.Of("Globrunqputbatch")), 0)
		}
		if w.fails != "" {
			t.Fatalf("%s; %s", what, w.fails)
		}
		check.WantUnlocked(t, w.s, what)
		w.WantLocked(t, what, "PidlegetSpinning")
		for _, gp := range gs {
			check.Want(t, what+"; "+check.Name(gp)+" is", check.State(gp), "runnable")
		}
		check.Want(t, what+"; Gs on the global queue", int(w.s.Runq.Get().Size), c.global)
		check.Want(t, what+"; Ms that are started for them", len(w.Of("Startm")), c.start)
		for _, call := range w.Of("Startm") {
			check.Must(t, !call.Args[2].(bool), what+"; the M that is started must not spin")
		}
		wakes := c.p && c.gs > 0
		check.Must(t, (len(w.Of("Wakep")) > 0) == wakes, what+"; an M "+check.MustIf(wakes)+" be woken for what is on the own queue, or for a P that became idle meanwhile (Wakep)")
	}
}
