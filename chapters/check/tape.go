package check

import (
	"fmt"
	"slices"

	"gosched/chapters/gmp"
)

// A Tape notes the calls that are made through a Sched, in order: by its parts, and by
// the check itself. It is for one thread.
type Tape struct {
	// Parts are those of the Sched as they were: a call of them is not noted, but what
	// they call is.
	gmp.Parts
	// Calls are those so far. A check may clear them.
	Calls []Call
	// Before, if it is set, is asked before each call, which is noted already, whether
	// it shall be made; else the results are zero.
	Before func(c *Call) bool
	// Lock is what Call.Locked looks at: the Sched's.
	Lock Lock
	// Off lets nothing be noted, and the Lock untouched; Before is asked all the same.
	Off bool
}

// A Lock is one of which can be told whether it is held.
type Lock interface {
	TryLock() bool
	Unlock()
}

// A Call is a call of a method, and how things were when it began.
type Call struct {
	gmp.Call
	G      *gmp.G // the first argument that is a G, or the head of one that is a queue; nil if there is none
	Status uint32 // of G
	Free   bool   // G pointed to no M, and none that NewM has made to it
	On     bool   // G pointed to an M, and that M to G
	Linked bool   // G's Schedlink led to another G
	Locked bool   // the Tape's lock was held
	Queued int32  // Gs on the global queue
	Nmidle int32  // idle Ms
}

// String is the method with the G that it is about: "Execute(G3)".
func (c Call) String() string {
	if c.G == nil {
		return c.Method
	}
	return fmt.Sprintf("%s(%s)", c.Method, Name(c.G))
}

// Arg returns the last argument of a call that is an A, such as Execute's inheritTime
// or Gopark's reason.
func Arg[A any](c gmp.Call) (arg A) {
	for _, a := range c.Args {
		if found, ok := a.(A); ok {
			arg = found
		}
	}
	return arg
}

// NewTape puts a tape into s, on which nothing has run yet.
func NewTape(s *gmp.Sched) *Tape {
	tp := &Tape{Lock: &s.Lock}
	tp.Parts = s.Tap(func(call gmp.Call) bool {
		c := Call{Call: call, Queued: s.Runq.Get().Size, Nmidle: s.Nmidle.Get()}
		if gp := firstG(call); gp != nil {
			c.G, c.Status, c.Free, c.Linked = gp, gp.Atomicstatus.Load(), free(s, gp), gp.Schedlink.Peek() != nil
			mp := gp.M.Get()
			c.On = mp != nil && mp.Curg.Get() == gp
		}
		if !tp.Off {
			c.Locked = Held(tp.Lock)
			tp.Calls = append(tp.Calls, c)
		}
		return tp.Before == nil || tp.Before(&c)
	})
	return tp
}

// firstG is what a call is about.
func firstG(call gmp.Call) *gmp.G {
	for _, arg := range call.Args {
		switch arg := arg.(type) {
		case *gmp.G:
			if arg != nil {
				return arg
			}
		case gmp.GQueue:
			return arg.Head
		}
	}
	return nil
}

// free is Call.Free.
func free(s *gmp.Sched, gp *gmp.G) bool {
	for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Get() {
		if mp.Curg.Get() == gp {
			return false
		}
	}
	return gp.M.Get() == nil
}

// Of returns the calls of some methods, in order.
func (tp *Tape) Of(methods ...string) []Call {
	var found []Call
	for _, c := range tp.Calls {
		if slices.Contains(methods, c.Method) {
			found = append(found, c)
		}
	}
	return found
}

// A Start is a call of Newm.
type Start struct {
	Fn func(mp *gmp.M)
	P  *gmp.P
	ID int64
}

// Started returns the calls of Newm, in order.
func (tp *Tape) Started() []Start {
	var starts []Start
	for _, c := range tp.Of("Newm") {
		starts = append(starts, Start{Arg[func(mp *gmp.M)](c.Call), Arg[*gmp.P](c.Call), Arg[int64](c.Call)})
	}
	return starts
}

// WantLocked checks that s.Lock, which must be the Tape's, was held in each call of a
// method that who made; the check ends if it was not.
func (tp *Tape) WantLocked(t *T, who, method string) {
	t.Helper()
	for _, c := range tp.Of(method) {
		if !c.Locked {
			t.Fatalf("%s called %s without s.Lock", who, method)
		}
	}
}

// WantLinkedUntil checks that who, which makes gp leave its M, has left the two linked as long
// as gp's state said that it runs.
func (tp *Tape) WantLinkedUntil(t *T, who string, gp *gmp.G) {
	t.Helper()
	for _, c := range tp.Of("Casgstatus") {
		if c.G == gp && c.Status&^gmp.Gscan == gmp.Grunning && !c.On {
			t.Errorf("%s changes the state of %s when %s and its M have already let go of each other: until then its state says that it runs, and an M that wants to stop it would not find out where", who, Name(gp), Name(gp))
		}
	}
}

// Acquisitions is T.Acquisitions, with the Tape off: to see whether a lock is held it is
// tried, and that would count.
func (tp *Tape) Acquisitions(t *T, fn func()) int64 {
	t.Helper()
	tp.Off = true
	defer func() { tp.Off = false }()
	return t.Acquisitions(fn)
}
