package gmp

import "fmt"

// This file is what the watcher knows of Ps. A G is noted as queued before it can be
// taken, and as taken when somebody has it: so what is noted is right, in whatever
// order Ms come by.

// pname is how reports name a P.
func pname(pp *P) string {
	if pp == nil {
		return "none"
	}
	return fmt.Sprint(pp.ID)
}

type checkedProcs struct {
	Procs
	w *watcher
}

func (c *checkedProcs) Acquirep(mp *M, pp *P) {
	c.w.mu.Lock()
	owner := c.w.owner[pp]
	if owner == nil {
		c.w.owner[pp] = mp
	}
	c.w.mu.Unlock()
	if owner != nil {
		c.w.breach(ruleOneP, "Acquirep gives M%d the P %d, which M%d has", mp.ID, pp.ID, owner.ID)
	}
	c.Procs.Acquirep(mp, pp)
	if mp.P.Get() != pp || pp.M.Get() != mp || pp.Status.Load() != Prunning {
		c.w.breach(ruleOneP, "after Acquirep of P %d by M%d, mp.P or pp.M is not set, or the P is not Prunning", pp.ID, mp.ID)
	}
}

// Wirep is the first step of Acquirep, and the only one of an M that finds the P that it had
// before a system call.
func (c *checkedProcs) Wirep(mp *M, pp *P) {
	c.w.own(mp, pp, "Wirep")
	c.Procs.Wirep(mp, pp)
}

func (c *checkedProcs) Releasep(mp *M) *P {
	had := mp.P.Get()
	pp := c.Procs.Releasep(mp)
	if pp == nil || pp != had || mp.P.Get() != nil || pp.M.Get() != nil {
		c.w.breach(ruleOneP, "Releasep of M%d, which had P %s, returned P %s; mp.P and pp.M must be nil afterwards", mp.ID, pname(had), pname(pp))
	}
	c.w.mu.Lock()
	delete(c.w.owner, pp)
	c.w.mu.Unlock()
	return pp
}

// Procresize may take mp's P away, and then gives it another one.
func (c *checkedProcs) Procresize(mp *M, nprocs int32) *P {
	c.w.mu.Lock()
	delete(c.w.owner, mp.P.Get())
	c.w.mu.Unlock()
	c.w.resizing = true
	runnable := c.Procs.Procresize(mp, nprocs)
	c.w.resizing = false
	pp := mp.P.Get()
	if pp == nil || pp.M.Get() != mp || pp.Status.Load() != Prunning || pp.ID >= nprocs {
		c.w.breach(ruleOneP, "after Procresize to %d Ps by M%d, which has P %s, mp.P or pp.M is not set, or the P is not Prunning, or is one that must go", nprocs, mp.ID, pname(pp))
	}
	there := map[*P]bool{pp: true}
	for _, list := range []*P{c.w.s.Pidle.Get(), runnable} {
		for pp := list; pp != nil && !there[pp]; pp = pp.Link.Get() {
			there[pp] = true
		}
	}
	if len(there) != int(nprocs) {
		c.w.breach("a P is held by an M, idle, or dead", "after Procresize to %d Ps M%d has one, and %d are on the list of idle ones or on the returned list of those with work; together that is not %d", nprocs, mp.ID, len(there)-1, nprocs)
	}
	c.w.mu.Lock()
	c.w.owner[pp] = mp
	c.w.mu.Unlock()
	return runnable
}

func (c *checkedProcs) Pidleput(pp *P, now int64) int64 {
	for idle := c.w.s.Pidle.Get(); idle != nil; idle = idle.Link.Get() {
		if idle == pp {
			c.w.breach(ruleOneP, "Pidleput of P %d, which is already on the list of idle Ps", pp.ID)
		}
	}
	if pp.M.Get() != nil {
		c.w.breach(ruleOneP, "Pidleput of P %d, which M%d has", pp.ID, pp.M.Get().ID)
	}
	return c.Procs.Pidleput(pp, now)
}

type checkedThreads struct {
	Threads
	w *watcher
}

func (c *checkedThreads) MPark(mp *M) {
	if mp.P.Get() != nil {
		c.w.breach("an M that sleeps has no P", "M%d goes to sleep with P %d", mp.ID, mp.P.Get().ID)
	}
	c.Threads.MPark(mp)
}

type checkedRunQueue struct {
	RunQueue
	w *watcher
}

func (c *checkedRunQueue) Runqput(pp *P, gp *G, next bool) {
	c.w.status("Runqput", gp, Grunnable)
	c.w.put(gp, local, "Runqput")
	c.RunQueue.Runqput(pp, gp, next)
}

func (c *checkedRunQueue) Runqputbatch(pp *P, q GQueue) (rest GQueue) {
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		c.w.put(gp, local, "Runqputbatch")
	}
	rest = c.RunQueue.Runqputbatch(pp, q)
	for gp := rest.Head; gp != nil; gp = gp.Schedlink.Get() {
		c.w.taken(gp, local, "Runqputbatch")
	}
	return rest
}

func (c *checkedRunQueue) Runqget(pp *P) (gp *G, inheritTime bool) {
	gp, inheritTime = c.RunQueue.Runqget(pp)
	c.w.taken(gp, local, "Runqget")
	return gp, inheritTime
}

func (c *checkedRunQueue) Runqdrain(pp *P) GQueue {
	q := c.RunQueue.Runqdrain(pp)
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		c.w.taken(gp, local, "Runqdrain")
	}
	return q
}

func (c *checkedRunQueue) Runqsteal(pp, p2 *P, stealRunNext bool) *G {
	gp := c.RunQueue.Runqsteal(pp, p2, stealRunNext)
	c.w.taken(gp, local, "Runqsteal")
	return gp
}

// Globrunqputbatch gets Gs from Runqputslow that were on the queue of a P until now.
func (c *checkedRunQueue) Globrunqputbatch(q GQueue) {
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		if c.w.at(gp) == local {
			c.w.seen(gp, nowhere)
		}
		c.w.put(gp, queued, "Globrunqputbatch")
	}
	c.RunQueue.Globrunqputbatch(q)
}

func (c *checkedRunQueue) Globrunqgetbatch(n int32) (*G, GQueue) {
	gp, q := c.RunQueue.Globrunqgetbatch(n)
	c.w.took(int(q.Size) + 1)
	c.w.taken(gp, queued, "Globrunqgetbatch")
	for gp := q.Head; gp != nil; gp = gp.Schedlink.Get() {
		c.w.taken(gp, queued, "Globrunqgetbatch")
	}
	return gp, q
}
