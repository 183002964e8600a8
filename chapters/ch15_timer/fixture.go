package ch15

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of M0, which
// holds P0 and runs G1. M1 holds P1. No M waits for a timer yet, and one that is to come would
// be told by NetpollBreak.
type world struct {
	t      *check.T
	s      *gmp.Sched
	m0, m1 *gmp.M
	p0, p1 *gmp.P
	gp     *gmp.G

	*check.Tape
	timers map[*gmp.Timer]string // the names of those of newTimer
	fired  []string              // the timers that have fired, in order
	late   []int64               // how late each of them was
	fires  func(t *gmp.Timer)    // what else happens when one fires; nil for nothing
	sees   map[string]func()     // what happens when a method is called, before it does anything
}

func newWorld(t *check.T) *world {
	s, err := gmp.New(t.Version(), nil, gmp.Options{Machine: machine.Options{MemBytes: machine.MinMemBytes}})
	if err != nil {
		panic(err)
	}
	s.Begin() // so that the program's clock is not the machine's
	w := &world{t: t, s: s, timers: map[*gmp.Timer]string{}, sees: map[string]func(){}}
	w.m0, w.m1, w.p0, w.p1 = s.NewM(0), s.NewM(1), gmp.NewP(0, 2), gmp.NewP(1, 2)
	check.Holding(w.m0, w.p0)
	check.Holding(w.m1, w.p1)
	s.Allp.Set([]*gmp.P{w.p0, w.p1})
	s.Gomaxprocs.Set(2)
	w.gp = check.NewG(s, gmp.Grunning)
	check.Running(w.m0, w.gp)
	s.NetPoller = deaf{s.NetPoller}
	w.Tape = check.NewTape(s)
	w.Before = func(c *check.Call) bool {
		switch c.Method {
		case "NetpollBreak", "AddHeap", "DeleteMin", "UpdateHeap", "CleanHead", "Adjust", "MaybeAdd", "UnlockAndRun":
			if sees := w.sees[c.Method]; sees != nil {
				sees()
			}
		}
		return true
	}
	return w
}

// deaf is a poller that is told that a timer was set, and does nothing about it.
type deaf struct{ gmp.NetPoller }

func (deaf) NetpollBreak() {}

// newTimer makes a timer that is called a, b, c and so on.
func (w *world) newTimer() *gmp.Timer {
	t := w.s.NewTimer(nil, nil)
	t.F = func(s *gmp.Sched, mp *gmp.M, arg any, delay int64) {
		w.fired, w.late = append(w.fired, w.timers[t]), append(w.late, delay)
		if w.fires != nil {
			w.fires(t)
		}
	}
	n := len(w.timers)
	w.timers[t] = string(rune('a' + n%26))
	if n >= 26 {
		w.timers[t] += fmt.Sprint(n / 26)
	}
	return t
}

// timerLocks is how many timers fn locks.
func (w *world) timerLocks(fn func()) int64 {
	w.t.Helper()
	w.Off = true
	defer func() { w.Off = false }()
	return w.t.AcquisitionsOf("timer.lock", fn)
}

// newChanTimer makes one with a channel, that sends 1 if there is room.
func (w *world) newChanTimer() *gmp.Timer {
	t := w.newTimer()
	t.C = newChan(t)
	fires := t.F
	t.F = func(s *gmp.Sched, mp *gmp.M, arg any, delay int64) {
		fires(s, mp, arg, delay)
		send(t.C)
	}
	return t
}

// newChan makes the channel of t. It has a buffer of one element, which takes no memory.
func newChan(t *gmp.Timer) *gmp.Hchan { return &gmp.Hchan{Dataqsiz: 1, Timer: t} }

// send puts a value into c, if there is room.
func send(c *gmp.Hchan) {
	c.Lock.Lock()
	c.Qcount.Set(1)
	c.Lock.Unlock()
}

// in puts a timer that is set to when into the heap of a P, as it is after an AddHeap.
func (w *world) in(pp *gmp.P, t *gmp.Timer, when int64) *gmp.Timer {
	t.When.Set(when)
	t.State.Set(gmp.TimerHeaped)
	t.Astate.Store(gmp.TimerHeaped)
	t.Ts.Set(&pp.Timers)
	put(pp, gmp.TimerWhen{Timer: t, When: when})
	return t
}

// has lets the heap of a P have new timers that are set to these times.
func (w *world) has(pp *gmp.P, times ...int64) []*gmp.Timer {
	var all []*gmp.Timer
	for _, when := range times {
		all = append(all, w.in(pp, w.newTimer(), when))
	}
	return all
}

// put adds an entry to the heap of a P. A sorted list is a heap.
func put(pp *gmp.P, tw gmp.TimerWhen) {
	ts := &pp.Timers
	heap := append(ts.Heap.Get(), tw)
	slices.SortStableFunc(heap, func(a, b gmp.TimerWhen) int { return int(a.When - b.When) })
	ts.Heap.Set(heap)
	ts.Len.Store(uint32(len(heap)))
	ts.MinWhenHeap.Store(heap[0].When)
}

// modified sets a timer in a heap to another time, as ModTimer does.
func modified(t *gmp.Timer, when int64) {
	t.When.Set(when)
	t.State.Set(t.State.Get() | gmp.TimerModified)
	t.Astate.Store(t.State.Get())
	if ts := t.Ts.Get(); ts.MinWhenModified.Load() == 0 || when < ts.MinWhenModified.Load() {
		ts.MinWhenModified.Store(when)
	}
}

