package ch08

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The places where Nearby may find a G, in their order.
var places = []string{"the global queue, at a multiple of 61", "Runnext", "the ring of P0", "the global queue", "the network"}

// fill puts Gs in some of the places, of which the names are given, and returns the G
// that is the first to run of each.
func (w *world) fill(at map[string]bool) map[string]*gmp.G {
	first := map[string]*gmp.G{}
	w.p0.Schedtick.Set(1)
	if at[places[0]] {
		w.p0.Schedtick.Set(2 * 61)
		first[places[0]] = w.onGlobal(1)[0]
	} else if at[places[3]] {
		first[places[3]] = w.onGlobal(1)[0]
	}
	if at[places[1]] {
		first[places[1]] = w.onP0(1, true)[0]
	}
	if at[places[2]] {
		first[places[2]] = w.onP0(1, false)[0]
	}
	if at[places[4]] {
		gp := w.newG(gmp.Gwaiting)
		first[places[4]] = gp
		w.waiters = true
		w.polled = func(int64) (list gmp.GList) {
			list.Push(gp)
			return list
		}
	}
	return first
}

// nearbyOrder checks the order of the places, with every choice of those that have a G.
func nearbyOrder(t *check.T) {
	for choice := range 1 << len(places) {
		at := map[string]bool{}
		var filled []string
		for i, place := range places {
			if choice&(1<<i) != 0 {
				at[place] = true
				filled = append(filled, place)
			}
		}
		if at[places[0]] && at[places[3]] {
			continue // one queue
		}
		w := newWorld(t, 2)
		first := w.fill(at)
		gp, inherit := w.nearby()
		if len(filled) == 0 {
			check.Want(t, "with no G anywhere the result of Nearby", check.Name(gp), "nil")
			check.Want(t, "and its inheritTime", inherit, false)
			continue
		}
		what := "with a G in each of these: " + strings.Join(filled, "; ")
		if want := first[filled[0]]; gp != want {
			t.Fatalf("%s, Nearby returns %s; want %s, the one in the first of them", what, check.Name(gp), check.Name(want))
		}
		check.Want(t, what+", Nearby's inheritTime", inherit, filled[0] == places[1])
		check.Want(t, what+", the state of the G that Nearby returns", check.State(gp), "runnable")
	}
}

// nearbyTick checks at which ticks the global queue comes first, and how many Gs it
// gives then.
func nearbyTick(t *check.T) {
	for _, tick := range ticks() {
		w := newWorld(t, 1)
		global, mine := w.onGlobal(5), w.onP0(3, false)
		w.p0.Schedtick.Set(tick)
		gp, inherit := w.nearby()
		what := fmt.Sprintf("P0.Schedtick is %d, G1 to G5 are on the global queue and G6 to G8 on P0; ", tick)
		want, left := mine[0], global
		if tick%61 == 0 {
			want, left = global[0], global[1:]
		}
		if gp != want {
			t.Fatalf("%sNearby returns %s; want %s, since %d is %s", what, check.Name(gp), check.Name(want), tick, multiple(tick))
		}
		if inherit {
			t.Fatalf("%sNearby says that %s inherits its time slice; only a G from Runnext does", what, check.Name(gp))
		}
		if got := queued(w.s); check.Names(got) != check.Names(left) {
			t.Fatalf("%safter Nearby the global queue is %s; want %s. The tick takes one G: P0 has work of its own", what, check.Names(got), check.Names(left))
		}
		for _, c := range w.Of("Globrunqget", "Globrunqgetbatch") {
			if !c.Locked {
				t.Fatalf("%sNearby took a G off the global queue without s.Lock", what)
			}
		}
	}
}

// ticks are numbers of slices around some of the multiples of 61, and all of the first.
func ticks() []uint32 {
	var list []uint32
	for tick := range uint32(64) {
		list = append(list, tick)
	}
	for _, n := range []uint32{2, 3, 64, 1000, 1 << 26} {
		list = append(list, 61*n-1, 61*n, 61*n+1)
	}
	return list
}

func multiple(tick uint32) string {
	if tick%61 == 0 {
		return "a multiple of 61"
	}
	return "not a multiple of 61"
}

// nearbyFree checks that a P with work of its own does not touch the lock that all
// share, and neither does one that has none while the global queue is empty.
func nearbyFree(t *check.T) {
	for _, c := range []struct {
		what  string
		tick  uint32
		local int
	}{
		{"no G is anywhere and P0.Schedtick is 61", 61, 0},
		{"no G is anywhere and P0.Schedtick is 1", 1, 0},
		{"P0 has a G, the global queue none, and P0.Schedtick is 61", 61, 1},
	} {
		w := newWorld(t, 1)
		w.onP0(c.local, false)
		w.p0.Schedtick.Set(c.tick)
		if w.Acquisitions(t, func() { w.Sources.Nearby(w.m0) }) > 0 {
			t.Errorf("%s: Nearby took s.Lock. Runqsize says without it that there is nothing, and taking the lock at every tick of every P would cost all of them", c.what)
		}
	}
}

