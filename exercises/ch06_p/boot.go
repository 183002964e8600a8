// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

package ch06

import "gosched/chapters/gmp"

// maxThreads is how many Ms a program may have. The runtime's sched.maxmcount.
const maxThreads = 10_000

// boot begins and ends a program.
type boot struct {
	s *gmp.Sched
}

// NewBoot makes the Boot of s.
func NewBoot(s *gmp.Sched) gmp.Boot { return &boot{s: s} }

// Schedinit prepares s before the first G exists, whatever s held before: at
// most 10,000 Ms (Maxmcount), an empty global queue (Runq), empty free lists
// (GFree), and Goids from 1 (Goidgen). It then makes the main goroutine, which
// runs s.Mainfn, by Newproc: the order of the runtime's bootstrap, osinit,
// schedinit, newproc(main), mstart.
//
// From chapter 6 on it first makes the Ps, as many as s.StartingProcs says, by
// Procresize with s.Lock held; throws "unknown runnable goroutine during bootstrap"
// if that returns a P with work. s.Lastpoll is the time and not 0, since no M waits
// for the network yet.
//
// The runtime's schedinit; there the assembly in rt0_go calls newproc.
func (p *boot) Schedinit(mp *gmp.M) {
	// Holds: When the main goroutine is made, mp has a P on which it can be
	//        queued.
	panic(gmp.TODO("Schedinit"))
}

// MainExit ends the program after main.main has returned on gp: it runs
// Exithooks, the last one added first, and calls Sched.Exit(mp, 0). A hook is
// off the list before it runs, so that none runs twice if a hook ends the
// program itself. It does not wait for the other Gs; they simply never run
// again.
//
// The end of the runtime's main.
func (p *boot) MainExit(mp *gmp.M, gp *gmp.G) {
	// Holds: The hooks have run when the program ends, and it waits for no G.
	panic(gmp.TODO("MainExit"))
}
