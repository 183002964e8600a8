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

// Schedinit prepares s and makes the main goroutine. mp is the only M, so nothing
// could race here; the lock is held where a contract asks for it.
//
//course:exercise
func (p *boot) Schedinit(mp *gmp.M) {
	//course:holds When the main goroutine is made, mp has a P on which it can be queued.
	s := p.s
	//course:step The limit on Ms, Goids from 1, and empty lists, as in chapter 2.
	s.Maxmcount.Set(maxThreads)
	s.Goidgen.Store(0)
	emptyLists(s)
	//course:step No M polls the network yet: Lastpoll is the time, and not 0.
	s.Lastpoll.Store(max(s.Nanotime(), 1))
	//course:step Make as many Ps as s.StartingProcs says. mp takes the first; the others are idle.
	s.Lock.Lock()
	if s.Procresize(mp, int32(s.StartingProcs())) != nil {
		s.Throw("unknown runnable goroutine during bootstrap")
	}
	s.Lock.Unlock()
	//course:step Only now is there a queue for it: the main goroutine.
	s.Newproc(mp, s.Mainfn)
}

// emptyLists empties everything that is shared.
//
//course:omit
func emptyLists(s *gmp.Sched) {
	s.Runq.Set(gmp.GQueue{})
	s.GFree.Stack.Set(gmp.GList{})
	s.GFree.NoStack.Set(gmp.GList{})
	s.GFree.N.Set(0)
}

// MainExit ends the program, whatever other Ms are doing.
//
//course:exercise
func (p *boot) MainExit(mp *gmp.M, gp *gmp.G) {
	//course:holds The hooks have run when the program ends, and it waits for no G.
	//course:step The exit hooks (Sched.RunExithooks), and then the end, with success.
	p.s.RunExithooks()
	p.s.Exit(mp, 0)
}
