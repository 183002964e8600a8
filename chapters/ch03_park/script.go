package ch03

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A step is an operation of one G on the channel of a script.
type step struct {
	g  int // from 1
	op op
	v  int // to send, 1 to 255
}

// An op is what a G does.
type op uint8

const (
	send    op = iota
	recv       // into the G's slot
	drop       // receive, and drop the value
	trySend    // like a select with a default
	tryRecv    //
	closing    //
	move       // not an operation: the G's stack moves
	search     // in a race: for a sudog that is on no queue any more, as a select's may be
	shift      // in a race: the stack of Gv, if that waits, as a collector does
)

func (st step) String() string {
	switch st.op {
	case send:
		return fmt.Sprintf("G%d sends %d", st.g, st.v)
	case recv:
		return fmt.Sprintf("G%d receives", st.g)
	case drop:
		return fmt.Sprintf("G%d receives and drops the value", st.g)
	case trySend:
		return fmt.Sprintf("G%d sends %d unless it would have to wait", st.g, st.v)
	case tryRecv:
		return fmt.Sprintf("G%d receives unless it would have to wait", st.g)
	case closing:
		return fmt.Sprintf("G%d closes it", st.g)
	case search:
		return fmt.Sprintf("G%d looks for a sudog that has left the queues", st.g)
	case shift:
		return fmt.Sprintf("G%d moves the stack of G%d", st.g, st.v)
	}
	return fmt.Sprintf("the stack of G%d moves", st.g)
}

// A model is what a channel is to the language: no scheduler, no memory.
type model struct {
	cap    int
	buf    []int
	recvq  []step
	sendq  []step
	closed bool
}

const (
	goesOn    = "goes on"
	waits     = "waits"
	wouldWait = "gives up"
	sendPanic = "panics: send on closed channel"
)

func gets(v int) string { return fmt.Sprintf("gets %d", v) }

const (
	getsZero  = "gets a zero value, because the channel is closed"
	drops     = "drops a value"
	dropsNone = "has none to drop, because the channel is closed"
)

// A wakeup is how an operation ended for which a G had to wait.
type wakeup struct {
	g   int
	how string
}

func (w wakeup) String() string { return fmt.Sprintf("G%d %s", w.g, w.how) }

// do does a step. It returns how that ends for its G, and for those that are woken.
func (m *model) do(st step) (own string, woken []wakeup) {
	wake := func(other step, how string) { woken = append(woken, wakeup{other.g, how}) }
	result := func(other step, v int) string {
		if other.op == drop {
			return drops
		}
		return gets(v)
	}
	switch st.op {
	case send, trySend:
		switch {
		case m.closed:
			return sendPanic, nil
		case len(m.recvq) > 0:
			first := m.recvq[0]
			m.recvq = m.recvq[1:]
			wake(first, result(first, st.v))
			return goesOn, woken
		case len(m.buf) < m.cap:
			m.buf = append(m.buf, st.v)
			return goesOn, nil
		case st.op == trySend:
			return wouldWait, nil
		}
		m.sendq = append(m.sendq, st)
		return waits, nil
	case recv, drop, tryRecv:
		if len(m.buf) > 0 || len(m.sendq) > 0 {
			if len(m.sendq) > 0 {
				m.buf = append(m.buf, m.sendq[0].v)
				wake(m.sendq[0], goesOn)
				m.sendq = m.sendq[1:]
			}
			v := m.buf[0]
			m.buf = m.buf[1:]
			return result(st, v), woken
		}
		switch {
		case m.closed && st.op == drop:
			return dropsNone, nil
		case m.closed:
			return getsZero, nil
		case st.op == tryRecv:
			return wouldWait, nil
		}
		m.recvq = append(m.recvq, st)
		return waits, nil
	case closing:
		if m.closed {
			return "panics: close of closed channel", nil
		}
		m.closed = true
		for _, other := range m.recvq {
			if other.op == drop {
				wake(other, dropsNone)
			} else {
				wake(other, getsZero)
			}
		}
		for _, other := range m.sendq {
			wake(other, sendPanic)
		}
		m.recvq, m.sendq = nil, nil
		return goesOn, woken
	}
	return goesOn, nil // it changes nothing
}

// numbers lists the Gs of steps.
func numbers(steps []step) string {
	if len(steps) == 0 {
		return "nothing"
	}
	var list []string
	for _, st := range steps {
		list = append(list, fmt.Sprintf("G%d", st.g))
	}
	return strings.Join(list, ", ")
}

// A script runs steps on a channel of the parts under test and on a model.
type script struct {
	w       *world
	c       *gmp.Hchan
	elem    *machine.Type
	gs      []*gmp.G
	m       model
	ops     map[*gmp.G]op // of those that wait
	history []string
}

