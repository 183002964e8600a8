package ch04

import (
	"fmt"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// sel lets gp do a select, and checks that it leaves no lock held. goesOn is false
// if gp waits.
func (w *world) sel(gp *gmp.G, cases []gmp.Scase, block bool) (chosen int, received, goesOn bool) {
	w.t.Helper()
	w.atReady = func(other *gmp.G) {
		for i, c := range cases {
			if c.C != nil && check.Held(&c.C.Lock) {
				w.t.Errorf("when a select makes %s ready, the channel of case %d is still locked", check.Name(other), i)
			}
		}
	}
	w.atPanic = func(*gmp.G) { w.unlocked("when the select panics", cases) }
	panics := len(w.panics)
	goesOn = w.as(gp, func() { chosen, received = w.s.Selectgo(w.mp, gp, cases, block) })
	w.atReady, w.atPanic = nil, nil
	w.unlocked("after the select", cases)
	if waits := !goesOn; (waits || len(w.panics) > panics) && (chosen != -1 || received) {
		w.t.Fatalf("Selectgo waits, or panics, and returns %d, %v; want -1, false: what it returns is taken for a result, and stored where the G may already be at work", chosen, received)
	}
	return chosen, received, goesOn
}

// wakeUp lets gp, which was woken from a select, do the rest.
func (w *world) wakeUp(gp *gmp.G, cases []gmp.Scase) {
	w.t.Helper()
	w.atPanic = func(*gmp.G) {
		w.unlocked("when the select panics", cases)
		if left := w.leftOf(gp); left != "" {
			w.t.Errorf("when the select panics, %s", left)
		}
	}
	if !w.resume(gp) {
		w.t.Fatalf("a case of the select was done for %s, and it waits again", check.Name(gp))
	}
	w.atPanic = nil
	w.unlocked("after SelectgoDone", cases)
	w.noneWaits(cases)
	if left := w.leftOf(gp); left != "" {
		w.t.Fatalf("the select is over, and %s", left)
	}
}

func (w *world) unlocked(when string, cases []gmp.Scase) {
	w.t.Helper()
	for i, c := range cases {
		if c.C != nil && check.Held(&c.C.Lock) {
			w.t.Fatalf("%s, the channel of case %d is still locked", when, i)
		}
	}
}

// noneWaits checks that nobody stands on a queue of the cases.
func (w *world) noneWaits(cases []gmp.Scase) {
	w.t.Helper()
	for i, c := range cases {
		if c.C != nil && (c.C.Recvq.First.Get() != nil || c.C.Sendq.First.Get() != nil) {
			w.t.Fatalf("the select is over, and a sudog is still on a queue of the channel of case %d: when one case is done, the sudogs of all others must leave", i)
		}
	}
}

// value puts v in place i of gp and returns the address.
func (w *world) value(gp *gmp.G, i int, v uint64) machine.Addr {
	w.s.Machine.SetWord(slot(gp, i), v)
	return slot(gp, i)
}

// selectReady makes one case after another the one that can go on.
func selectReady(t *check.T) {
	for _, kind := range []string{"a value is in the buffer", "a sender waits", "the channel is closed", "there is room in the buffer", "a receiver waits"} {
		for at := range 3 {
			w := newWorld(t)
			gp, other := w.newG(), w.newG()
			chans := w.chans(3, 0)
			if kind == "a value is in the buffer" || kind == "there is room in the buffer" {
				chans[at] = w.chans(1, 2)[0]
			}
			c := chans[at]
			send := kind == "there is room in the buffer" || kind == "a receiver waits"
			cases := make([]gmp.Scase, 3)
			for i := range cases {
				cases[i] = gmp.Scase{C: chans[i], Elem: w.value(gp, i, 77), Send: send}
			}
			from := w.value(other, 0, 42)
			switch kind {
			case "a value is in the buffer":
				w.as(other, func() { w.s.Chansend(w.mp, other, c, from, true) })
			case "a sender waits":
				w.as(other, func() { w.s.Chansend(w.mp, other, c, from, true) })
			case "a receiver waits":
				w.as(other, func() { w.s.Chanrecv(w.mp, other, c, from, true) })
			case "the channel is closed":
				w.as(other, func() { w.s.Closechan(w.mp, other, c) })
			}
			chosen, received, goesOn := w.sel(gp, cases, true)
			if !goesOn {
				t.Fatalf("select: case %d can go on (%s), but the G waits", at, kind)
			}
			if chosen != at {
				t.Fatalf("select: only case %d can go on (%s); Selectgo returned %d", at, kind, chosen)
			}
			if want := kind == "a value is in the buffer" || kind == "a sender waits"; received != want {
				t.Fatalf("select: %s; received is %v; want %v", kind, received, want)
			}
			got, want := w.s.Machine.Word(slot(gp, at)), uint64(42)
			switch kind {
			case "the channel is closed":
				want = 0
			case "there is room in the buffer":
				want, got = 77, w.s.Machine.Word(c.Chanbuf(0))
				if c.Qcount.Get() != 1 {
					t.Errorf("select has sent into the buffer; Qcount is %d; want 1", c.Qcount.Get())
				}
			case "a receiver waits":
				want, got = 77, w.s.Machine.Word(from)
			}
			if got != want {
				t.Errorf("select: %s; the value that arrived is %d; want %d", kind, got, want)
			}
			if kind == "a sender waits" || kind == "a receiver waits" {
				w.resume(other)
			}
			w.noneWaits(cases)
			if w.lent != 0 {
				t.Errorf("select: %s; %d sudogs were not released", kind, w.lent)
			}
		}
	}
}

// selectDefault gives no case that can go on.
func selectDefault(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	a, b := w.chans(1, 0)[0], w.chans(1, 0)[0]
	for _, cases := range [][]gmp.Scase{
		{{C: a, Elem: slot(gp, 0)}, {C: b, Elem: slot(gp, 1), Send: true}},
		{{C: a, Elem: slot(gp, 0)}, {C: a, Elem: slot(gp, 1), Send: true}, {}},
		{{}, {Send: true}},
		{},
	} {
		chosen, received, goesOn := w.sel(gp, cases, false)
		if !goesOn {
			t.Fatalf("a select of %d cases with a default waits", len(cases))
		}
		if chosen != -1 || received {
			t.Errorf("no case of %d can go on, and there is a default: Selectgo returned %d, %v; want -1, false", len(cases), chosen, received)
		}
		w.noneWaits(cases)
	}
}

// selectWaits looks at a select that parks.
func selectWaits(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	cs := w.chans(3, 0)
	// The first case has the highest address; two have the same channel.
	cases := []gmp.Scase{{C: cs[2], Elem: slot(gp, 0)}, {C: cs[0], Elem: slot(gp, 1), Send: true}, {}, {C: cs[1], Elem: slot(gp, 2)}, {C: cs[0], Elem: slot(gp, 3)}}
	w.atPark = func(gp *gmp.G) {
		for i, c := range cases {
			if c.C != nil && !check.Held(&c.C.Lock) {
				t.Errorf("when the select parks, the channel of case %d is not locked: a sender could wake the G before it waits", i)
			}
		}
		w.wantCont(gp)
		if !slices.Equal(gp.Selects.Get(), cases) {
			t.Errorf("when the select parks, gp.Selects is not its cases: SelectgoDone will look for them there")
		}
	}
	if _, _, goesOn := w.sel(gp, cases, true); goesOn {
		t.Fatalf("no case can go on, and there is no default, but the G does not wait")
	}
	if len(w.parks) != 1 || w.parks[0].reason != gmp.WaitReasonSelect {
		t.Errorf("the G should park once, for %q", gmp.WaitReasonSelect)
	}
	seen := map[int]bool{}
	var last machine.Addr
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if seen[sg.Case.Get()] || sg.Case.Get() < 0 || sg.Case.Get() >= len(cases) {
			t.Fatalf("gp.Waiting has case %d twice, or there is no such case", sg.Case.Get())
		}
		seen[sg.Case.Get()] = true
		c := cases[sg.Case.Get()]
		if sg.G.Get() != gp || sg.C.Get() != c.C || sg.Elem.Get() != c.Elem || !sg.IsSelect.Get() {
			t.Errorf("the sudog of case %d must have G, C, Elem and IsSelect set", sg.Case.Get())
		}
		if sg.C.Get().Addr < last {
			t.Fatalf("gp.Waiting is not in the order of the channels' addresses, in which they are locked")
		}
		last = sg.C.Get().Addr
		q := &c.C.Recvq
		if c.Send {
			q = &c.C.Sendq
		}
		if q.First.Get() != sg {
			t.Errorf("the sudog of case %d is not on its queue", sg.Case.Get())
		} else if sg.Next.Get() != nil || sg.Prev.Get() != nil {
			t.Errorf("the sudog of case %d must be alone on its queue; it was put there twice, or another sudog was put there too", sg.Case.Get())
		}
	}
	if len(seen) != 4 {
		t.Errorf("gp.Waiting has %d sudogs; 4 cases have a channel", len(seen))
	}
}

