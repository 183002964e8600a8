package ch03

import (
	_ "embed"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

//go:embed mutants.go
var mutantsSource string

// Mends are what the student mends in this chapter.
var Mends = check.Mends{
	Source: mutantsSource,
	List: []check.Mend{
		{
			Check: "mend-sudogs", Mutant: "sudogs-popped-in-two-steps", Type: "sudogsMended", Method: "AcquireSudog", Lines: 3,
			Met: [2][]string{{"p.lock.Lock()", "p.lock.Unlock()"}, {"locks p.lock", "travels.Store"}},
		},
		{
			Check: "mend-send", Mutant: "send-ready-then-sudog", Type: "sendMended", Method: "Send", Lines: 2,
			Met: [2][]string{{"sg.G.Get().Param.Set(sg)", "4 → 1"}, {"gp.Param.Set(nil)", "1 → 2"}},
		},
		{
			Check: "mend-try", Mutant: "try-looks-twice", Type: "tryMended", Method: "Chanrecv", Lines: 4,
			Met: [2][]string{{"c.Lock.Lock()", "c.Lock.Unlock()"}, {"Chansend(…): locks", "Closechan(…): locks"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "send-closed-last", What: "Chansend looks for a receiver that waits before it looks whether the channel is closed",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return closedLast{p} }),
	},
}

type closedLast struct{ brokenChannels }

func (p closedLast) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c == nil {
		return p.Channels.Chansend(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	if sg := p.s.Dequeue(&c.Recvq); sg != nil {
		p.s.Send(mp, c, sg, elem)
		return true
	}
	if c.Closed.Get() {
		c.Lock.Unlock()
		p.s.PanicPlain(mp, gp, "send on closed channel")
		return false
	}
	if c.Qcount.Get() < c.Dataqsiz {
		p.s.Typedmemmove(c.Elem, c.Chanbuf(c.Sendx.Get()), elem)
		c.Sendx.Set(next(c, c.Sendx.Get()))
		c.Qcount.Set(c.Qcount.Get() + 1)
		c.Lock.Unlock()
		return true
	}
	if !block {
		c.Lock.Unlock()
		return false
	}
	p.hang(gp, c, &c.Sendq, elem)
	gp.Cont.Set((*gmp.Sched).ChansendDone)
	p.s.Gopark(mp, gp, chanparkcommit, &c.Lock, gmp.WaitReasonChanSend)
	return false
}
