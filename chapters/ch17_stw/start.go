package ch17

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// start checks how the Ps are given out.
func start(t *check.T) {
	for _, c := range []struct {
		newprocs, procs int32
		started         string
	}{
		{0, 4, "P1 P3"},
		{2, 2, "P1"},
		{6, 6, "P1 P3"},
	} {
		w := newWorld(t, 4)
		w.stopped()
		w.work(1)
		w.work(3)
		w.s.Newprocs.Set(c.newprocs)
		what := fmt.Sprintf("there are 4 Ps, of which P1 and P3 have work, and Newprocs is %d; ", c.newprocs)
		w.on("Procresize", func(call *check.Call) {
			check.Want(t, what+"when the Ps are given out (Procresize), Gcwaiting", w.s.Gcwaiting.Load(), true)
			check.Want(t, what+"how many Ps Procresize is asked for", check.Arg[int32](call.Call), c.procs)
		})
		var started []string
		w.on("Startm", func(call *check.Call) {
			pp := check.Arg[*gmp.P](call.Call)
			started = append(started, check.PName(pp))
			check.Want(t, "when an M is started, Gcwaiting", w.s.Gcwaiting.Load(), false)
			check.Want(t, "when an M is started for "+check.PName(pp)+", its Link", check.PName(pp.Link.Get()), "nil")
			check.Must(t, call.Args[2] != true, "the M that is started for "+check.PName(pp)+", which has work, must not spin")
			pp.Link.Set(w.p(0)) // the M has it, and puts it on a list
		})
		w.on("Wakep", func(*check.Call) {
			check.Want(t, "when Wakep is called, Gcwaiting", w.s.Gcwaiting.Load(), false)
		})
		check.Want(t, what+"what StartTheWorldWithSema(M0, 7) returns", w.s.StartTheWorldWithSema(w.m0, 7), 7)
		slices.Sort(started)
		check.Want(t, what+"for which Ps an M is started", strings.Join(started, " "), c.started)
		check.Want(t, what+"how often Wakep is called", len(w.Of("Wakep")), 1)
		check.Want(t, what+"Newprocs after that", w.s.Newprocs.Get(), 0)
		check.Want(t, what+"Gcwaiting after that", w.s.Gcwaiting.Load(), false)
		check.Want(t, what+"the P of M0 after that", check.PName(w.m0.P.Get()), "P0")
		check.WantUnlocked(t, w.s, "StartTheWorldWithSema")
	}
	w := newWorld(t, 1)
	w.stopped()
	before := w.s.Nanotime()
	w.wantTime("StartTheWorldWithSema(M0, 0) returns", w.s.StartTheWorldWithSema(w.m0, 0), before)
}

// wakes checks that the monitor is woken, and the network asked.
func wakes(t *check.T) {
	for _, sleeps := range []bool{false, true} {
		w := newWorld(t, 2)
		w.stopped()
		w.s.Sysmonwait.Store(sleeps)
		w.s.StartTheWorldWithSema(w.m0, 1)
		what := fmt.Sprintf("Sysmonwait is %v; after StartTheWorldWithSema ", sleeps)
		check.Want(t, what+"Sysmonwait", w.s.Sysmonwait.Load(), false)
		check.Must(t, signalled(&w.s.Sysmonnote) == sleeps, what+"Sysmonnote "+check.MustIf(sleeps)+" be signalled")
	}
	w := newWorld(t, 2)
	w.stopped()
	gp := check.NewG(w.s, gmp.Gwaiting)
	w.network.Push(gp)
	brought := gmp.GList{}
	w.on("Injectglist", func(c *check.Call) {
		brought = check.Arg[gmp.GList](c.Call)
		check.Want(t, "when the Gs of the network are brought (Injectglist), Gcwaiting", w.s.Gcwaiting.Load(), true)
	})
	w.s.StartTheWorldWithSema(w.m0, 1)
	if calls := w.Of("Netpoll"); len(calls) != 1 || check.Arg[int64](calls[0].Call) != 0 {
		t.Fatalf("StartTheWorldWithSema must ask the network once (Netpoll), without waiting: with a delay of 0")
	}
	check.Want(t, "the network has G2; the G that is brought (Injectglist)", check.Name(brought.Head), check.Name(gp))
	check.Want(t, "the network has G2; what StartTheWorldWithSema does", w.order("Netpoll", "Injectglist", "Procresize", "Wakep"), "Netpoll, Injectglist, Procresize, Wakep")
}

// stopped puts the world into the state in which it is stopped, by hand.
func (w *world) stopped() {
	for _, pp := range w.s.Allp.Get() {
		pp.Status.Store(gmp.Pgcstop)
	}
	w.s.Gcwaiting.Store(true)
}

// work puts a G on the queue of a P.
func (w *world) work(id int) *gmp.G {
	gp := check.NewG(w.s, gmp.Grunnable)
	w.s.Runqput(w.p(id), gp, false)
	return gp
}
