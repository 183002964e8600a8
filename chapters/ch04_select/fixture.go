package ch04

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler whose Gs are made by hand and run no code: a check calls
// the parts in their name.
type world struct {
	t  *check.T
	s  *gmp.Sched
	mp *gmp.M

	parks  []park
	yields []*gmp.G
	panics []string
	lent   int // sudogs acquired and not released

	bare bool // SemaQueue and SemaDequeue are called by the check itself, which needs no lock
	// These are called before a G parks, is made ready or yields, and when one panics; nil
	// for nothing.
	atPark, atReady, atYield, atPanic func(gp *gmp.G)
	atDequeue                         func() // before SemaDequeue
}

// A park is one call of Gopark.
type park struct {
	gp     *gmp.G
	reason gmp.WaitReason
}

// newWorld makes a world. Its Schedule picks nobody: what runs next is for the
// check to say.
func newWorld(t *check.T) *world {
	w := &world{t: t}
	w.s, w.mp = t.Sched()
	w.s.OnPanic(func(gp *gmp.G, msg string) {
		w.panics = append(w.panics, fmt.Sprintf("%s panics: %s", check.Name(gp), msg))
		call(w.atPanic, gp)
	})
	w.s.Tap(w.before)
	return w
}

// before sees each call before it is made.
func (w *world) before(c gmp.Call) (made bool) {
	gp := check.Arg[*gmp.G](c)
	switch c.Method {
	case "Schedule":
		return false
	case "Ready":
		call(w.atReady, gp)
	case "GoschedImpl":
		w.yields = append(w.yields, gp)
		if check.Arg[bool](c) {
			w.t.Errorf("GoschedImpl is told that %s was preempted; it yields of its own accord", check.Name(gp))
		}
		call(w.atYield, gp)
	case "Gopark":
		reason := check.Arg[gmp.WaitReason](c)
		w.parks = append(w.parks, park{gp, reason})
		call(w.atPark, gp)
	case "SemaQueue":
		w.wantLocked(c)
		if sg := check.Arg[*gmp.Sudog](c); sg.G.Get() == nil {
			w.t.Errorf("Semacquire1 queues a sudog without a G: the M that takes it does not know which G to wake")
		}
	case "SemaDequeue":
		w.wantLocked(c)
		if w.atDequeue != nil {
			w.atDequeue()
		}
	case "AcquireSudog":
		w.lent++
	case "ReleaseSudog":
		w.lent--
	}
	return true
}

// wantLocked checks that the root with which a method is called is locked.
func (w *world) wantLocked(c gmp.Call) {
	if root := check.Arg[*gmp.SemaRoot](c); root != nil && !check.Held(&root.Lock) && !w.bare {
		w.t.Errorf("%s is called while the root is not locked: two Ms that change its tree at the same time destroy it", c.Method)
	}
}

func call(at func(gp *gmp.G), gp *gmp.G) {
	if at != nil {
		at(gp)
	}
}

// wantCont checks, when gp parks, that it says what it has left to do.
func (w *world) wantCont(gp *gmp.G) {
	w.t.Helper()
	if gp.Cont.Get() == nil {
		w.t.Fatalf("%s parks in the middle of an operation, but its Cont is nil; it must say what is left to do before the G can be woken", check.Name(gp))
	}
}

// The stack of a G made by hand, from its high end: the block of arguments of the
// operation under way, and below it places for values.
const (
	argsBelow  = 64
	slotsBelow = 512
	spBelow    = 640
	unwritten  = 0x5eed // what stands where a result will be
)

// newG makes a G that can run but does not: Grunnable, on no queue.
func (w *world) newG() *gmp.G { return check.NewGWithStack(w.s, spBelow, argsBelow) }

// as calls do while gp is the current G, which it begins and ends by hand. It
// reports whether gp goes on; if not, it waits.
func (w *world) as(gp *gmp.G, do func()) (goesOn bool) {
	w.t.Helper()
	mp := w.mp
	w.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	do()
	if mp.Curg.Get() != gp {
		return false
	}
	gp.M.Set(nil)
	mp.Curg.Set(nil)
	w.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	return true
}

// resume does with gp, which was made ready, what scheduler and router do: it
// leaves the run queue and does what it left to do.
func (w *world) resume(gp *gmp.G) (goesOn bool) {
	w.t.Helper()
	if !w.runnable(gp) {
		w.t.Fatalf("%s was not made ready", check.Name(gp))
	}
	return w.goOn(gp)
}

// goOn is resume for a G that was taken off the run queue.
func (w *world) goOn(gp *gmp.G) (goesOn bool) {
	w.t.Helper()
	cont := gp.Cont.Get()
	if cont == nil {
		w.t.Fatalf("%s was woken in the middle of an operation, but its Cont is nil; it must be set before the G parks", check.Name(gp))
	}
	gp.Cont.Set(nil)
	return w.as(gp, func() { cont(w.s, w.mp, gp) })
}

// runnable takes all Gs off the run queue and reports whether gp was one.
func (w *world) runnable(gp *gmp.G) (found bool) {
	for _, other := range check.Drain(w.s) {
		found = found || other == gp
	}
	return found
}

// result is word i of the block of arguments of gp.
func (w *world) result(gp *gmp.G, i int) int64 {
	return int64(w.s.Machine.Word(gp.Sched.Args + machine.Addr(8*i)))
}

func (w *world) setArg(gp *gmp.G, i int, v uint64) {
	w.s.Machine.SetWord(gp.Sched.Args+machine.Addr(8*i), v)
}

// slot is place i for a value on the stack of gp.
func slot(gp *gmp.G, i int) machine.Addr { return gp.Stack.Get().Hi - slotsBelow + machine.Addr(8*i) }

// chans makes n channels of int with a buffer of size.
func (w *world) chans(n int, size int64) []*gmp.Hchan {
	elem := &machine.Type{Name: "int", Kind: machine.KindInt, Size: 8}
	list := make([]*gmp.Hchan, n)
	for i := range list {
		list[i] = w.s.NewHchan(w.mp, elem, size)
	}
	return list
}

// move moves the stack of gp to one of twice the size.
func (w *world) move(gp *gmp.G) {
	w.s.Copystack(gp, 2*uint64(gp.Stack.Get().Hi-gp.Stack.Get().Lo))
}
