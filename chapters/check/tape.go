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
	G      *gmp.G // the first argument that is a G; nil if there is none
	Status uint32 // of G
	M      *gmp.M // of G
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

// Linked reports whether G and its M pointed to each other, and still do.
func (c Call) Linked() bool { return c.M != nil && c.M.Curg == c.G }

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
		c := Call{Call: call, Queued: s.Runq.Size, Nmidle: s.Nmidle}
		for _, arg := range call.Args {
			if gp, ok := arg.(*gmp.G); ok && gp != nil {
				c.G, c.M, c.Status = gp, gp.M, gp.Atomicstatus.Load()
				break
			}
		}
		if !tp.Off {
			c.Locked = Held(tp.Lock)
			tp.Calls = append(tp.Calls, c)
		}
		return tp.Before == nil || tp.Before(&c)
	})
	return tp
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

// NewG makes a G in state st, with the next number. It is in the list of all Gs and on
// no queue, and has no stack: nobody runs it.
func NewG(s *gmp.Sched, st uint32) *gmp.G {
	gp := s.Malg(0)
	gp.Goid = s.Goidgen.Add(1)
	gp.Atomicstatus.Store(st)
	s.Allgadd(gp)
	return gp
}

// Running makes gp the current G of mp.
func Running(mp *gmp.M, gp *gmp.G) {
	gp.Atomicstatus.Store(gmp.Grunning)
	gp.M, mp.Curg = mp, gp
}

// Drain takes all Gs off the global queue of s, at most a hundred.
func Drain(s *gmp.Sched) []*gmp.G {
	var gs []*gmp.G
	s.Lock.Lock()
	for gp := s.Globrunqget(); gp != nil && len(gs) < 100; gp = s.Globrunqget() {
		gs = append(gs, gp)
	}
	s.Lock.Unlock()
	return gs
}
