// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch01

// Package ch01 is the life of a goroutine: how it is made, which states it goes
// through, and how what is left of a dead one is used again.
package ch01

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts that this chapter implements.
var Parts = gmp.Version{
	Goroutines: NewGoroutines,
	Statuses:   NewStatuses,
	Freelists:  NewFreelists,
}

// goroutines makes Gs and ends them.
type goroutines struct{ s *gmp.Sched }

// NewGoroutines makes the part; it only stores s.
func NewGoroutines(s *gmp.Sched) gmp.Goroutines { return &goroutines{s: s} }

// Newproc1 makes a G that will run the closure fn, and returns it in state
// Grunnable; the caller puts it on a queue. callergp executed the go statement,
// and callerpc is the pc after it. The main goroutine has no creator, and
// neither has one that a timer starts: callergp is then nil, and Gopc and
// Parentgoid are 0. Startfn is fn. Throws "go of nil func value" if fn is 0.
//
// The G comes from Gfget; if that has none, from Sched.Malg, with a stack of
// StartingStack bytes, and then it becomes Gdead before Sched.Allgadd puts it
// on the list of all Gs. It gets the next Goid, counting from 1.
//
// Its saved context, G.Sched, is new, with nothing left in it of a former life:
// it is as if runtime.goexit, whose pc is Sched.Program().Goexit, had called fn
// on the empty stack and fn had not yet run its first instruction, so that fn
// returns to goexit; see Sched.Gostartcall. The guard is StackGuard bytes above
// the low end of the stack.
//
// It becomes Grunnable last: other Ms look at the runnable Gs on the list of
// all Gs, and an M that finds it in that state finds all of it.
//
// The runtime's newproc1.
func (p *goroutines) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	// Holds: An M that finds the G runnable finds all of it, and nothing of a
	//        former life.
	// Question: The list of all Gs is public. When can another M find this G
	//           there, and what tells that M that it may look?
	panic(gmp.TODO("Newproc1"))
}

// Goexit0 ends gp, which runs on mp and has left its last function: gp becomes
// Gdead and forgets what its life was about, mp and gp let go of each other
// (Sched.Dropg), gp goes to the free list by Gfput, and mp schedules. As long as
// gp is Grunning it is linked to mp (see Execute); as soon as it is on the free
// list, another M may give it its next life, so nothing of it may be touched any
// more.
//
// What it forgets: Lockedm, Waitreason, Cont, Waiting, Param, Success, Selects,
// Preempt, PreemptStop, AsyncSafe and Timer; and mp forgets Lockedg. Stack and
// Alllink belong to the G and stay; the next life sets anew, or does not need,
// whatever is not named here.
//
// The runtime's goexit0, with gdestroy.
func (p *goroutines) Goexit0(mp *gmp.M, gp *gmp.G) {
	// Holds: As long as gp counts as running it is linked to its M; from the
	//        moment when it can be taken from the free list, no M has anything
	//        more to do with it.
	// Question: After which of the steps can another M have gp? What is left
	//           for you to do then, and with what?
	panic(gmp.TODO("Goexit0"))
}
