package ch03

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// makechan checks what sizes are right, and what a new channel is.
func makechan(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	w.run(gp)
	for _, size := range []int64{0, 1, 10} {
		c := w.s.Makechan(w.mp, gp, elemType(8), size)
		if c == nil {
			t.Fatalf("Makechan with a buffer of %d returns nil; want a channel", size)
		}
		check.Want(t, fmt.Sprintf("Dataqsiz of a channel with a buffer of %d", size), c.Dataqsiz, uint64(size))
		if w.s.Hchan(c.Addr) != c {
			t.Errorf("the address of the new channel does not lead back to it; want a channel that s.NewHchan made")
		}
	}
	for _, c := range []struct {
		elemSize, size int64
		want           string
	}{
		{8, -1, outOfRange},
		{0, -1, outOfRange},
		{8, gmp.MaxAlloc / 8, outOfRange},
		{8, gmp.MaxAlloc/8 - 1, tooMuch},
		{1, gmp.MaxAlloc, outOfRange},
		{1, gmp.MaxAlloc - 1, tooMuch},
		{3, gmp.MaxAlloc/3 + 1, outOfRange},
		{3, gmp.MaxAlloc / 3, tooMuch},
		{8, 1 << 61, outOfRange}, // the product is 0 in 64 bits
		{24, 1 << 62, outOfRange},
		{1, 1<<63 - 1, outOfRange},
		{0, 1 << 40, isMade}, // no bytes at all
		{200, 1000, isMade},
	} {
		if got := w.making(gp, elemType(c.elemSize), c.size); got != c.want {
			t.Errorf("Makechan with elements of %d bytes and a buffer of %d: %s; want that %s", c.elemSize, c.size, got, c.want)
		}
	}
}

// How a Makechan ends. The machine of a check has no room for the largest buffers that
// may be.
const (
	isMade     = "a channel is made"
	outOfRange = `it panics "makechan: size out of range" and returns nil`
	tooMuch    = "it calls NewHchan, since the size is allowed, and NewHchan finds no room for so many bytes"
)

// making calls Makechan and says how that ends.
func (w *world) making(gp *gmp.G, elem *machine.Type, size int64) string {
	w.panics = nil
	var made *gmp.Hchan
	thrown := w.t.Throws(func() { made = w.s.Makechan(w.mp, gp, elem, size) })
	switch panics := strings.Join(w.panics, ", "); {
	case panics == "G1 panics: makechan: size out of range" && thrown == "" && made == nil:
		return outOfRange
	case panics != "" && made != nil:
		return fmt.Sprintf("%s, and a channel is returned", panics)
	case panics != "":
		return strings.TrimSpace(panics + " " + thrown)
	case thrown == "out of memory":
		return tooMuch
	case thrown != "":
		return fmt.Sprintf("it throws %q", thrown)
	case made == nil:
		return "it returns nil without a panic"
	}
	return isMade
}

// buffer checks the ring: what goes in comes out in that order, round and round.
func buffer(t *check.T) {
	steps := []step{{1, send, 1}, {1, send, 2}, {1, recv, 0}, {1, send, 3}, {1, send, 4}}
	for v := 5; v < 12; v++ {
		steps = append(steps, step{1, recv, 0}, step{1, send, v})
	}
	steps = append(steps, step{1, recv, 0}, step{1, drop, 0}, step{1, recv, 0}, step{1, send, 12}, step{1, recv, 0})
	runScript(t, 3, 8, steps...)
	runScript(t, 1, 8, step{1, send, 1}, step{1, recv, 0}, step{1, send, 2}, step{1, recv, 0})
}

// sendWaits checks how a sender waits.
func sendWaits(t *check.T) {
	sc := runScript(t, 1, 8, step{1, send, 1}, step{2, send, 2})
	waited(t, sc, sc.gs[1], &sc.c.Sendq, gmp.WaitReasonChanSend)
	runScript(t, 0, 8, step{1, send, 1}, step{2, send, 2}, step{3, send, 3}, step{4, recv, 0}, step{4, recv, 0}, step{4, recv, 0})
}

