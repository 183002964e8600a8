package ch16

import (
	"fmt"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// This file checks what happens in the halves of a PollDesc.

// expired are the bits of PollInfo for a deadline that is over.
var expired = map[int]uint32{'r': gmp.PollExpiredReadDeadline, 'w': gmp.PollExpiredWriteDeadline}

// block checks Netpollblock.
func block(t *check.T) {
	for _, m := range []int{'r', 'w'} {
		w := newWorld(t)
		pd := w.s.Pollalloc(3)
		other := check.NewG(w.s, gmp.Gwaiting)
		blocks := func() (ready, parked bool) {
			w.park, w.Calls = nil, nil
			w.g1.Cont.Set(nil)
			return w.s.Netpollblock(w.m0, w.g1, pd, m)
		}
		result := func(ready, parked bool) string { return fmt.Sprintf("ready %v, parked %v", ready, parked) }

		pd.Half(m).Store(gmp.PdReady)
		what := "Netpollblock in mode " + mode(m) + " of a half that is PdReady"
		ready, parked := blocks()
		check.Want(t, what, result(ready, parked), "ready true, parked false")
		w.wantHalf(what, pd, m, nil)

		what = "Netpollblock in mode " + mode(m) + " of a half that is nil"
		looked := "no call of Netpollcheckerr"
		w.sees["Netpollcheckerr"] = func(*check.Call) { looked = check.Name(pd.Half(m).Load()) }
		w.sees["Gopark"] = func(*check.Call) { w.wantHalf(what+"; when it calls Gopark", pd, m, gmp.PdWait) }
		ready, parked = blocks()
		check.Want(t, what, result(ready, parked), "ready false, parked true")
		if w.park == nil {
			t.Fatalf("%s reports that G1 has parked; there was no Gopark, or one without an unlockf", what)
		}
		check.Want(t, what+"; what the half is when it last calls Netpollcheckerr", looked, "PdWait")
		check.Want(t, what+"; what G1 waits for", check.Arg[gmp.WaitReason](w.Of("Gopark")[0].Call), gmp.WaitReasonIOWait)
		check.Must(t, w.g1.Cont.Get() != nil, what+"; G1 must have a continuation")
		check.Want(t, what+"; what its unlockf returns when nothing has come", w.park(w.g1, w.lock), true)
		w.wantHalf(what+"; its unlockf was called", pd, m, w.g1)
		for _, now := range []*gmp.G{gmp.PdReady, nil} {
			pd.Half(m).Store(nil)
			blocks()
			pd.Half(m).Store(now)
			check.Want(t, fmt.Sprintf("%s; what its unlockf returns when the half has become %s", what, check.Name(now)), w.park(w.g1, w.lock), false)
			w.wantHalf(what+"; its unlockf was called", pd, m, now)
		}
		delete(w.sees, "Gopark")
		delete(w.sees, "Netpollcheckerr")

		for _, was := range []*gmp.G{gmp.PdWait, other} {
			pd.Half(m).Store(was)
			msg := t.Throws(func() { blocks() })
			check.WantThrow(t, "Netpollblock of a half that is "+check.Name(was), check.Thrown(msg), check.Thrown("runtime: double wait"))
		}

		for name, info := range map[string]uint32{"Closing": gmp.PollClosing, "a deadline that is over": expired[m]} {
			pd.Half(m).Store(nil)
			pd.PollInfo.Store(info)
			what := "Netpollblock in mode " + mode(m) + " with " + name
			ready, parked := blocks()
			check.Want(t, what, result(ready, parked), "ready false, parked false")
			check.Want(t, what+"; how often it called Gopark", len(w.Of("Gopark")), 0)
			check.Must(t, w.g1.Cont.Get() == nil, what+"; G1 must have no continuation")
			w.wantHalf(what, pd, m, nil)
			w.sees["Netpollcheckerr"] = func(*check.Call) { pd.Half(m).Store(gmp.PdReady) }
			ready, parked = blocks()
			what += ", when the half becomes PdReady before the look at PollInfo"
			check.Want(t, what, result(ready, parked), "ready true, parked false")
			w.wantHalf(what, pd, m, nil)
			delete(w.sees, "Netpollcheckerr")
		}
		pd.PollInfo.Store(expired['r'+'w'-m])
		pd.Half(m).Store(nil)
		ready, parked = blocks()
		check.Want(t, "Netpollblock in mode "+mode(m)+" when the deadline of the other mode is over", result(ready, parked), "ready false, parked true")
	}
}

// blockDone checks NetpollblockDone.
func blockDone(t *check.T) {
	w := newWorld(t)
	pd := w.s.Pollalloc(3)
	for _, m := range []int{'r', 'w'} {
		for _, was := range []*gmp.G{nil, gmp.PdReady, gmp.PdWait} {
			pd.Half(m).Store(was)
			what := fmt.Sprintf("NetpollblockDone in mode %s of a half that is %s", mode(m), check.Name(was))
			check.Want(t, what, w.s.NetpollblockDone(pd, m), was == gmp.PdReady)
			w.wantHalf(what, pd, m, nil)
		}
		pd.Half(m).Store(w.g1)
		msg := t.Throws(func() { w.s.NetpollblockDone(pd, m) })
		check.WantThrow(t, "NetpollblockDone of a half with a G", check.Thrown(msg), check.Thrown("runtime: corrupted polldesc"))
		pd.Half(m).Store(nil)
	}
	counts(t)
}

// counts checks from when on a G counts as one that waits, and until when.
func counts(t *check.T) {
	w := newWorld(t)
	pd := w.open(first(w.sockets()))
	wantCounts := func(what string, want bool) {
		check.Must(t, w.s.NetpollAnyWaiters() == want, what+"; NetpollAnyWaiters "+check.MustIf(want)+" say that a G waits for the network")
	}
	wantCounts("no G has waited", false)
	w.waiting(pd, 'r')
	w.waiting(pd, 'w')
	wantCounts("two Gs wait", true)
	w.s.Netpollunblock(pd, 'r', true)
	w.s.NetpollblockDone(pd, 'r')
	wantCounts("of two Gs that waited, one has gone on", true)
	w.s.Netpollunblock(pd, 'w', true)
	wantCounts("a G has waited, was taken out of its half, and is still to go on", true)
	w.s.NetpollblockDone(pd, 'w')
	wantCounts("two Gs have waited, and gone on", false)
	pd.Rg.Store(gmp.PdReady)
	w.s.Netpollblock(w.m0, w.g1, pd, 'r')
	wantCounts("a G did not wait, since its descriptor was ready", false)
	pd.PollInfo.Store(gmp.PollClosing)
	w.s.Netpollblock(w.m0, w.g1, pd, 'r')
	wantCounts("a G was about to wait, and found its descriptor closed", false)
	pd.PollInfo.Store(0)
	w.waiting(pd, 'r')
	wantCounts("a G was about to wait, and found its descriptor closed; another G waits", true)
}

// unblock checks Netpollunblock.
func unblock(t *check.T) {
	for _, m := range []int{'r', 'w'} {
		w := newWorld(t)
		a, _ := w.sockets()
		pd := w.open(a)
		for _, ioready := range []bool{true, false} {
			for _, was := range []*gmp.G{nil, gmp.PdReady, gmp.PdWait, w.g1} {
				pd.Half(m).Store(was)
				pd.Half('r' + 'w' - m).Store(gmp.PdWait)
				after := was
				if ioready {
					after = gmp.PdReady
				} else if was != gmp.PdReady {
					after = nil
				}
				var want *gmp.G
				if was == w.g1 {
					pd.Half(m).Store(nil)
					want = w.waiting(pd, m)
				}
				what := fmt.Sprintf("Netpollunblock in mode %s of a half that is %s, with ioready %v", mode(m), check.Name(was), ioready)
				check.Want(t, what+"; what it returns", check.Name(w.s.Netpollunblock(pd, m, ioready)), check.Name(want))
				w.wantHalf(what, pd, m, after)
				w.wantHalf(what, pd, 'r'+'w'-m, gmp.PdWait)
				check.Want(t, what+"; Gs that were made ready, which is up to the caller", check.Names(w.readied()), check.Names(nil))
			}
		}
	}
}

// ready checks Netpollready.
func ready(t *check.T) {
	for _, m := range []int{'r', 'w', 'r' + 'w'} {
		w := newWorld(t)
		a, _ := w.sockets()
		pd := w.open(a)
		first := check.NewG(w.s, gmp.Gwaiting)
		r, wr := w.waiting(pd, 'r'), w.waiting(pd, 'w')
		want := []*gmp.G{first}
		after := map[int]*gmp.G{'r': r, 'w': wr}
		if m != 'w' {
			want, after['r'] = append(want, r), gmp.PdReady
		}
		if m != 'r' {
			want, after['w'] = append(want, wr), gmp.PdReady
		}
		var list gmp.GList
		list.Push(first)
		list = w.s.Netpollready(list, pd, m)
		what := fmt.Sprintf("%s waits to read, and %s to write; Netpollready in mode %s, with %s on the list already", check.Name(r), check.Name(wr), mode(m), check.Name(first))
		size, got := list.Size, listed(list)
		slices.SortFunc(got, func(a, b *gmp.G) int { return int(a.Goid.Get() - b.Goid.Get()) })
		check.Want(t, what+"; what it returns", check.Names(got), check.Names(want))
		check.Want(t, what+"; the Size of the list", int(size), len(want))
		w.wantHalf(what, pd, 'r', after['r'])
		w.wantHalf(what, pd, 'w', after['w'])

		list = w.s.Netpollready(gmp.GList{}, w.s.Pollalloc(4), m)
		check.Want(t, "no G waits; what Netpollready returns", check.Names(listed(list)), check.Names(nil))
	}
}
