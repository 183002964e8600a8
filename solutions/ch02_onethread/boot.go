package ch02

import "gosched/chapters/gmp"

// boot begins and ends a program. When Schedinit runs, nothing else does, so it
// needs no lock.
type boot struct {
	s *gmp.Sched
}

// NewBoot makes the Boot of s.
func NewBoot(s *gmp.Sched) gmp.Boot { return &boot{s: s} }

// maxThreads is how many Ms there may be, unless a program says otherwise.
//
//course:omit
const maxThreads = 10000

// Schedinit prepares s and makes the main goroutine. It does not run it: that is
// left to Schedule, which the router calls next.
//
//course:exercise
func (p *boot) Schedinit(mp *gmp.M) {
	//course:holds When it returns there is one G, the main goroutine, number 1, runnable and queued; and nothing has run.
	//course:step The limit on Ms.
	s := p.s
	s.Maxmcount.Set(maxThreads)
	//course:step Nothing is queued, nothing is on a free list, no Goid is given out.
	s.Runq.Set(gmp.GQueue{})
	s.GFree.Stack.Set(gmp.GList{})
	s.GFree.NoStack.Set(gmp.GList{})
	s.GFree.N.Set(0)
	s.Goidgen.Store(0)
	//course:step The first go statement of all: that of the main goroutine.
	s.Newproc(mp, s.Mainfn)
}

// MainExit ends the program. The other Gs stay where they are, on the queue or
// asleep; no M will ever schedule again.
//
//course:exercise
func (p *boot) MainExit(mp *gmp.M, gp *gmp.G) {
	//course:holds Each hook runs once, whatever a hook does.
	//course:question A hook calls os.Exit, which also runs the hooks. What does it find on the list?
	//course:step Run the exit hooks, the last one first. Each is off the list before it runs, so that none runs twice.
	s := p.s
	for n := len(s.Exithooks.Get()); n > 0; n = len(s.Exithooks.Get()) {
		hook := s.Exithooks.Get()[n-1]
		s.Exithooks.Set(s.Exithooks.Get()[:n-1])
		hook()
	}
	//course:step Main's return is a success, whatever the others are doing.
	s.Exit(mp, 0)
}