// meet lets other do what case c waits for, with the value at addr, or for it.
func (w *world) meet(other *gmp.G, c gmp.Scase, addr machine.Addr) {
	w.as(other, func() {
		if c.Send {
			w.s.Chanrecv(w.mp, other, c.C, addr, true)
		} else {
			w.s.Chansend(w.mp, other, c.C, addr, true)
		}
	})
}

// selectDone wakes a select and looks at what is left.
func selectDone(t *check.T) {
	for at := range 3 {
		w := newWorld(t)
		gp, other := w.newG(), w.newG()
		cs := w.chans(3, 0)
		cases := []gmp.Scase{{C: cs[1], Elem: slot(gp, 0)}, {C: cs[0], Elem: slot(gp, 1)}, {C: cs[2], Elem: w.value(gp, 2, 5), Send: true}}
		for round := range 2 {
			w.setArg(gp, 3, unwritten)
			w.setArg(gp, 4, unwritten)
			if _, _, goesOn := w.sel(gp, cases, true); goesOn {
				t.Fatalf("round %d: no case can go on, but the G does not wait", round+1)
			}
			from := w.value(other, 0, uint64(40+round))
			w.meet(other, cases[at], from)
			w.wakeUp(gp, cases)
			if got := w.s.Machine.Word(slot(gp, at)); !cases[at].Send && got != uint64(40+round) {
				t.Fatalf("round %d: %d was sent to case %d of the select, and its variable holds %d", round+1, 40+round, at, got)
			}
			if got := w.s.Machine.Word(from); cases[at].Send && got != 5 {
				t.Fatalf("round %d: case %d of the select sends 5, and the receiver has %d", round+1, at, got)
			}
			if w.result(gp, 3) != int64(at) || !cases[at].Send && w.result(gp, 4) != 1 {
				t.Fatalf("round %d: the results are case %d, received %d; want case %d, received 1", round+1, w.result(gp, 3), w.result(gp, 4), at)
			}
		}
	}
}

