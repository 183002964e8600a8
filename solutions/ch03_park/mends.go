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
			Met: [2][]string{{"c.Lock.Lock()", "c.Lock.Unlock()"}, {"Chansend(…)", "Closechan(…)"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "close-in-two-steps-closed-first", What: "Closechan sets Closed in one section of the lock and empties the queues in another, and Chanrecv looks at Closed first",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return closedFirst{inTwoSteps{p}} }),
	},
}

// closedFirst looks for a sender only on an open channel: on a closed one only the close
// has to do with the queues.
type closedFirst struct{ inTwoSteps }

func (p closedFirst) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	if c.Closed.Get() {
		if c.Qcount.Get() == 0 {
			c.Lock.Unlock()
			if elem != 0 {
				p.s.Typedmemclr(c.Elem, elem)
			}
			return true, false
		}
	} else if sg := p.s.Dequeue(&c.Sendq); sg != nil {
		p.s.Recv(mp, c, sg, elem)
		return true, true
	}
	if c.Qcount.Get() > 0 {
		if elem != 0 {
			p.s.Typedmemmove(c.Elem, elem, c.Chanbuf(c.Recvx.Get()))
		}
		c.Recvx.Set(next(c, c.Recvx.Get()))
		c.Qcount.Set(c.Qcount.Get() - 1)
		c.Lock.Unlock()
		return true, true
	}
	if !block {
		c.Lock.Unlock()
		return false, false
	}
	p.hang(gp, c, &c.Recvq, elem)
	gp.Cont.Set((*gmp.Sched).ChanrecvDone)
	p.s.Gopark(mp, gp, chanparkcommit, &c.Lock, gmp.WaitReasonChanReceive)
	return false, false
}