// newScript makes a channel with a buffer of size, of elements of elemSize bytes,
// and n Gs.
func newScript(t *check.T, size int, elemSize int64, n int) *script {
	w := newWorld(t)
	sc := &script{w: w, elem: elemType(elemSize), gs: w.newGs(n), m: model{cap: size}, ops: map[*gmp.G]op{}}
	sc.history = []string{fmt.Sprintf("a channel of %s with a buffer of %d", sc.elem.Name, size)}
	sc.c = w.s.NewHchan(w.mp, sc.elem, int64(size))
	w.Lock = &sc.c.Lock
	return sc
}

// runScript runs steps from the beginning; the check ends at the first thing that
// is wrong.
func runScript(t *check.T, size int, elemSize int64, steps ...step) *script {
	t.Helper()
	n := 0
	for _, st := range steps {
		n = max(n, st.g)
	}
	sc := newScript(t, size, elemSize, n)
	for _, st := range steps {
		sc.do(st)
	}
	return sc
}

func (sc *script) fatalf(format string, args ...any) {
	sc.w.t.Helper()
	sc.w.t.Fatalf("%s: %s", strings.Join(sc.history, "; "), fmt.Sprintf(format, args...))
}

// do does one step and looks at everything.
func (sc *script) do(st step) {
	sc.w.t.Helper()
	w, gp := sc.w, sc.gs[st.g-1]
	sc.history = append(sc.history, st.String())
	if st.op == move {
		w.move(gp)
		return
	}
	w.Calls, w.released = nil, map[*gmp.Sudog]bool{}
	w.run(gp)
	defer sc.explain()
	own := sc.call(st, gp)
	if check.Held(&sc.c.Lock) {
		sc.fatalf("the channel is still locked afterwards")
	}
	if own != waits {
		w.rest(gp)
	}
	var woken []string
	for _, other := range check.Drain(w.s) {
		woken = append(woken, sc.wake(other))
	}
	wantOwn, wakeups := sc.m.do(st)
	wantOwn = sc.unseen(wantOwn)
	var wantWoken []string
	for _, w := range wakeups {
		wantWoken = append(wantWoken, wakeup{w.g, sc.unseen(w.how)}.String())
	}
	if own != wantOwn {
		sc.fatalf("it %s; want that it %s", own, wantOwn)
	}
	slices.Sort(woken) // a close may wake them in any order
	slices.Sort(wantWoken)
	if !slices.Equal(woken, wantWoken) {
		sc.fatalf("of the Gs that waited, %s; want: %s", list(woken), list(wantWoken))
	}
	sc.settled()
}

// unseen is how an operation ends as far as one can see: a value of no bytes looks like
// any other.
func (sc *script) unseen(how string) string {
	if sc.elem.Size == 0 && strings.HasPrefix(how, "gets ") && how != getsZero {
		return "gets a value"
	}
	return how
}

// list joins outcomes.
func list(outcomes []string) string {
	if len(outcomes) == 0 {
		return "none is woken"
	}
	return strings.Join(outcomes, ", ")
}

// explain adds the history to what a part throws or panics with.
func (sc *script) explain() {
	if v := recover(); v != nil {
		if f, ok := v.(gmp.Fatal); ok {
			sc.fatalf("and a part throws %q", f.Msg)
		}
		panic(v)
	}
}

// before is what stands in a slot before something is received there.
const before = 0xee

// call does the operation in the name of gp and says how it ended.
func (sc *script) call(st step, gp *gmp.G) string {
	w, at := sc.w, slot(gp)
	w.store(at, sc.elem, before, recvFence)
	panicked := len(w.panics)
	done, received := false, false
	switch st.op {
	case send, trySend:
		w.store(at, sc.elem, st.v, sendFence)
		done = w.s.Chansend(w.mp, gp, sc.c, at, st.op == send)
	case recv, tryRecv:
		done, received = w.s.Chanrecv(w.mp, gp, sc.c, at, st.op == recv)
	case drop:
		done, received = w.s.Chanrecv(w.mp, gp, sc.c, 0, true)
	case closing:
		w.s.Closechan(w.mp, gp, sc.c)
		done = true
	}
	switch {
	case len(w.panics) > panicked:
		if done && st.op != closing {
			sc.fatalf("it panics, and the call reports that the operation was done")
		}
		_, how, _ := strings.Cut(w.panics[len(w.panics)-1], " ")
		return how
	case received && !done:
		sc.fatalf("the call reports that a value was received (received), and also that there is no result (selected is false)")
	case gp.Atomicstatus.Load() == gmp.Gwaiting:
		if done {
			sc.fatalf("it waits, but the call reports that the operation was done")
		}
		sc.ops[gp] = st.op
		return waits
	case !done:
		return wouldWait
	}
	return sc.outcome(gp, st.op, received)
}

