package gmp

import "gosched/chapters/machine"

// The fields of these types lie close together in memory, so that a CPU that takes one of
// them from another CPU's cache takes its neighbours as well. On simulated CPUs that
// counts: a G that moves to another M costs a miss or two, and not one for each field.
// Variables that several CPUs fight for without a lock have lines of their own.

func (gp *G) together() {
	machine.Together(&gp.Atomicstatus, &gp.Stack, &gp.Goid, &gp.Schedlink, &gp.M, &gp.Lockedm, &gp.Startfn, &gp.Gopc, &gp.Parentgoid)
	machine.Together(&gp.Waitreason, &gp.Waitsince, &gp.Cont, &gp.Waiting, &gp.Param, &gp.Success, &gp.Selects, &gp.Timer)
}

func (mp *M) together() {
	machine.Together(&mp.Curg, &mp.P, &mp.Spinning, &mp.Locks, &mp.Sudogcache, &mp.Schedtick, &mp.Fastrand, &mp.Lockedg)
	machine.Together(&mp.Nextp, &mp.Nextg, &mp.Oldp, &mp.Mstartfn, &mp.Schedlink)
}

func (pp *P) together() {
	machine.Together(&pp.Status, &pp.Link, &pp.M, &pp.Schedtick, &pp.Syscalltick, &pp.GFree, &pp.Sudogcache, &pp.Preempt)
}

func (c *Hchan) together() {
	machine.Together(&c.Lock, &c.Qcount, &c.Sendx, &c.Recvx, &c.Closed)
	machine.Together(&c.Recvq.First, &c.Recvq.Last, &c.Sendq.First, &c.Sendq.Last)
}

// together groups what Lock and its neighbours protect. The locks themselves are fought
// for and lie apart.
func (s *Sched) together() {
	machine.Together(&s.Runq, &s.Midle, &s.Nmidle, &s.Nmidlelocked, &s.Mnext, &s.Maxmcount, &s.Nmsys, &s.Nmfreed)
	machine.Together(&s.Pidle, &s.Mcpu, &s.Mcpumax)
	machine.Together(&s.Allp, &s.Gomaxprocs)
	machine.Together(&s.GFree.Stack, &s.GFree.NoStack, &s.GFree.N)
	machine.Together(&s.Allgs, &s.Allglast, &s.Allglen)
}
