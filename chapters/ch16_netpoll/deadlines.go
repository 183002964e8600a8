package ch16

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// This file checks what ends the wait of a G although nothing has come.

// setDeadline checks PollSetDeadline.
func setDeadline(t *check.T) { clocked(t, func() { deadlinesAreSet(t) }) }

func deadlinesAreSet(t *check.T) {
	const hour = 3600e9
	for _, c := range []struct {
		d    int64
		mode int
	}{{hour, 'r'}, {hour, 'w'}, {hour, 'r' + 'w'}, {1, 'r'}, {0, 'r'}, {0, 'r' + 'w'}, {-1, 'r'}, {-1, 'w'}, {-1, 'r' + 'w'}, {gmp.MaxWhen, 'r'}} {
		w := newWorld(t)
		pd := w.open(first(w.sockets()))
		pd.Rd.Set(77)
		pd.Wd.Set(88)
		w.hadDeadlines(pd)
		gs := map[int]*gmp.G{'r': w.waiting(pd, 'r'), 'w': w.waiting(pd, 'w')}
		w.unlocked(pd, "ModTimer", "StopTimer", "Goready", "Ready")
		if c.d < 0 {
			w.sees["Netpollunblock"] = func(call *check.Call) {
				if pd.PollInfo.Load()&expired[check.Arg[int](call.Call)] == 0 {
					w.fails = "Netpollunblock is called before PollInfo says that the deadline is over: a G that is about to wait would not be seen, and would not see it"
				}
			}
		}
		before := w.s.Nanotime()
		w.s.PollSetDeadline(w.m0, pd, c.d, c.mode)
		what := fmt.Sprintf("PollSetDeadline to %s in mode %s", check.Value(c.d), mode(c.mode))
		w.wantUnlocked(what, pd)
		var woken []*gmp.G
		for _, m := range []int{'r', 'w'} {
			name, old := "Rd", int64(77)
			if m == 'w' {
				name, old = "Wd", 88
			}
			got := pd.Deadline(m).Get()
			switch meant := c.mode == m || c.mode == 'r'+'w'; {
			case !meant:
				check.Want(t, what+"; "+name, got, old)
				check.Must(t, pd.PollInfo.Load()&expired[m] == 0, what+"; PollInfo must not say that the deadline of mode "+mode(m)+" is over")
				continue
			case c.d == gmp.MaxWhen:
				if got < 0 {
					t.Fatalf("%s; the sum of this and the time does not fit, and %s is negative; want MaxWhen", what, name)
				}
				check.Want(t, what+"; "+name, got, gmp.MaxWhen)
			case c.d > 0:
				if now := w.s.Nanotime(); got < before+c.d || got > now+c.d {
					t.Fatalf("%s, when Sched.Nanotime is between %d and %d; %s is %d; want that many ns later", what, before, now, name, got)
				}
			default:
				check.Want(t, what+"; "+name, got, c.d)
			}
			if c.d < 0 {
				woken = append(woken, gs[m])
			}
			check.Must(t, (pd.PollInfo.Load()&expired[m] != 0) == (c.d < 0), what+"; PollInfo "+check.MustIf(c.d < 0)+" say that the deadline of mode "+mode(m)+" is over")
			timer, when := pd.Rt.Get(), int64(0)
			if m == 'w' {
				timer = pd.Wt.Get()
			}
			if calls := w.Of("ModTimer", "StopTimer"); len(calls) == 0 {
				t.Fatalf("%s; neither ModTimer nor StopTimer was called", what)
			} else {
				for _, call := range calls {
					if check.Arg[*gmp.Timer](call.Call) == timer && call.Method == "ModTimer" {
						when = call.Args[2].(int64)
					}
				}
			}
			check.Want(t, what+"; the timer of mode "+mode(m)+" is set to, 0 for not", when, max(0, got))
		}
		check.Want(t, what+"; Gs that become ready", check.Names(w.readied()), check.Names(woken))
	}

	w := newWorld(t)
	pd := w.open(first(w.sockets()))
	pd.Rd.Set(-1)
	pd.PublishInfo()
	w.s.PollSetDeadline(w.m0, pd, hour, 'r')
	check.Must(t, pd.PollInfo.Load()&expired['r'] == 0, "a deadline was over; PollSetDeadline to a later time; PollInfo must not say that it is over")

	w = newWorld(t)
	pd = w.open(first(w.sockets()))
	pd.Closing.Set(true)
	pd.PublishInfo()
	w.s.PollSetDeadline(w.m0, pd, -1, 'r')
	check.Want(t, "PollSetDeadline of a PollDesc that is Closing; Rd", pd.Rd.Get(), 0)
	check.Want(t, "PollSetDeadline of a PollDesc that is Closing; timers that it touches", len(w.Of("ModTimer", "StopTimer")), 0)
	w.wantUnlocked("PollSetDeadline of a PollDesc that is Closing", pd)
}

