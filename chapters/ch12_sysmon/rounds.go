package ch12

import (
	"fmt"
	"strings"
	"time"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// us is a time for people.
func us(ns int64) time.Duration { return time.Duration(ns).Round(time.Microsecond) }

// idles is how long the sleeps of n rounds are, in ns, if all before have been idle.
func idles(n int) (sleeps []int64) {
	delay := int64(20_000)
	for round := range n {
		if round > 50 {
			delay = min(2*delay, 10*ms)
		}
		sleeps = append(sleeps, delay)
	}
	return sleeps
}

// backOff checks how long the monitor sleeps between its rounds.
func backOff(t *check.T) {
	const first, second, third = 70, 60, 70
	work, woken := first-1, first+second // in these rounds there is something
	w := newWorld(t, 1)
	w.runs(0, 1)
	var times []int64
	asleep := 0 // how often the monitor has come to SysmonSleep
	w.sleep = func() bool {
		if asleep++; asleep > len(times)+1 {
			why := ""
			if len(times) == woken {
				why = "; SysmonSleep says that another M has woken the monitor, and the round goes on"
			}
			t.Fatalf("in round %d Sysmon does not call Retake, or not through s%s", len(times)+1, why)
		}
		return len(times) == woken
	}
	w.poll = func(int64) {}
	w.retake = func(now int64) uint32 {
		times = append(times, now)
		switch len(times) - 1 {
		case work:
			return 1
		case first + second + third:
			w.s.Exit(w.mon, 0)
		}
		return 0
	}
	want := idles(first)
	want = append(want, idles(second+1)...) // the round in which it is woken has slept before
	want = append(want, idles(third + 1)[1:]...)
	w.soFar = func() string {
		last := int64(morning)
		for i, at := range times[:min(len(times), len(want))] {
			// Falling asleep and waking up takes some nanoseconds here.
			if slept := (at - last) / 1000 * 1000; slept != want[i] {
				why := fmt.Sprintf("idle rounds in succession: %d", i)
				switch {
				case i > woken:
					why = fmt.Sprintf("in round %d another M has woken the monitor; idle rounds since: %d", woken+1, i-woken)
				case i > work:
					why = fmt.Sprintf("in round %d Retake took a P; idle rounds since: %d", work+1, i-work-1)
				}
				t.Fatalf("before round %d the monitor sleeps %v; want %v%s: %s", i+1, us(slept), us(want[i]), ofMachine(slept-want[i]), why)
			}
			last = at
		}
		return fmt.Sprintf("the monitor has called Retake in %d rounds; want %d, and then the end of the program: ", len(times), len(want))
	}
	w.Off = true
	w.rounds()
	w.soFar()
	if len(times) < len(want) {
		t.Fatalf("the program was over after %d rounds of the monitor; want %d, when it is ended by Retake", len(times), len(want))
	}
	if len(times) > len(want) {
		t.Fatalf("the program is over, and the monitor goes on with its rounds")
	}
}

// duties checks what is done in a round, in which order, and with which time.
func duties(t *check.T) {
	w := newWorld(t, 1)
	w.runs(0, 1)
	rounds := 0
	w.sleep = func() bool {
		machine.Usleep(5000)
		return false
	}
	w.poll = func(now int64) {
		if check.Held(&w.s.Lock) {
			t.Fatalf("Sysmon calls SysmonPoll with s.Lock held")
		}
		machine.Usleep(300)
	}
	w.retake = func(int64) uint32 {
		if rounds++; rounds == 3 {
			w.s.Exit(w.mon, 0)
		}
		return 0
	}
	w.traced = func(bool) {}
	w.rounds()
	const round = "SysmonSleep, SysmonPoll, ScavengerWake, Retake, ForceGC"
	const rest = ", ForceGC, SysmonSleep, SysmonPoll, ScavengerWake" // until it asks whether the program is over
	var names []string
	for _, c := range w.Calls {
		switch c.Method {
		case "SysmonSleep", "SysmonPoll", "ScavengerWake", "Retake", "ForceGC", "Schedtrace":
			names = append(names, c.Method)
		}
	}
	got := strings.Join(names, ", ")
	three := strings.Join([]string{round, round, strings.TrimSuffix(round, ", ForceGC")}, ", ")
	if !strings.HasPrefix(got, three) || !strings.HasPrefix(rest, strings.TrimPrefix(got, three)) {
		t.Fatalf("until Retake ends the program in the third round, and then until it stops, Sysmon calls %s; want each time %s: the next round depends on the order", got, round)
	}
	at := int64(morning)
	for i, c := range w.Of("SysmonPoll", "Retake", "ForceGC") {
		now := check.Arg[int64](c.Call)
		if c.Method == "SysmonPoll" {
			at += 5*ms + 20_000
			if now/1000*1000 != at {
				t.Fatalf("the monitor begins at %v, sleeps 20 µs, and then 5 ms in SysmonSleep; the time that it tells SysmonPoll is %v in round %d; want %v, the time after SysmonSleep%s", us(morning), us(now), i/3+1, us(at), ofMachine(now-at))
			}
		} else if (now-at)/1000*1000 != 0 {
			t.Fatalf("SysmonPoll is told that the time is %v, and %s in the same round that it is %v; want the same for all", us(at), c.Method, us(now))
		}
		if c.Method == "ForceGC" {
			at += 300_000
		}
	}
}

// traces checks when Schedtrace is called.
func traces(t *check.T) {
	for _, detailed := range []bool{false, true} {
		w := newWorldOf(t, 1, t.Version(), gmp.Options{Schedtrace: 3 * ms, Scheddetail: detailed})
		round, at, want := 0, []int{}, []int{}
		const last, each = 1000, 150
		w.poll = func(int64) {}
		w.retake = func(now int64) uint32 {
			if round++; round == last {
				w.s.Exit(w.mon, 0)
			}
			return 1 // so that the sleep is 20 µs each time
		}
		w.traced = func(d bool) {
			check.Want(t, fmt.Sprintf("a line is asked for, and details: %v; what Sysmon tells Schedtrace", detailed), d, detailed)
			at = append(at, round)
			check.Want(t, fmt.Sprintf("in round %d, when Sysmon calls Schedtrace, the number of calls of ForceGC, one in each round,", round), len(w.Of("ForceGC")), round)
		}
		w.rounds()
		if len(w.Of("SysmonSleep")) > 0 {
			t.Fatalf("all Ps are idle, and a line is to be printed each 3 ms; Sysmon calls SysmonSleep, which may sleep for a minute")
		}
		for next := 1; next < last; next += each {
			want = append(want, next)
		}
		if fmt.Sprint(at) != fmt.Sprint(want) {
			t.Fatalf("a line is asked for each 3 ms, and the monitor is there each 20 µs; it calls Schedtrace in rounds %v; want %v", some(at), some(want))
		}
	}
}

// some are the first few of many numbers.
func some(all []int) []int { return all[:min(len(all), 12)] }

// long checks that a monitor that has nothing to do costs next to nothing, even in a program
// that runs for hours.
func long(t *check.T) {
	const rounds = 100_000
	w := newWorld(t, 1)
	w.runs(0, 1)
	n, last := 0, int64(0)
	w.poll = func(int64) {}
	w.retake = func(now int64) uint32 {
		if n++; n == rounds {
			last = now
			w.s.Exit(w.mon, 0)
		}
		return 0
	}
	w.Off = true
	w.rounds()
	want := int64(morning)
	for _, ns := range idles(rounds) {
		want += ns
	}
	if off := last - want; off < 0 || off > 50*ms {
		t.Fatalf("a hundred thousand rounds in succession are idle; that takes %v; want %v: nearly all of them come 10 ms after the one before", us(last).Round(time.Second), us(want).Round(time.Second))
	}
}

// deep checks the sleep while there is nothing to watch.
func deep(t *check.T) {
	for _, c := range []struct {
		what  string
		make  func(w *world)
		sleep int64
		woken bool
	}{
		{"there is one P, and it is idle", func(w *world) { w.onlyP() }, 60_000 * ms, false},
		{"there is one P, and it is idle, and after 3 ms an M is back from a system call", func(w *world) {
			w.onlyP()
			w.after(3*ms, w.wakes)
		}, 3 * ms, true},
		{"one of two Ps is busy", func(w *world) { w.s.Npidle.Store(1) }, 0, false},
		{"both Ps are busy", func(w *world) {}, 0, false},
		{"both Ps are idle", func(w *world) { w.s.Npidle.Store(2) }, 60_000 * ms, false},
		{"the world is to stop", func(w *world) { w.s.Gcwaiting.Store(true) }, 60_000 * ms, false},
		{"it is 30 ms by s.Nanotime, the world is to stop, and a timer is due at 37 ms", func(w *world) {
			w.s.Gcwaiting.Store(true)
			w.s.Timerlist.MinWhenHeap.Store(w.s.Nanotime() + 7*ms)
		}, 7 * ms, false},
		{"it is 30 ms by s.Nanotime, both Ps are idle, and a timer of P1 is due at 37 ms", func(w *world) {
			w.s.Npidle.Store(2)
			w.p(1).Timers.MinWhenHeap.Store(w.s.Nanotime() + 7*ms)
			w.s.Timerlist.MinWhenHeap.Store(w.s.Nanotime() + 8*ms)
		}, 7 * ms, false},
		{"both Ps are idle, and a timer was due 1 µs ago", func(w *world) {
			w.s.Npidle.Store(2)
			w.s.Timerlist.MinWhenHeap.Store(w.s.Nanotime() - 1000)
		}, 0, false},
		{"both Ps are idle, and after 3 ms an M is back from a system call", func(w *world) {
			w.s.Npidle.Store(2)
			w.after(3*ms, w.wakes)
		}, 3 * ms, true},
	} {
		w := newWorld(t, 2)
		w.soFar = func() string { return c.what + "; SysmonSleep has not returned: " }
		w.clocked(func() {
			c.make(w)
			for range 2 { // the second time is like the first, but the world is as it is then
				before := w.s.Nanotime()
				woken := w.monitor.SysmonSleep(w.mon)
				slept := (w.s.Nanotime() - before) / 1000 * 1000
				if slept != c.sleep {
					t.Fatalf("%s; SysmonSleep takes %v; want %v", c.what, us(slept), us(c.sleep))
				}
				check.Want(t, c.what+"; the result of SysmonSleep (the monitor was woken)", woken, c.woken)
				check.WantUnlocked(t, w.s, "SysmonSleep")
				check.Want(t, c.what+"; after SysmonSleep s.Sysmonwait", w.s.Sysmonwait.Load(), false)
				if w.s.Sysmonnote.SleepTimeout(0) {
					t.Fatalf("%s; after SysmonSleep s.Sysmonnote is still signalled: the next sleep would be over at once", c.what)
				}
				if c.woken || c.sleep == 7*ms {
					return
				}
			}
		})
	}
}

// onlyP leaves one P, which is idle.
func (w *world) onlyP() {
	w.s.Allp.Set(w.s.Allp.Get()[:1])
	w.s.Gomaxprocs.Set(1)
	w.s.Npidle.Store(1)
}

// wakes does what an M does that takes an idle P.
func (w *world) wakes() {
	s := w.s
	if check.Held(&s.Lock) {
		w.t.Fatalf("the monitor sleeps with s.Lock held")
	}
	s.Lock.Lock()
	s.Npidle.Add(-1)
	wake(s)
	s.Lock.Unlock()
}

// wake wakes the monitor, if it sleeps, as all do who hold s.Lock.
func wake(s *gmp.Sched) {
	if s.Sysmonwait.Load() {
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
	}
}

// poll checks the look at the network.
func poll(t *check.T) {
	const now = 50 * ms
	for _, c := range []struct {
		what  string
		last  int64
		polls bool
		ready bool
	}{
		{"an M waits for the network (s.Lastpoll is 0)", 0, false, true},
		{"an M has looked 10 ms ago", now - 10*ms, false, true},
		{"an M has looked 10 ms and 1 ns ago, and nothing is ready", now - 10*ms - 1, true, false},
		{"an M has looked 10 ms and 1 ns ago, and G1 is ready", now - 10*ms - 1, true, true},
	} {
		w := newWorld(t, 1)
		gp := check.NewG(w.s, gmp.Gwaiting)
		w.s.Lastpoll.Store(c.last)
		if c.ready {
			w.network.Push(gp)
		}
		idlelocked := int32(0)
		w.happens["Netpoll"] = func() {
			if check.Held(&w.s.Lock) {
				t.Fatalf("SysmonPoll calls Netpoll with s.Lock held")
			}
		}
		w.happens["Injectglist"] = func() {
			idlelocked = w.s.Nmidlelocked.Get()
			if check.Held(&w.s.Lock) {
				t.Fatalf("SysmonPoll calls Injectglist with s.Lock held, which that takes")
			}
		}
		w.clocked(func() { w.monitor.SysmonPoll(w.mon, now) })
		polls, injects := w.Of("Netpoll"), w.Of("Injectglist")
		check.Want(t, c.what+"; how often SysmonPoll calls Netpoll", len(polls), count(c.polls))
		if len(polls) == 1 {
			check.Want(t, c.what+"; the delay that it passes to Netpoll", check.Arg[int64](polls[0].Call), 0)
		}
		want := c.last
		if c.polls {
			want = now
		}
		check.Want(t, c.what+"; SysmonPoll is told that the time is 50 ms, and after SysmonPoll s.Lastpoll", w.s.Lastpoll.Load(), want)
		if check.Want(t, c.what+"; how often SysmonPoll calls Injectglist", len(injects), count(c.polls && c.ready)); len(injects) == 1 {
			check.Want(t, c.what+"; what it passes to Injectglist", check.Name(check.Arg[gmp.GList](injects[0].Call).Head), "G1")
			check.Want(t, c.what+"; while Injectglist is under way s.Nmidlelocked, as if one more M were awake,", idlelocked, -1)
		}
		check.Want(t, c.what+"; after SysmonPoll s.Nmidlelocked", w.s.Nmidlelocked.Get(), 0)
		if n := len(w.Of("Incidlelocked")); c.polls && c.ready {
			check.Want(t, c.what+"; how often SysmonPoll calls Incidlelocked, which looks for a deadlock when it gives back,", n, 2)
		}
		if n := len(w.Of("Incidlelocked")); !c.ready && n > 0 {
			t.Errorf("%s; SysmonPoll calls Incidlelocked %d times; each time takes s.Lock, and this is every 10 ms", c.what, n)
		}
	}
}

// line checks what Schedtrace prints.
func line(t *check.T) {
	w := newWorld(t, 3)
	s := w.s
	s.Mnext.Set(7)
	s.Nmfreed.Set(2)
	s.Npidle.Store(1)
	s.Nmspinning.Store(4)
	s.Nmidle.Set(3)
	s.Lock.Lock() // which keeps Runqsize up to date
	for range 5 {
		s.Runq.PushBack(check.NewG(s, gmp.Grunnable))
	}
	s.Lock.Unlock()
	for id, n := range []uint32{4, 0, 1} {
		w.p(id).Runqhead.Store(1<<32 - 2)
		w.p(id).Runqtail.Store(1<<32 - 2 + n)
		w.p(id).Schedtick.Set(uint32(10*id + 7))
	}
	var locks int64
	prints := func(detailed bool, want string) {
		t.Helper()
		w.stderr.Reset()
		w.monitor.Schedtrace(detailed)
		check.WantUnlocked(t, s, "Schedtrace")
		got := w.stderr.String()
		if got != want && strings.Join(strings.Fields(got), " ") == strings.Join(strings.Fields(want), " ") {
			t.Fatalf("Schedtrace(%v) prints\n%q\nwant\n%q", detailed, got, want)
		}
		if got != want {
			t.Fatalf("Schedtrace(%v) prints\n%s\nwant\n%s", detailed, got, want)
		}
	}
	w.prints = func() {
		if !check.Held(&s.Lock) {
			t.Fatalf("Schedtrace, or the SchedDetail that it calls, prints without s.Lock")
		}
	}
	w.Off = true
	w.clocked(func() {
		machine.Usleep(1_500_000)
		prints(false, "SCHED 0ms: gomaxprocs=3 idleprocs=1 threads=5 spinningthreads=4 needspinning=0 idlethreads=3 runqueue=5 [ 4 0 1 ] schedticks=[ 7 17 27 ]\n")
		machine.Usleep(2_999)
		s.Needspinning.Store(true)
		prints(false, "SCHED 2ms: gomaxprocs=3 idleprocs=1 threads=5 spinningthreads=4 needspinning=1 idlethreads=3 runqueue=5 [ 4 0 1 ] schedticks=[ 7 17 27 ]\n")
		machine.Usleep(2)
		s.Allp.Set(s.Allp.Get()[:1])
		s.Gomaxprocs.Set(1)
		s.Gcwaiting.Store(true)
		s.Nmidlelocked.Set(6)
		s.Stopwait.Set(8)
		w.runs(0, 7)
		w.s.ForEachG(func(gp *gmp.G) { gp.Waitreason.Set(gmp.WaitReasonSleep) })
		s.Lock.Lock()
		s.SchedDetail()
		s.Lock.Unlock()
		detail := w.stderr.String()[strings.IndexByte(w.stderr.String(), '\n')+1:]
		prints(true, "SCHED 3ms: gomaxprocs=1 idleprocs=1 threads=5 spinningthreads=4 needspinning=1 idlethreads=3 runqueue=5 gcwaiting=true nmidlelocked=6 stopwait=8 sysmonwait=false\n"+detail)
	})
	if locks = t.Acquisitions(func() { w.monitor.Schedtrace(false) }); locks == 0 {
		t.Errorf("Schedtrace does not take s.Lock; most of what it prints may change while it reads it")
	}
}

// visible checks that a model sees all that threads share.
func visible(t *check.T) {
	w := newWorld(t, 1)
	w.runs(0, 1)
	w.monitor.Preemptone(w.mon, w.p(0))
	t.Visible()
}