// recvWaits checks how a receiver waits.
func recvWaits(t *check.T) {
	sc := runScript(t, 1, 8, step{1, send, 1}, step{1, recv, 0}, step{2, recv, 0})
	waited(t, sc, sc.gs[1], &sc.c.Recvq, gmp.WaitReasonChanReceive)
	runScript(t, 0, 8, step{1, recv, 0}, step{2, recv, 0}, step{3, recv, 0}, step{4, send, 1}, step{4, send, 2}, step{4, send, 3})
}

// waited checks the last step of sc, in which gp parked on q.
func waited(t *check.T, sc *script, gp *gmp.G, q *gmp.Waitq, reason gmp.WaitReason) {
	t.Helper()
	parks := sc.w.Of("Gopark")
	if len(parks) != 1 || parks[0].G != gp {
		sc.fatalf("Gopark was called %d times; want once, for %s", len(parks), check.Name(gp))
	}
	if !parks[0].Locked {
		sc.fatalf("the channel was unlocked before Gopark was called: another M that comes now finds the sudog of %[1]s, and calls Goready while %[1]s still runs", check.Name(gp))
	}
	check.Want(t, "the reason with which "+check.Name(gp)+" parks", check.Arg[gmp.WaitReason](parks[0].Call), reason)
	sg := q.First.Get()
	check.Want(t, "the address in the sudog of "+check.Name(gp), sg.Elem.Get(), slot(gp))
	if sg.IsSelect.Get() || sg.Success.Get() {
		sc.fatalf("IsSelect or Success of the sudog of %s is set", check.Name(gp))
	}
}

// handOver checks that a sender writes straight into the slot of a receiver that
// sleeps, past the buffer.
func handOver(t *check.T) {
	for _, size := range []int{0, 2} {
		sc := runScript(t, size, 8, step{1, recv, 0}, step{2, recv, 0})
		w, first, sender := sc.w, sc.gs[0], sc.w.newG()
		w.Calls = nil
		w.run(sender)
		w.store(slot(sender), sc.elem, 7, sendFence)
		sc.history = append(sc.history, check.Name(sender)+" sends 7")
		if !w.s.Chansend(w.mp, sender, sc.c, slot(sender), true) {
			sc.fatalf("Chansend returns false, although a receiver waits")
		}
		check.Want(t, "the slot of G1, before it runs,", w.load(slot(first), sc.elem), "7")
		check.Want(t, "the slot of G2, which still waits,", w.load(slot(sc.gs[1]), sc.elem), fmt.Sprint(before))
		if sc.c.Qcount.Get() != 0 || sc.c.Sendx.Get() != 0 || sc.c.Recvx.Get() != 0 {
			sc.fatalf("the value went through the buffer: Qcount %d, Sendx %d, Recvx %d; want all 0", sc.c.Qcount.Get(), sc.c.Sendx.Get(), sc.c.Recvx.Get())
		}
		handed(t, sc, first)
	}
}

// handed checks that gp was made ready, and how, and what its sudog says.
func handed(t *check.T, sc *script, gp *gmp.G) {
	t.Helper()
	readies := sc.w.Of("Ready")
	if len(readies) != 1 || readies[0].G != gp {
		sc.fatalf("%d Gs were made ready; want %s alone", len(readies), check.Name(gp))
	}
	if readies[0].Locked {
		sc.fatalf("%s was made ready while the channel was locked; it may run at once, on another thread, and want the channel", check.Name(gp))
	}
	if check.Held(&sc.c.Lock) {
		sc.fatalf("the channel is still locked afterwards")
	}
	sg := gp.Waiting.Get()
	if sg == nil || gp.Param.Get() != sg {
		sc.fatalf("the Param of %s is not its sudog: from its Param a G learns what woke it", check.Name(gp))
	}
	if sg.Elem.Get() != 0 {
		sc.fatalf("the sudog of %s still refers to the value; its Elem must be 0 once the value has moved", check.Name(gp))
	}
	if !sg.Success.Get() {
		sc.fatalf("the Success of the sudog of %s is not set: the G would take this for a close", check.Name(gp))
	}
	check.Want(t, "after that the global queue", check.Names(check.Drain(sc.w.s)), check.Name(gp))
}