func first(a, _ int) int { return a }

// hadDeadlines gives pd its timers, as deadlines that it had would have done.
func (w *world) hadDeadlines(pd *gmp.PollDesc) {
	never := func(*gmp.Sched, *gmp.M, any, int64) {}
	pd.Rt.Set(w.s.NewTimer(never, pd))
	pd.Wt.Set(w.s.NewTimer(never, pd))
}

// deadline checks Netpolldeadline.
func deadline(t *check.T) { clocked(t, func() { deadlinesFire(t) }) }

func deadlinesFire(t *check.T) {
	for _, m := range []int{'r', 'w'} {
		for _, c := range []struct {
			what string
			d    int64
			over bool
		}{
			{"is over", 1, true},
			{"was moved to a later time", gmp.MaxWhen, false},
			{"is later than Sched.Nanotime, and earlier than machine.Nanotime", ahead * 1000 / 2, false},
			{"is no more", 0, false},
			{"was over already", -1, false},
		} {
			w := newWorld(t)
			pd := w.open(first(w.sockets()))
			gs := map[int]*gmp.G{'r': w.waiting(pd, 'r'), 'w': w.waiting(pd, 'w')}
			pd.Deadline(m).Set(c.d)
			pd.Deadline('r' + 'w' - m).Set(gmp.MaxWhen)
			pd.PublishInfo()
			w.unlocked(pd, "Goready", "Ready")
			w.sees["Netpollunblock"] = func(*check.Call) {
				if pd.PollInfo.Load()&expired[m] == 0 {
					w.fails = "Netpollunblock is called before PollInfo says that the deadline is over"
				}
			}
			w.s.Netpolldeadline(w.m0, pd, m)
			what := fmt.Sprintf("Netpolldeadline in mode %s; the deadline %s", mode(m), c.what)
			w.wantUnlocked(what, pd)
			d, woken := c.d, []*gmp.G(nil)
			if c.over {
				d, woken = -1, []*gmp.G{gs[m]}
			}
			check.Want(t, what+"; the deadline after that", pd.Deadline(m).Get(), d)
			check.Must(t, (pd.PollInfo.Load()&expired[m] != 0) == (d < 0), what+"; PollInfo "+check.MustIf(d < 0)+" say that it is over")
			check.Want(t, what+"; Gs that become ready", check.Names(w.readied()), check.Names(woken))
			check.Want(t, what+"; the deadline of the other mode", pd.Deadline('r'+'w'-m).Get(), gmp.MaxWhen)
		}
	}
}

// unblockAll checks PollUnblock.
func unblockAll(t *check.T) { clocked(t, func() { waitsEnd(t) }) }

func waitsEnd(t *check.T) {
	w := newWorld(t)
	pd := w.open(first(w.sockets()))
	gs := []*gmp.G{w.waiting(pd, 'r'), w.waiting(pd, 'w')}
	pd.Rd.Set(gmp.MaxWhen)
	w.hadDeadlines(pd)
	w.unlocked(pd, "ModTimer", "StopTimer", "Goready", "Ready")
	w.sees["Netpollunblock"] = func(*check.Call) {
		if pd.PollInfo.Load()&gmp.PollClosing == 0 {
			w.fails = "Netpollunblock is called before PollInfo says that the descriptor is being closed: a G that is about to wait would wait for ever"
		}
	}
	w.s.PollUnblock(w.m0, pd)
	what := "G2 waits to read, and G3 to write; PollUnblock"
	w.wantUnlocked(what, pd)
	check.Must(t, pd.Closing.Get(), what+"; pd must be Closing")
	check.Want(t, what+"; Gs that become ready", check.Names(w.readied()), check.Names(gs))
	w.wantHalf(what, pd, 'r', nil)
	w.wantHalf(what, pd, 'w', nil)
	for timer, name := range map[*gmp.Timer]string{pd.Rt.Get(): "Rt", pd.Wt.Get(): "Wt"} {
		stopped := false
		for _, c := range w.Of("StopTimer") {
			stopped = stopped || check.Arg[*gmp.Timer](c.Call) == timer
		}
		check.Must(t, stopped, what+"; "+name+" must have been stopped")
	}
	check.WantThrow(t, "PollUnblock of a PollDesc that is Closing", check.Thrown(t.Throws(func() { w.s.PollUnblock(w.m0, pd) })), check.Thrown("runtime: unblock on closing polldesc"))
}