// wake lets gp, which was made ready, do the rest of its operation.
func (sc *script) wake(gp *gmp.G) string {
	w := sc.w
	op, waited := sc.ops[gp]
	if !waited {
		sc.fatalf("%s was made ready, although it did not wait", check.Name(gp))
	}
	delete(sc.ops, gp)
	panicked, sg := len(w.panics), gp.Waiting.Get()
	w.resume(gp)
	defer w.rest(gp)
	if !w.released[sg] {
		sc.fatalf("%s was woken, and has not released the sudog with which it waited; it is lost", check.Name(gp))
	}
	if check.Held(&sc.c.Lock) {
		sc.fatalf("%s was woken, and when it goes on the channel is locked", check.Name(gp))
	}
	if len(w.panics) > panicked {
		return w.panics[len(w.panics)-1]
	}
	received := false
	if op != send {
		switch word := w.s.Machine.Word(gp.Sched.Args + 8*recvReceived); word {
		case 0, 1:
			received = word == 1
		case unwritten:
			sc.fatalf("%[1]s was woken, but no result was stored where %[1]s expects it: s.SetReceived stores it", check.Name(gp))
		default:
			sc.fatalf("%s was woken, and its result, 0 or 1, is %d", check.Name(gp), word)
		}
	}
	return check.Name(gp) + " " + sc.outcome(gp, op, received)
}

// outcome says how an operation ended that did not panic.
func (sc *script) outcome(gp *gmp.G, op op, received bool) string {
	value := sc.w.load(slot(gp), sc.elem)
	if sc.elem.Size == 0 && !received {
		value = "0"
	}
	return ended(op, received, value)
}

// ended says how an operation ended that did not panic, with what then was in the slot.
func ended(op op, received bool, value string) string {
	switch {
	case op == recv || op == tryRecv:
		switch {
		case received:
			return "gets " + value
		case value != "0":
			return "gets " + value + ", and is told that the channel is closed"
		}
		return getsZero
	case op == drop && received:
		return drops
	case op == drop:
		return dropsNone
	}
	return goesOn
}

// settled checks the channel and all Gs between two steps.
func (sc *script) settled() {
	sc.w.t.Helper()
	c := sc.c
	if got, want := check.Names(waiters(&c.Recvq)), numbers(sc.m.recvq); got != want {
		sc.fatalf("now c.Recvq holds %s; want %s", got, want)
	}
	if got, want := check.Names(waiters(&c.Sendq)), numbers(sc.m.sendq); got != want {
		sc.fatalf("now c.Sendq holds %s; want %s", got, want)
	}
	if c.Qcount.Get() != uint64(len(sc.m.buf)) {
		sc.fatalf("now c.Qcount is %d; want %d", c.Qcount.Get(), len(sc.m.buf))
	}
	if c.Closed.Get() != sc.m.closed {
		sc.fatalf("now c.Closed is %v; want %v", c.Closed.Get(), sc.m.closed)
	}
	for _, gp := range sc.gs {
		_, waiting := sc.ops[gp]
		sg := gp.Waiting.Get()
		switch {
		case waiting && sg == nil:
			sc.fatalf("%s waits, but its Waiting is nil: if its stack moves, the sudog cannot be adjusted", check.Name(gp))
		case waiting && (sg.G.Get() != gp || sg.C.Get() != c):
			sc.fatalf("%s waits, but the G or the C of its sudog is not set correctly", check.Name(gp))
		case !waiting && sg != nil:
			sc.fatalf("%s goes on, and its Waiting is still set", check.Name(gp))
		case !waiting && gp.Param.Get() != nil:
			sc.fatalf("%s goes on, and its Param is still set", check.Name(gp))
		case !waiting && gp.Cont.Get() != nil:
			sc.fatalf("%s goes on, but its Cont is still set: the next time it runs, it would end an operation that is over", check.Name(gp))
		}
	}
	if w := sc.w; w.lent != len(sc.ops) {
		sc.fatalf("%d Gs wait, and %d sudogs are in use: each one that was acquired must be released once", len(sc.ops), w.lent)
	}
}

// random does n random steps. Of a G that waits, the stack moves.
func (sc *script) random(rng *rand.Rand, n int) {
	sc.w.t.Helper()
	for range n {
		g := 1 + rng.IntN(len(sc.gs))
		gp := sc.gs[g-1]
		st := step{g: g, op: op(rng.IntN(int(tryRecv) + 1)), v: 1 + rng.IntN(200)}
		if rng.IntN(40) == 0 {
			st.op = closing
		}
		if _, waiting := sc.ops[gp]; waiting {
			st.op = move
		}
		sc.do(st)
	}
}