// takeOver checks that a receiver takes the value of a sender that sleeps: without
// a buffer from its slot, else the oldest one.
func takeOver(t *check.T) {
	sc := runScript(t, 0, 8, step{1, send, 5}, step{2, send, 6})
	takeFrom(t, sc, "5")
	check.Want(t, "Qcount of a channel without a buffer", sc.c.Qcount.Get(), 0)

	sc = runScript(t, 2, 8, step{1, send, 1}, step{1, recv, 0}, step{1, send, 2}, step{1, send, 3}, step{1, send, 4})
	takeFrom(t, sc, "2")
	check.Want(t, "Qcount of a full buffer, after one was taken and the sender's was put in", sc.c.Qcount.Get(), 2)
	if sc.c.Sendx.Get() != sc.c.Recvx.Get() {
		sc.fatalf("the buffer is full, but Sendx is %d and Recvx %d; in a full ring the tail is the head", sc.c.Sendx.Get(), sc.c.Recvx.Get())
	}
	// And those that are in the buffer, in order.
	runScript(t, 2, 8, step{1, send, 1}, step{1, send, 2}, step{1, send, 3}, step{2, send, 4},
		step{3, recv, 0}, step{3, drop, 0}, step{3, recv, 0}, step{3, recv, 0})
}

// takeFrom lets a new G receive from the first sender of sc, G1.
func takeFrom(t *check.T, sc *script, value string) {
	t.Helper()
	w, taker := sc.w, sc.w.newG()
	w.Calls = nil
	w.run(taker)
	w.store(slot(taker), sc.elem, before, recvFence)
	sc.history = append(sc.history, check.Name(taker)+" receives")
	if selected, received := w.s.Chanrecv(w.mp, taker, sc.c, slot(taker), true); !selected || !received {
		sc.fatalf("Chanrecv returns %v, %v, although a sender waits; want true, true", selected, received)
	}
	check.Want(t, "what "+check.Name(taker)+" received", w.load(slot(taker), sc.elem), value)
	handed(t, sc, sc.gs[0])
}

// movedStack checks that a value finds its place on a stack that has moved while
// its G slept, and so do the results.
func movedStack(t *check.T) {
	runScript(t, 0, 8, step{1, recv, 0}, step{1, move, 0}, step{2, send, 9})
	runScript(t, 0, 8, step{1, send, 9}, step{1, move, 0}, step{2, recv, 0})
	runScript(t, 0, 24, step{1, recv, 0}, step{1, move, 0}, step{1, move, 0}, step{2, closing, 0})
	sc := runScript(t, 0, 8, step{1, recv, 0}, step{1, move, 0})
	// It moves once more between the hand-over and its waking up.
	w, gp, sender := sc.w, sc.gs[0], sc.w.newG()
	w.run(sender)
	w.store(slot(sender), sc.elem, 3, sendFence)
	sc.history = append(sc.history, check.Name(sender)+" sends 3", "the stack of G1, which is ready, moves again", "G1 runs")
	w.s.Chansend(w.mp, sender, sc.c, slot(sender), true)
	w.rest(sender)
	check.Drain(w.s)
	w.move(gp)
	check.Want(t, "G1, when its stack had moved twice,", sc.wake(gp), "G1 gets 3")
}

// done checks what woken Gs still do; that each gives its sudog back is looked at whenever
// one has gone on.
func done(t *check.T) {
	runScript(t, 0, 8, step{1, recv, 0}, step{2, send, 4}, step{1, send, 5}, step{2, recv, 0}, step{1, drop, 0}, step{2, send, 6})
	// Those that a close has woken give theirs back, too.
	runScript(t, 1, 8, step{1, send, 1}, step{2, send, 2}, step{3, send, 3}, step{4, closing, 0})
	runScript(t, 0, 8, step{1, recv, 0}, step{2, drop, 0}, step{3, closing, 0})
}

// closeWakes checks that a close wakes everybody, when the channel is free again.
func closeWakes(t *check.T) {
	for _, script := range [][]step{
		{{1, recv, 0}, {2, recv, 0}, {3, drop, 0}, {4, closing, 0}},
		{{1, send, 1}, {2, send, 2}, {3, send, 3}, {4, closing, 0}},
	} {
		sc := runScript(t, 0, 8, script...)
		readied(sc)
	}
	// The elements in the buffer stay.
	runScript(t, 2, 8, step{1, send, 1}, step{1, send, 2}, step{2, send, 3}, step{3, closing, 0}, step{1, recv, 0}, step{1, recv, 0}, step{1, recv, 0})
	// Elements of any size become zero.
	for _, size := range []int64{0, 1, 3, 24, 200} {
		runScript(t, 0, size, step{1, recv, 0}, step{2, closing, 0})
	}
}