// nearbyLate checks what happens when others have emptied the global queue between the look
// at Runqsize and the lock.
func nearbyLate(t *check.T) {
	w := newWorld(t, 2)
	gp := w.onP0(1, false)[0]
	w.p0.Schedtick.Set(61)
	w.s.Runqsize.Store(1)
	got, _ := w.nearby()
	check.Want(t, "P0.Schedtick is 61 and Runqsize is 1, but when Nearby has the lock another P has taken that G; G1 is in the ring of P0. The result of Nearby", check.Name(got), check.Name(gp))

	w = newWorld(t, 2)
	gp = w.fill(map[string]bool{places[4]: true})[places[4]]
	w.s.Runqsize.Store(1)
	got, _ = w.nearby()
	check.Want(t, "P0 is empty and Runqsize is 1, but when Nearby has the lock another P has taken that G; G1 is ready in the network. The result of Nearby", check.Name(got), check.Name(gp))
}

// nearbyBatch checks what a P without work takes from the global queue.
func nearbyBatch(t *check.T) {
	w := newWorld(t, 4)
	gs := w.onGlobal(100)
	w.p0.Schedtick.Set(1)
	gp, inherit := w.nearby()
	check.Want(t, "P0 is empty, of four Ps, and G1 to G100 are on the global queue; the result of Nearby", check.Name(gp), "G1")
	check.Want(t, "its inheritTime", inherit, false)
	check.Want(t, "the ring of P0: its share is 100/4+1, of which G1 runs now;", check.Names(ring(w.p0)), check.Names(gs[1:26]))
	check.Want(t, "the global queue", check.Names(queued(w.s)), check.Names(gs[26:]))
}

// localBatch checks the sizes of batches.
func localBatch(t *check.T) {
	for _, slots := range []int{2, 8} {
		w := newWorld(t, 1)
		w.p0.Runq = make([]machine.Pointer[gmp.G], slots)
		gs := w.onGlobal(20)
		check.Locked(t, w.s, "Globrunqgetlocal", func() { w.Sources.Globrunqgetlocal(w.p0) })
		if taken := len(gs) - len(queued(w.s)); taken != slots/2 {
			t.Fatalf("P0 has a ring of %d slots, and 20 Gs are on the global queue: Globrunqgetlocal takes %d of them; want %d, half a ring, so that the other half is free for what P0 makes ready meanwhile", slots, taken, slots/2)
		}
		check.Want(t, "the first of them runs now; the others, on the ring of P0,", check.Names(ring(w.p0)), check.Names(gs[1:slots/2]))
	}
	half := gmp.RunqLen / 2
	for _, c := range []struct {
		procs int32
		size  int
		want  int // that leave the global queue
	}{
		{1, 0, 0}, {1, 1, 1}, {1, 2, 2}, {1, half, half}, {1, half + 1, half}, {1, 300, half},
		{4, 1, 1}, {4, 3, 1}, {4, 4, 2}, {4, 100, 26}, {4, 508, half}, {4, 1000, half},
		{64, 63, 1}, {64, 64, 2}, {64, 1000, 16},
	} {
		w := newWorld(t, c.procs)
		gs := w.onGlobal(c.size)
		what := fmt.Sprintf("with %d Ps and %d Gs on the global queue", c.procs, c.size)
		var gp *gmp.G
		check.Locked(t, w.s, what+": Globrunqgetlocal", func() { gp = w.Sources.Globrunqgetlocal(w.p0) })
		want := "nil"
		if c.size > 0 {
			want = "G1"
		}
		check.Want(t, what+" the result of Globrunqgetlocal", check.Name(gp), want)
		check.Want(t, what+" the size of the global queue after it", len(queued(w.s)), c.size-c.want)
		if c.want > 0 {
			check.Want(t, what+" the ring of P0 after it", check.Names(ring(w.p0)), check.Names(gs[1:c.want]))
		}
		if t.Failed() {
			return
		}
	}
}

// nearbyNet checks what comes from the network.
func nearbyNet(t *check.T) {
	w := newWorld(t, 2)
	gs := []*gmp.G{w.newG(gmp.Gwaiting), w.newG(gmp.Gwaiting), w.newG(gmp.Gwaiting)}
	w.waiters = true
	delay := int64(-2)
	w.polled = func(d int64) (list gmp.GList) {
		delay = d
		for i := range gs {
			list.Push(gs[len(gs)-1-i])
		}
		return list
	}
	gp, inherit := w.nearby()
	check.Want(t, "the network has G1 to G3; the result of Nearby", check.Name(gp), "G1")
	check.Want(t, "its inheritTime", inherit, false)
	check.Want(t, "how long Nearby told Netpoll to wait, in ns,", delay, 0)
	check.Want(t, "the state of G1, which was waiting until now,", check.State(gs[0]), "runnable")
	check.Want(t, "the Gs that Nearby gave to Injectglist", check.Names(queued(w.s)), "G2, G3")

	w = newWorld(t, 2)
	w.nearby()
	if w.at("Netpoll") >= 0 {
		t.Errorf("no G waits for the network, but Nearby called Netpoll: a system call for nothing, at every look for work")
	}
	w = newWorld(t, 2)
	w.waiters = true
	w.s.Lastpoll.Store(0)
	w.nearby()
	if w.at("Netpoll") >= 0 {
		t.Errorf("another M waits in Netpoll (Lastpoll is 0), but Nearby called it as well; one at a time is enough")
	}
}
