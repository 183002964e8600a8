package gmp

import "gosched/chapters/machine"

// What lies on one cache line. A CPU that takes a field from another CPU's cache takes
// its neighbours as well, and simulated CPUs count that: a G that moves to another M
// costs a few misses, not one for each field. The lines are those of the runtime of Go
// 1.26 on a computer of 64 bits (runtime2.go, chan.go, time.go, sema.go), without the
// fields that nobody uses here. A field that the runtime does not have, or no longer has,
// lies with those that are used together with it. So it also counts where the runtime
// lets variables share a line that different CPUs write, such as both ends of a P's run
// queue.

func (gp *G) together(locks bool) {
	if locks { // beside M, as in Go 1.1
		machine.Together(&gp.Stack, &gp.M, &gp.Lockedm, &gp.Cont)
	} else {
		machine.Together(&gp.Stack, &gp.M, &gp.Cont)
	}
	machine.Together(&gp.SyscallPC, &gp.SyscallSP)
	machine.Together(&gp.Atomicstatus, &gp.Goid, &gp.Schedlink, &gp.Waitsince, &gp.Waitreason, &gp.Param, &gp.Success,
		&gp.Preempt, &gp.PreemptStop, &gp.PreemptShrink, &gp.AsyncSafe)
	machine.Together(&gp.Parentgoid, &gp.Gopc, &gp.Startfn)
	machine.Together(&gp.Waiting, &gp.Selects, &gp.SelectDone, &gp.Timer, &gp.SleepWhen)
}

func (mp *M) together() {
	machine.Together(&mp.Mstartfn, &mp.Curg)
	machine.Together(&mp.P, &mp.Nextp, &mp.Nextg, &mp.Oldp)
	machine.Together(&mp.Locks, &mp.Spinning, &mp.Dying, &mp.Helpgc)
	machine.Together(&mp.Park, &mp.Alllink, &mp.Schedlink)
	machine.Together(&mp.Lockedg, &mp.LockedExt, &mp.Sudogcache)
	machine.Together(&mp.Syscalltick, &mp.Schedtick)
	machine.Together(&mp.SignalPending, &mp.PreemptGen)
}

func (pp *P) together() {
	if !machine.Simulated() { // to list the slots costs more than making a P
		return
	}
	machine.Together(&pp.Status, &pp.Link, &pp.Schedtick, &pp.Syscalltick, &pp.Sysmontick, &pp.M)

	// Five slots of the ring lie behind its two ends, then there are eight to a line.
	line := []machine.Shared{&pp.Runqhead, &pp.Runqtail}
	room := 5
	for i := range pp.Runq {
		if room == 0 {
			machine.Together(line...)
			line, room = nil, 8
		}
		line = append(line, &pp.Runq[i])
		room--
	}
	machine.Together(line...)

	machine.Together(&pp.Runnext, &pp.GFree, &pp.Sudogcache)
	pp.Timers.together()
	machine.Together(&pp.GcMarkWorkerMode, &pp.GcMarkWorkerStartTime, &pp.GcFractionalMarkTime, &pp.Preempt, &pp.GcStopTime)
}

// A sudog has a line for what is used on a channel's queue, and one for what is not.
func (sg *Sudog) together() {
	machine.Together(&sg.G, &sg.Next, &sg.Prev, &sg.Elem, &sg.Acquire, &sg.Ticket, &sg.IsSelect, &sg.Success, &sg.Waiters, &sg.Case)
	machine.Together(&sg.Parent, &sg.Waitlink, &sg.Waittail, &sg.C)
}

func (c *Hchan) together() {
	machine.Together(&c.Qcount, &c.Closed, &c.Sendx, &c.Recvx)
	machine.Together(&c.Lock, &c.Recvq.First, &c.Recvq.Last, &c.Sendq.First, &c.Sendq.Last)
}

func (root *SemaRoot) together() {
	machine.Together(&root.Lock, &root.Treap, &root.Nwait, &root.List.First, &root.List.Last)
}

func (l *NotifyList) together() {
	machine.Together(&l.Lock, &l.Wait, &l.Notify, &l.Head, &l.Tail)
}

func (t *Timer) together() {
	machine.Together(&t.Mu, &t.When, &t.Period, &t.State, &t.Astate, &t.Ts, &t.Blocked)
	machine.Together(&t.SendLock, &t.Seq, &t.IsSending)
}

// A PollDesc has its two ends and what is read without the lock together.
func (pd *PollDesc) together() {
	machine.Together(&pd.Link, &pd.FD, &pd.Fdseq, &pd.PollInfo, &pd.Rg, &pd.Wg)
	machine.Together(&pd.Lock, &pd.Closing, &pd.Rd, &pd.Wd, &pd.Rt, &pd.Wt)
}

func (l *TimerList) together() {
	machine.Together(&l.Mu, &l.Heap, &l.Len, &l.MinWhenHeap, &l.MinWhenModified, &l.Zombies)
}

// The lines of sched depend on where the linker puts it: here it begins in the middle of
// a line, as it does in the programs that we looked at. Go 1.0, which has no Ps, has a
// smaller one, in which the queue lies beside the lock.
func (s *Sched) together() {
	if s.run.version.Procs == nil {
		machine.Together(&s.Lock, &s.Goidgen, &s.Runq, &s.Runqsize, &s.Midle)
		machine.Together(&s.Nmidle, &s.Nmidlelocked, &s.Mnext, &s.Maxmcount, &s.Mcpu, &s.Mcpumax)
	} else {
		machine.Together(&s.Goidgen, &s.Lastpoll, &s.PollUntil)
		machine.Together(&s.Lock, &s.Midle, &s.Nmidle, &s.Nmidlelocked, &s.Mnext, &s.Maxmcount, &s.Nmsys, &s.Nmfreed)
		machine.Together(&s.Ngsys, &s.Pidle, &s.Npidle, &s.Nmspinning, &s.Needspinning, &s.Runq, &s.Runqsize)
	}
	machine.Together(&s.GFree.Lock, &s.GFree.Stack, &s.GFree.NoStack, &s.GFree.N)
	machine.Together(&s.Sudoglock, &s.Sudogcache, &s.Gcwaiting, &s.Stopwait, &s.Stopnote, &s.Sysmonwait, &s.Sysmonnote)
	machine.Together(&s.Worldlock, &s.Worldsema, &s.Worldqueue)
	machine.Together(&s.SafePointFn, &s.SafePointWait, &s.SafePointNote)
	machine.Together(&s.Allp, &s.Gomaxprocs, &s.Idlepmask, &s.Timerpmask)
	machine.Together(&s.Allgs, &s.Allglast, &s.Allglen)
	s.Timerlist.together()
	for i := range s.SemTable {
		s.SemTable[i].together()
	}
}