// readied checks those that a close has made ready.
func readied(sc *script) {
	sc.w.t.Helper()
	for _, c := range sc.w.Of("Ready") {
		if c.Locked {
			sc.fatalf("Closechan called Ready(%s) while the channel was locked; a G that it wakes may want the channel at once", check.Name(c.G))
		}
		if c.Linked {
			sc.fatalf("Closechan called Ready(%s), and its Schedlink still leads to another G: once it is ready, that link belongs to the run queue", check.Name(c.G))
		}
	}
}

// closedChannel checks operations on a channel that is closed already.
func closedChannel(t *check.T) {
	runScript(t, 2, 8, step{1, closing, 0}, step{1, recv, 0}, step{1, drop, 0}, step{2, tryRecv, 0}, step{2, recv, 0})
	runScript(t, 0, 8, step{1, closing, 0}, step{1, send, 1}, step{2, trySend, 2}, step{2, recv, 0})
	runScript(t, 3, 8, step{1, send, 1}, step{1, send, 2}, step{1, closing, 0}, step{1, send, 3}, step{1, recv, 0}, step{2, tryRecv, 0}, step{2, recv, 0})
	runScript(t, 0, 8, step{1, closing, 0}, step{1, closing, 0}, step{2, recv, 0})
}

// closeNil checks the close of a nil channel.
func closeNil(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	w.run(gp)
	w.s.Closechan(w.mp, gp, nil)
	check.Want(t, "the outcome of Closechan of a nil channel", strings.Join(w.panics, ", "), "G1 panics: close of nil channel")
}

// nilChannel checks that a nil channel is never ready.
func nilChannel(t *check.T) {
	for _, c := range []struct {
		what   string
		call   func(w *world, gp *gmp.G, block bool) bool
		reason gmp.WaitReason
	}{
		{"Chansend on", func(w *world, gp *gmp.G, block bool) bool {
			return w.s.Chansend(w.mp, gp, nil, slot(gp), block)
		}, gmp.WaitReasonChanSendNilChan},
		{"Chanrecv from", func(w *world, gp *gmp.G, block bool) bool {
			selected, received := w.s.Chanrecv(w.mp, gp, nil, slot(gp), block)
			return selected || received
		}, gmp.WaitReasonChanReceiveNilChan},
	} {
		w := newWorld(t)
		gp := w.newG()
		w.run(gp)
		if c.call(w, gp, false) {
			t.Errorf("%s a nil channel reports that it is done; on a nil channel it must wait for ever", c.what)
		}
		check.Want(t, c.what+" a nil channel, with block unset: the state of G1", check.State(gp), "running")
		if c.call(w, gp, true) {
			t.Errorf("%s a nil channel reports that it is done; on a nil channel it must wait for ever", c.what)
		}
		check.Want(t, c.what+" a nil channel: the state of G1", check.State(gp), "waiting")
		check.Want(t, c.what+" a nil channel: the Waitreason of G1", gp.Waitreason.Get(), c.reason)
		check.Want(t, c.what+" a nil channel: what G1 panics with", strings.Join(w.panics, ""), "")
	}
}

// nonblocking checks block unset: the operation is done now or not at all.
func nonblocking(t *check.T) {
	runScript(t, 0, 8, step{1, trySend, 1}, step{1, tryRecv, 0}, step{2, recv, 0}, step{1, trySend, 2}, step{2, send, 3}, step{1, tryRecv, 0}, step{1, tryRecv, 0})
	runScript(t, 1, 8, step{1, trySend, 1}, step{1, trySend, 2}, step{1, tryRecv, 0}, step{1, tryRecv, 0})

	// A timer, which is no G, sends so.
	sc := newScript(t, 1, 8, 1)
	from := slot(sc.gs[0])
	sc.w.store(from, sc.elem, 1, sendFence)
	for _, sent := range []bool{true, false} {
		check.Want(t, "on a buffer of one, what Chansend with block unset and no G (gp is nil) returns", sc.w.s.Chansend(sc.w.mp, nil, sc.c, from, false), sent)
	}
}