// leftOf says what of a select is left with gp after its end, "" for nothing.
func (w *world) leftOf(gp *gmp.G) string {
	switch {
	case gp.SelectDone.Load() != 0:
		return "SelectDone is still set: the next select of this G can never be woken"
	case gp.Waiting.Get() != nil:
		return "gp.Waiting still leads to its sudogs, which others now use"
	case gp.Selects.Get() != nil:
		return "gp.Selects still holds its cases"
	case gp.Param.Get() != nil:
		return "gp.Param is still the sudog of its winner, which others now use"
	case w.lent > 0:
		return fmt.Sprintf("%d of its sudogs were not released", w.lent)
	case w.lent < 0:
		return fmt.Sprintf("it released %d sudogs too many", -w.lent)
	}
	return ""
}

// selectBuffer sends and receives through a buffer by select, and by Chansend and Chanrecv.
func selectBuffer(t *check.T) {
	w := newWorld(t)
	gp, other := w.newG(), w.newG()
	c, never := w.chans(1, 3)[0], w.chans(1, 0)[0]
	one := func(k gmp.Scase) (received bool) {
		t.Helper()
		k.C = c
		chosen, received, goesOn := w.sel(gp, []gmp.Scase{{C: never}, k}, true)
		if !goesOn || chosen != 1 {
			t.Fatalf("the buffer has %d values and room for 3: case 1 of the select can go on; Selectgo returned %d", c.Qcount.Get(), chosen)
		}
		return received
	}
	at := slot(gp, 0)
	for v := uint64(1); v <= 8; v++ { // the ring goes round
		one(gmp.Scase{Elem: w.value(gp, 0, v), Send: true})
		w.as(other, func() { w.s.Chanrecv(w.mp, other, c, slot(other, 0), false) })
		if got := w.s.Machine.Word(slot(other, 0)); got != v {
			t.Fatalf("a select sends %d into the buffer, as value number %d; Chanrecv receives %d", v, v, got)
		}
		if v > 6 {
			continue
		}
		w.as(other, func() { w.s.Chansend(w.mp, other, c, w.value(other, 0, 10*v), false) })
		if received := one(gmp.Scase{Elem: at}); !received || w.s.Machine.Word(at) != 10*v {
			t.Fatalf("Chansend sends %d into the buffer; a select receives %d, and received is %v", 10*v, w.s.Machine.Word(at), received)
		}
	}
	for v := uint64(1); v <= 3; v++ {
		one(gmp.Scase{Elem: w.value(gp, 0, v), Send: true})
	}
	if _, _, goesOn := w.sel(gp, []gmp.Scase{{C: c, Elem: at, Send: true}}, false); c.Qcount.Get() != 3 || !goesOn {
		t.Fatalf("the buffer is full; a select that sends into it, with a default, leaves %d values in it", c.Qcount.Get())
	}
	w.as(other, func() { w.s.Closechan(w.mp, other, c) })
	if !one(gmp.Scase{}) {
		t.Fatalf("a channel is closed with 3 values in its buffer; a select that receives one and drops it says that none came")
	}
	for v := uint64(2); v <= 4; v++ {
		received, got, want := one(gmp.Scase{Elem: at}), w.s.Machine.Word(at), v
		if v == 4 {
			want = 0
		}
		if received != (v < 4) || got != want {
			t.Fatalf("a channel is closed with 3 values in its buffer, 1, 2 and 3, which come before the zero values; receive number %d of a select gets %d, and received is %v; want %d, %v", v, got, received, want, v < 4)
		}
	}
	if one(gmp.Scase{}) {
		t.Errorf("a channel is closed and empty; a select that receives and drops the value says that one came")
	}
}