// stopped makes a timer in a heap a zombie, as StopTimer does.
func stopped(t *gmp.Timer) {
	t.When.Set(0)
	t.State.Set(t.State.Get() | gmp.TimerModified | gmp.TimerZombie)
	t.Astate.Store(t.State.Get())
	t.Ts.Get().Zombies.Add(1)
}

// forsaken makes a timer in a heap a zombie, as UnblockTimerChan does.
func forsaken(t *gmp.Timer) {
	t.State.Set(t.State.Get() | gmp.TimerZombie)
	t.Astate.Store(t.State.Get())
	t.Ts.Get().Zombies.Add(1)
}

// state is how messages say a State.
func state(st uint32) string {
	if st == 0 {
		return "in no heap"
	}
	text := ""
	for i, name := range []string{"heaped", "modified", "zombie"} {
		if st>>i&1 != 0 {
			if text != "" {
				text += ", "
			}
			text += name
		}
	}
	return text
}

// names are the timers of a heap in order, for a message: "a 10, b 20".
func (w *world) names(ts *gmp.TimerList) string {
	text := ""
	for i, tw := range ts.Heap.Get() {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %s", w.timers[tw.Timer], check.Value(tw.When))
	}
	if text == "" {
		return "nothing"
	}
	return text
}

// wantHeap checks that a heap is one, and has these entries, in any order that is right; and
// what is published of it. what says what happened before.
func (w *world) wantHeap(what string, pp *gmp.P, entries ...gmp.TimerWhen) {
	w.t.Helper()
	ts := &pp.Timers
	heap := ts.Heap.Get()
	for i := 1; i < len(heap); i++ {
		if up := (i - 1) / 4; heap[i].When < heap[up].When {
			w.t.Fatalf("%s; the heap of %s is %s: entry %d is due at %d, and its parent, entry %d, later", what, check.PName(pp), w.names(ts), i, heap[i].When, up)
		}
	}
	sorted := func(all []gmp.TimerWhen) []gmp.TimerWhen {
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b gmp.TimerWhen) int {
			if a.When != b.When {
				return int(a.When - b.When)
			}
			return strings.Compare(w.timers[a.Timer], w.timers[b.Timer])
		})
		return all
	}
	if got, want := sorted(heap), sorted(entries); !slices.Equal(got, want) {
		ideal := &gmp.TimerList{Heap: machine.CellOf(want)}
		w.t.Fatalf("%s; in the heap of %s is %s; want %s, in the order of a heap", what, check.PName(pp), w.names(ts), w.names(ideal))
	}
	for _, tw := range heap {
		check.Must(w.t, tw.Timer.Ts.Get() == ts, what+"; the Ts of timer "+w.timers[tw.Timer]+" must be the list in which it is")
	}
	first := int64(0)
	if len(heap) > 0 {
		first = heap[0].When
	}
	if got := ts.MinWhenHeap.Load(); got != first {
		w.t.Fatalf("%s; MinWhenHeap of %s is %d; want %d", what, check.PName(pp), got, first)
	}
	for _, tw := range heap[len(heap):cap(heap)] {
		if tw.Timer != nil {
			w.t.Fatalf("%s; behind the end of the heap of %s there is still timer %s: the memory of a timer that nobody uses would never be free", what, check.PName(pp), w.timers[tw.Timer])
		}
	}
}

// wantState checks the state of a timer, and, since it is not locked, what is published of it.
func (w *world) wantState(what string, t *gmp.Timer, want uint32) {
	w.t.Helper()
	check.Want(w.t, fmt.Sprintf("%s; the State of timer %s", what, w.timers[t]), state(t.State.Get()), state(want))
	check.Want(w.t, fmt.Sprintf("%s; the Astate of timer %s", what, w.timers[t]), state(t.Astate.Load()), state(want))
}

// wantFree checks that no lock of the world is held.
func (w *world) wantFree(what string) {
	w.t.Helper()
	for name, mu := range map[string]*machine.Mutex{"the timers of P0": &w.p0.Timers.Mu, "the timers of P1": &w.p1.Timers.Mu} {
		if check.Held(mu) {
			w.t.Fatalf("%s; the lock of %s is held", what, name)
		}
	}
	for t, name := range w.timers {
		if check.Held(&t.Mu) {
			w.t.Fatalf("%s; timer %s is locked", what, name)
		}
		if check.Held(&t.SendLock) {
			w.t.Fatalf("%s; the SendLock of timer %s is held", what, name)
		}
	}
}

// wantTold checks how often an M was told to look at timers, by Wakenetpoller.
func (w *world) wantTold(what string, times int) {
	w.t.Helper()
	check.Want(w.t, what+"; how often an M that sleeps is told (Wakenetpoller)", len(w.Of("NetpollBreak"))+len(w.Of("Wakep")), times)
	w.Calls = nil
}

// heapOf is the P whose heap t is in, nil if it is in none.
func (w *world) heapOf(t *gmp.Timer) *gmp.P {
	for _, pp := range []*gmp.P{w.p0, w.p1} {
		if t.Ts.Get() == &pp.Timers {
			return pp
		}
	}
	return nil
}

// entry is one of a heap.
func entry(t *gmp.Timer, when int64) gmp.TimerWhen { return gmp.TimerWhen{Timer: t, When: when} }

// locked calls fn with locks held.
func locked(ts *gmp.TimerList, t *gmp.Timer, fn func()) {
	if ts != nil {
		ts.Lock()
		defer ts.Unlock()
	}
	if t != nil {
		t.Lock()
		defer t.Unlock()
	}
	fn()
}

// visible checks that the models see all shared state.
func visible(t *check.T) {
	w := newWorld(t)
	w.s.StopTimer(w.m0, w.newTimer())
	t.Visible()
}
