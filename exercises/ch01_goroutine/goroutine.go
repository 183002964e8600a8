// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch01

// Package ch01 is the life of a goroutine: how it is made, which states it goes
// through, and how what is left of a dead one serves again.
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

// Newproc1 makes a runnable G for the closure fn. callergp, which may be nil,
// executed the go statement, at callerpc.
func (p *goroutines) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	// 1. Refuse a nil fn, before anything is taken for it.
	// 2. Get a dead G: from the free list, or a new one. A new one becomes
	//    Gdead before it enters the list of all, where others may find it.
	// 3. Give it a clean context: the stack pointer at the top of its stack,
	//    the guard StackGuard above the low end, the pc at goexit. Then let
	//    Gostartcall put fn on top of that.
	// 4. Note what it runs and who created it where. The main goroutine has no
	//    creator: its G may be a reused one, so say so.
	// 5. Give it the next Goid. Only then is it runnable: whoever sees it
	//    runnable sees all of it.
	panic(gmp.TODO("Newproc1"))
}

// Goexit0 ends gp, the current G of mp, and schedules.
func (p *goroutines) Goexit0(mp *gmp.M, gp *gmp.G) {
	// 1. gp is dead.
	// 2. It forgets what it was about. Look through the fields of gmp.G: what
	//    may a next life not find, and what would keep memory alive? Stack,
	//    Atomicstatus and Alllink stay: they belong to the G.
	// 3. mp lets go of it (Dropg), before anyone else can have it.
	// 4. It goes to the free list, and mp schedules.
	panic(gmp.TODO("Goexit0"))
}