// selectClosed closes a channel under a select.
func selectClosed(t *check.T) {
	w := newWorld(t)
	gp, other := w.newG(), w.newG()
	cs := w.chans(3, 0)
	cases := []gmp.Scase{{C: cs[0], Elem: w.value(gp, 0, 9)}, {C: cs[1], Elem: slot(gp, 1), Send: true}}
	w.sel(gp, cases, true)
	w.as(other, func() { w.s.Closechan(w.mp, other, cs[0]) })
	w.wakeUp(gp, cases)
	if w.result(gp, 3) != 0 || w.result(gp, 4) != 0 || w.s.Machine.Word(slot(gp, 0)) != 0 {
		t.Errorf("the channel of a waiting receive was closed: want case 0, received 0, and a zero value; got case %d, received %d, value %d", w.result(gp, 3), w.result(gp, 4), w.s.Machine.Word(slot(gp, 0)))
	}
	cases = []gmp.Scase{{C: cs[2], Elem: slot(gp, 0)}, {C: cs[1], Elem: slot(gp, 1), Send: true}}
	w.sel(gp, cases, true)
	w.as(other, func() { w.s.Closechan(w.mp, other, cs[1]) })
	if len(w.panics) != 0 {
		t.Fatalf("before the sender runs again: %s", w.panics[0])
	}
	w.setArg(gp, 3, unwritten)
	w.wakeUp(gp, cases)
	if len(w.panics) != 1 || w.result(gp, 3) != unwritten {
		t.Fatalf("the channel of a waiting send was closed: want the sender to panic once, and no result to be stored; it panics %d times, and the result is case %d", len(w.panics), w.result(gp, 3))
	}
	w.sel(gp, cases, true)
	if len(w.panics) != 2 {
		t.Errorf("a select with a send on a closed channel, and no other case that can go on, does not panic")
	}
	for _, msg := range w.panics {
		if want := check.Name(gp) + " panics: send on closed channel"; msg != want {
			t.Errorf("a select sends on a closed channel: %s; want %s", msg, want)
		}
	}
}

