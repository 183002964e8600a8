package check

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"slices"
)

// This file is what a Crew has in place of the parts that are not under test.

// crewLoop runs no other G on an M than the one that it began with.
type crewLoop struct{ c *Crew }

func (p crewLoop) Schedule(mp *gmp.M) {}

func (p crewLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	g := p.c.of(gp)
	if g.on != nil && g.on != mp {
		p.c.Errorf("%s runs %s, which %s still runs", MName(mp), Name(gp), MName(g.on))
		p.c.FailNow()
	}
	g.on = mp
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	p.c.S.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// crewSubmission lets a G that can run run at once.
type crewSubmission struct{ c *Crew }

func (p crewSubmission) Newproc(mp *gmp.M, fn machine.Addr) { panic("no G of a Crew calls Newproc") }

func (p crewSubmission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	g := p.c.of(gp)
	if st := gp.Atomicstatus.Load() &^ gmp.Gscan; st != gmp.Gwaiting {
		p.c.Errorf("%s is made ready although it is not waiting: it is %s", Name(gp), gmp.StatusName(st))
		p.c.FailNow()
	}
	g.on = nil
	p.c.S.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.c.atOnce(gp)
}

func (p crewSubmission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.c.of(gp).on = nil
	p.c.S.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.c.S.Dropg(mp)
	p.c.atOnce(gp)
}

// crewRunQueue lets a G that is put on the queue of a P be stolen at once.
type crewRunQueue struct {
	gmp.RunQueue
	c *Crew
}

func (p crewRunQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) { p.c.taken(gp, false) }

func (p crewRunQueue) Globrunqputbatch(q gmp.GQueue) {
	for gp := q.Pop(); gp != nil; gp = q.Pop() {
		p.c.taken(gp, true)
	}
}

// crewGlobalQueue lets a G that is put on the global queue be taken as soon as the lock is
// free.
type crewGlobalQueue struct {
	gmp.GlobalQueue
	c *Crew
}

func (p crewGlobalQueue) Globrunqput(gp *gmp.G) { p.c.taken(gp, true) }

func (p crewGlobalQueue) Globrunqputhead(gp *gmp.G) { p.c.taken(gp, true) }

// crewGoroutines makes Gs for Newproc, which do nothing.
type crewGoroutines struct {
	gmp.Goroutines
	c *Crew
}

func (p crewGoroutines) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	return p.c.newG(gmp.Grunnable, nil)
}

// taken lets a new M run gp, which was put on a queue, as soon as s.Lock is free, if it is
// the global one. When gp has ended it is made anew, with another number.
func (c *Crew) taken(gp *gmp.G, global bool) {
	c.of(gp).on = nil
	mp := c.NewM()
	machine.Newosproc(MName(mp), func() {
		if global {
			c.S.Lock.Lock()
			c.S.Lock.Unlock()
		}
		c.Logf("takes %s off its queue, runs it to its end, and makes a new G of it", Name(gp))
		c.S.Execute(mp, gp, false)
		gp.Goid.Set(gp.Goid.Get())
		c.mstart(mp)
	})
}

// crewQueue lets an M come for each G that is put on the global queue. It may be one that
// the parts have made.
type crewQueue struct {
	gmp.GlobalQueue
	c *Crew
}

func (p crewQueue) Globrunqput(gp *gmp.G) {
	p.GlobalQueue.Globrunqput(gp)
	p.queued(gp)
}

func (p crewQueue) Globrunqputhead(gp *gmp.G) {
	p.GlobalQueue.Globrunqputhead(gp)
	p.queued(gp)
}

func (p crewQueue) queued(gp *gmp.G) {
	c := p.c
	if !slices.ContainsFunc(c.gs, func(g *crewG) bool { return g.gp == gp }) {
		c.gs = append(c.gs, &crewG{gp: gp})
	}
	c.of(gp).on = nil
	mp := c.NewM()
	machine.Newosproc(MName(mp), func() {
		c.S.Lock.Lock()
		gp := c.S.Globrunqget()
		c.S.Lock.Unlock()
		c.S.Execute(mp, gp, false)
		c.mstart(mp)
	})
}

// crewSudogs counts the sudogs that are in use.
type crewSudogs struct {
	gmp.Sudogs
	c *Crew
}

func (p crewSudogs) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	p.c.lent++
	return p.Sudogs.AcquireSudog(mp)
}

func (p crewSudogs) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	p.c.lent--
	p.Sudogs.ReleaseSudog(mp, sg)
}
