package ch03

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler whose Gs are made by hand and run no code: a check calls
// the parts in their name. It notes what the parts ask of each other.
type world struct {
	t  *check.T
	s  *gmp.Sched
	mp *gmp.M

	*check.Tape                     // its Lock is that of a channel, if there is one
	panics      []string            // what Gs panicked with
	lent        int                 // sudogs acquired and not released
	released    map[*gmp.Sudog]bool // those released since a check has cleared it
}

// memory is the size of the machine's in a world, in bytes.
const memory = 512 << 10

// newWorld makes a world. Its Schedule picks nobody: what runs next is for the
// check to say.
func newWorld(t *check.T) *world {
	w := &world{t: t, released: map[*gmp.Sudog]bool{}}
	w.s, w.mp = t.SchedOf(memory)
	w.s.OnPanic(func(gp *gmp.G, msg string) {
		if check.Held(w.Lock) {
			t.Errorf("%s panics with %q while the channel is locked; it would never be unlocked", check.Name(gp), msg)
		}
		w.panics = append(w.panics, fmt.Sprintf("%s panics: %s", check.Name(gp), msg))
	})
	w.Tape = check.NewTape(w.s)
	w.Before = func(c *check.Call) bool {
		switch c.Method {
		case "Schedule":
			return false
		case "AcquireSudog":
			w.lent++
		case "ReleaseSudog":
			w.lent--
			w.released[check.Arg[*gmp.Sudog](c.Call)] = true
		}
		return true
	}
	return w
}

// The stack of a G made by hand, from its high end: the block of arguments of
// the operation under way, and below it a place for a value.
const (
	argsBelow = 64
	slotBelow = 1152
	spBelow   = 1280
	unwritten = 0x5eed // what stands where a result will be

	recvReceived = 2 // the word of the arguments in which SetReceived stores it
)

// newG makes a G that can run but does not: Grunnable, on no queue.
func (w *world) newG() *gmp.G { return check.NewGWithStack(w.s, spBelow, argsBelow) }

// newGs makes n of them.
func (w *world) newGs(n int) []*gmp.G {
	gs := make([]*gmp.G, n)
	for i := range gs {
		gs[i] = w.newG()
	}
	return gs
}

// run makes gp the current G by hand.
func (w *world) run(gp *gmp.G) {
	check.Running(w.mp, gp)
	w.s.Machine.SetWord(gp.Sched.Args+8*recvReceived, unwritten)
}

// rest takes gp off again.
func (w *world) rest(gp *gmp.G) {
	gp.Atomicstatus.Store(gmp.Grunnable)
	gp.M.Set(nil)
	w.mp.Curg.Set(nil)
}

// resume does with gp, which is ready, what scheduler and router do: it runs, and
// first what it left to do.
func (w *world) resume(gp *gmp.G) {
	w.t.Helper()
	w.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	gp.M.Set(w.mp)
	w.mp.Curg.Set(gp)
	cont := gp.Cont.Get()
	if cont == nil {
		w.t.Fatalf("%s was woken in the middle of an operation, but its Cont is nil; it must be set before the G parks", check.Name(gp))
	}
	gp.Cont.Set(nil)
	cont(w.s, w.mp, gp)
}

// slot is the place for a value on the stack of gp, wherever that is now.
func slot(gp *gmp.G) machine.Addr { return gp.Stack.Get().Hi - slotBelow }

// move moves the stack of gp.
func (w *world) move(gp *gmp.G) {
	size := uint64(gp.Stack.Get().Hi - gp.Stack.Get().Lo)
	if size < 8*gmp.StartingStack {
		size *= 2
	} else {
		size = gmp.StartingStack
	}
	w.s.Copystack(gp, size)
}

// elemType makes a type of size bytes.
func elemType(size int64) *machine.Type {
	if size == 8 {
		return &machine.Type{Name: "int", Kind: machine.KindInt, Size: 8}
	}
	return &machine.Type{Name: fmt.Sprintf("[%d]byte", size), Kind: machine.KindArray, Size: size}
}

// A byte of this kind stands behind each value, so that one who moves too much is
// seen: behind the value to send, and where one is to be received.
const (
	sendFence = 0xfd
	recvFence = 0xfe
)

// store writes value v of type t at addr, and the fence behind it. The value 0 has
// zero bytes only; no two of 0 to 255 are equal, unless they have no bytes.
func (w *world) store(addr machine.Addr, t *machine.Type, v int, fence byte) {
	b := w.s.Machine.Bytes(addr, t.Size+8)
	for i := range b[:t.Size] {
		b[i] = byte(v * (i + 1))
	}
	for i := range b[t.Size:] {
		b[t.Size+int64(i)] = fence
	}
}

// load reads the value at addr; what it finds in words if that is none.
func (w *world) load(addr machine.Addr, t *machine.Type) string {
	b := w.s.Machine.Bytes(addr, t.Size+8)
	for _, f := range b[t.Size:] {
		if f != recvFence {
			return fmt.Sprintf("a value of more than the %d bytes of an element", t.Size)
		}
	}
	if t.Size == 0 {
		return "a value"
	}
	for i := range b[:t.Size] {
		if b[i] != byte(int(b[0])*(i+1)) {
			return fmt.Sprintf("parts of a value (% x)", b[:min(t.Size, 24)])
		}
	}
	return fmt.Sprint(b[0])
}

// waiters lists who is on q, first to last.
func waiters(q *gmp.Waitq) []*gmp.G {
	var gs []*gmp.G
	for sg := q.First.Get(); sg != nil && len(gs) < 100; sg = sg.Next.Get() {
		gs = append(gs, sg.G.Get())
	}
	return gs
}