// selectFair counts which of the cases that can go on is done.
func selectFair(t *check.T) {
	for _, tt := range []struct {
		what  string
		ready []bool
	}{
		{"three cases, all of which can go on", []bool{true, true, true}},
		{"four cases, of which the second cannot go on", []bool{true, false, true, true}},
		{"five cases, of which only the first and the last can go on", []bool{true, false, false, false, true}},
	} {
		first := choices(t, tt.ready)
		able := 0
		count := make([]int, len(tt.ready))
		for _, i := range first {
			count[i]++
		}
		for _, ready := range tt.ready {
			if ready {
				able++
			}
		}
		for i, n := range count {
			if want := len(first) / able; tt.ready[i] && (n < want-want/5 || n > want+want/5) {
				t.Fatalf("%s: in %d selects, case %d was done %d times; want about %d", tt.what, len(first), i, n, want)
			}
		}
		if !slices.Equal(first, choices(t, tt.ready)) {
			t.Errorf("%s: the same selects with the same seed choose differently; the random numbers must be those of M.Cheaprand, so that a run can be repeated", tt.what)
		}
	}
}

// choices does the same select 3000 times and returns the case that was done each
// time.
func choices(t *check.T, ready []bool) []int {
	w := newWorld(t)
	gp := w.newG()
	cases := make([]gmp.Scase, len(ready))
	for i, c := range w.chans(len(ready), 0) {
		c.Closed.Set(ready[i])
		cases[i] = gmp.Scase{C: c}
	}
	list := make([]int, 3000)
	for i := range list {
		chosen, _, goesOn := w.sel(gp, cases, true)
		if !goesOn || chosen < 0 || chosen >= len(ready) || !ready[chosen] {
			t.Fatalf("a select has cases that can go on, and none of these is done: Selectgo returned %d", chosen)
		}
		list[i] = chosen
	}
	return list
}

// selectNil waits where nobody can come.
func selectNil(t *check.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		cases  []gmp.Scase
		reason gmp.WaitReason
	}{
		{[]gmp.Scase{{}, {Send: true}}, gmp.WaitReasonSelect},
		{nil, gmp.WaitReasonSelectNoCases},
	} {
		if _, _, goesOn := w.sel(w.newG(), tt.cases, true); goesOn {
			t.Fatalf("a select of %d cases, none with a channel, does not wait", len(tt.cases))
		}
		if got := w.parks[len(w.parks)-1].reason; got != tt.reason {
			t.Errorf("a select of %d cases, none with a channel, waits for %q; want %q", len(tt.cases), got, tt.reason)
		}
	}
}

// selectMoved moves the stack of a G while its select waits.
func selectMoved(t *check.T) {
	w := newWorld(t)
	gp, other := w.newG(), w.newG()
	cs := w.chans(2, 0)
	cases := []gmp.Scase{{C: cs[0], Elem: w.value(gp, 0, 5), Send: true}, {C: cs[1], Elem: slot(gp, 1)}}
	for round, at := range []int{1, 0} {
		for i := range cases {
			cases[i].Elem = slot(gp, i)
		}
		w.setArg(gp, 3, unwritten)
		w.setArg(gp, 4, unwritten)
		w.sel(gp, slices.Clone(cases), true)
		w.move(gp)
		w.setArg(gp, 3, unwritten)
		w.setArg(gp, 4, unwritten)
		from := w.value(other, 0, uint64(40+round))
		w.meet(other, cases[at], from)
		w.wakeUp(gp, cases)
		if got, want := w.s.Machine.Word(slot(gp, 1)), uint64(40); got != want {
			t.Errorf("a select waits to receive, its stack moves, and %d is sent to it; its variable, where it now is, holds %d", want, got)
		}
		if at == 0 && w.s.Machine.Word(from) != 5 {
			t.Errorf("a select waits to send 5, its stack moves, and the receiver gets %d", w.s.Machine.Word(from))
		}
		if got := w.result(gp, 3); got != int64(at) {
			t.Errorf("case %d of a select was done while it waited, and its stack had moved; the result, where it is read now, is %d", at, got)
		}
	}
}
