package gmp

import "fmt"

// This file is what the watcher knows of system calls and of locked threads. While an M is
// in a call its P has no owner: it belongs to whoever wins it.

const (
	ruleInCall = "an M in a system call has its G, and no P of its own"
	ruleLocked = "a locked G runs on its own M only, and that M runs no other G"
)

type checkedSyscalls struct {
	Syscalls
	w *watcher
}

// disown notes that mp's P may be taken from now on.
func (c *checkedSyscalls) disown(mp *M, gp *G, who string) {
	c.w.status(who, gp, Grunning)
	if mp.Curg.Get() != gp || mp.P.Get() == nil {
		c.w.breach(ruleInCall, "%s: M%d, which has P %s, is not running G%d", who, mp.ID, pname(mp.P.Get()), gp.Goid.Get())
	}
	c.w.mu.Lock()
	delete(c.w.owner, mp.P.Get())
	c.w.mu.Unlock()
	c.w.seen(gp, inCall)
}

// entered checks how mp and gp are in the kernel.
func (c *checkedSyscalls) entered(mp *M, gp *G, who string) {
	c.w.status("after "+who, gp, Gsyscall)
	if mp.Curg.Get() != gp {
		c.w.breach(ruleInCall, "after %s of G%d on M%d mp.Curg is not that G", who, gp.Goid.Get(), mp.ID)
	}
	if c.w.s.since(26) {
		return // mp.P belongs to whoever takes the P
	}
	if pp := mp.P.Get(); pp != nil {
		c.w.breach(ruleInCall, "after %s of G%d M%d still holds P %d", who, gp.Goid.Get(), mp.ID, pp.ID)
	}
}

func (c *checkedSyscalls) Entersyscall(mp *M, gp *G) {
	if c.w.s.run.version.Procs != nil {
		c.disown(mp, gp, "Entersyscall")
	} else {
		c.w.seen(gp, inCall)
	}
	c.Syscalls.Entersyscall(mp, gp)
	c.entered(mp, gp, "Entersyscall")
}

func (c *checkedSyscalls) Entersyscallblock(mp *M, gp *G) {
	c.w.status("Entersyscallblock", gp, Grunning)
	c.w.seen(gp, inCall)
	c.Syscalls.Entersyscallblock(mp, gp)
	c.entered(mp, gp, "Entersyscallblock")
}

// Exitsyscall may end with another G on mp: then that one's owner was noted on the way.
func (c *checkedSyscalls) Exitsyscall(mp *M, gp *G) {
	c.w.status("Exitsyscall", gp, Gsyscall)
	if c.w.s.run.version.Procs == nil {
		c.w.seen(gp, nowhere)
	}
	c.Syscalls.Exitsyscall(mp, gp)
	if mp.Curg.Get() == gp {
		c.w.status("after Exitsyscall", gp, Grunning)
		c.w.seen(gp, onM)
	}
	if pp := mp.P.Get(); pp != nil && !mp.Gone {
		c.w.own(mp, pp, "Exitsyscall")
	}
}

func (c *checkedSyscalls) ExitsyscallNoP(mp *M, gp *G) {
	c.w.seen(gp, nowhere)
	c.Syscalls.ExitsyscallNoP(mp, gp)
}

func (c *checkedSyscalls) Handoffp(mp *M, pp *P) {
	if got := pp.Status.Load(); got != Pidle || pp.M.Look() != nil {
		c.w.breach(ruleOneP, "Handoffp of P %d, which is in state %d and has M %s; it must be Pidle and without one", pp.ID, got, mname(pp.M.Look()))
	}
	c.Syscalls.Handoffp(mp, pp)
}

// own notes that mp has pp, which must not belong to another M.
func (w *watcher) own(mp *M, pp *P, who string) {
	w.mu.Lock()
	owner := w.owner[pp]
	if owner == nil {
		w.owner[pp] = mp
	}
	w.mu.Unlock()
	if owner != nil && owner != mp {
		w.breach(ruleOneP, "%s gives M%d the P %d, which M%d has", who, mp.ID, pp.ID, owner.ID)
	}
}

// gname is how reports name a G.
func gname(gp *G) string {
	if gp == nil {
		return "none"
	}
	return fmt.Sprintf("G%d", gp.Goid.Get())
}

// mname is how reports name an M.
func mname(mp *M) string {
	if mp == nil {
		return "none"
	}
	return fmt.Sprintf("M%d", mp.ID)
}
