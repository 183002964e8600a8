// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch02

package ch02

import "gosched/chapters/gmp"

// boot begins and ends a program. When Schedinit runs, nothing else does, so it
// needs no lock.
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
// The runtime's schedinit; there the assembly in rt0_go calls newproc.
func (p *boot) Schedinit(mp *gmp.M) {
	// Holds: When it returns there is one G, the main goroutine, number 1,
	//        runnable and queued; and nothing has run.
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
	// Holds: Each hook runs once, whatever a hook does.
	// Question: A hook calls os.Exit, which also runs the hooks. What does it
	//           find on the list?
	panic(gmp.TODO("MainExit"))
}