// sizes checks elements of no bytes, of a few, and of many: each takes exactly
// its own.
func sizes(t *check.T) {
	for _, size := range []int64{0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 200, 1000} {
		runScript(t, 2, size, step{1, send, 1}, step{1, send, 2}, step{1, send, 3}, step{2, recv, 0}, step{2, send, 4},
			step{3, recv, 0}, step{3, recv, 0}, step{3, recv, 0}, step{1, recv, 0}, step{2, send, 5},
			step{1, recv, 0}, step{1, move, 0}, step{2, closing, 0}, step{2, recv, 0})
		runScript(t, 0, size, step{1, send, 1}, step{2, recv, 0}, step{1, recv, 0}, step{2, send, 2})
	}
}

// random runs random operations of several Gs on one channel, short scripts
// first, and compares each outcome with what the language says.
func random(t *check.T) {
	seed := uint64(0)
	for length := 2; length <= 60; length += 2 {
		for range 8 {
			seed++
			rng := rand.New(rand.NewPCG(33, t.Seed(seed)))
			elemSizes := []int64{8, 8, 8, 0, 3, 24}
			sc := newScript(t, rng.IntN(4), elemSizes[rng.IntN(len(elemSizes))], 2+rng.IntN(4))
			sc.random(rng, length)
		}
	}
}

// pieces checks Send and Recv by themselves, as chapter 4 will call them: with the
// channel locked and the sudog dequeued.
func pieces(t *check.T) {
	sc := runScript(t, 0, 8, step{1, recv, 0})
	w, gp, other := sc.w, sc.gs[0], sc.w.newG()
	w.Calls = nil
	w.run(other)
	w.store(slot(other), sc.elem, 8, sendFence)
	sc.history = append(sc.history, "Send of 8 to G1")
	w.s.Send(w.mp, sc.c, lockAndTake(w.s, sc.c, &sc.c.Recvq), slot(other))
	check.Want(t, "after Send the slot of G1", w.load(slot(gp), sc.elem), "8")
	handed(t, sc, gp)

	sc = runScript(t, 0, 8, step{1, drop, 0})
	w, gp, other = sc.w, sc.gs[0], sc.w.newG()
	w.Calls = nil
	w.run(other)
	sc.history = append(sc.history, "Send to G1, which drops the value")
	w.s.Send(w.mp, sc.c, lockAndTake(w.s, sc.c, &sc.c.Recvq), slot(other))
	check.Want(t, "after Send the slot of G1, which drops the value,", w.load(slot(gp), sc.elem), fmt.Sprint(before))
	handed(t, sc, gp)

	for _, elem := range []bool{true, false} {
		for size := range 3 {
			var steps []step
			for v := 1; v <= size+1; v++ {
				steps = append(steps, step{1, send, v})
			}
			sc = runScript(t, size, 8, steps...)
			w, gp, other = sc.w, sc.gs[0], sc.w.newG()
			w.Calls = nil
			w.run(other)
			w.store(slot(other), sc.elem, before, recvFence)
			at, found := machine.Addr(0), fmt.Sprint(before)
			sc.history = append(sc.history, "Recv from G1")
			if elem {
				at, found = slot(other), "1"
			}
			w.s.Recv(w.mp, sc.c, lockAndTake(w.s, sc.c, &sc.c.Sendq), at)
			check.Want(t, fmt.Sprintf("with a buffer of %d, after Recv of the value (%v) the slot of the caller", size, elem), w.load(slot(other), sc.elem), found)
			if size > 0 {
				last := (sc.c.Recvx.Get() + uint64(size) - 1) % uint64(size)
				v := w.s.Machine.Bytes(sc.c.Chanbuf(last), 1)[0]
				check.Want(t, fmt.Sprintf("with a full buffer of %d, after Recv the last slot of the buffer", size), int(v), size+1)
			}
			handed(t, sc, gp)
		}
	}
}

// lockAndTake locks c and takes the first of q.
func lockAndTake(s *gmp.Sched, c *gmp.Hchan, q *gmp.Waitq) *gmp.Sudog {
	c.Lock.Lock()
	return s.Dequeue(q)
}
