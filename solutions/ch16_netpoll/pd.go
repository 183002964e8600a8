// Package ch16 is the netpoller: chapter 16, Go 1.1 in the form of 1.26.
//
// A G that reads from a socket which has nothing to read waits in a half of its PollDesc,
// and whoever looks for work finds out which sockets are ready. The halves change by
// compare-and-swap, since whoever makes a G ready, or ends its wait, has no lock in common
// with it.
package ch16

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{NetPoller: New}

// poller is the NetPoller.
type poller struct {
	gmp.Descriptors // what is given: p.Epoll, and the methods around the halves
	s               *gmp.Sched
	sig             machine.Bool // whoever makes it true breaks the Epoll, once: the runtime's netpollWakeSig
}

// New makes the NetPoller of s.
func New(s *gmp.Sched) gmp.NetPoller {
	p := &poller{s: s}
	p.On(s)
	return p
}

// Netpollblock lets gp wait in its half.
//
//course:exercise
func (p *poller) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	//course:holds Whatever comes while gp is on its way to sleep finds PdWait, or gp, or is found by gp.
	//course:question From which moment on may another M make gp ready, and how do you know that gp waits by then?
	//course:lead A close sets PollInfo, and then looks at the half. gp sets its half. At what must it look after that?
	s := p.s
	half := pd.Half(mode)
	//course:step Turn nil into PdWait. If it is not nil it is PdReady, which others leave alone: use it up. Anything else is a second G.
	if !half.CompareAndSwap(nil, gmp.PdWait) {
		if !half.CompareAndSwap(gmp.PdReady, nil) {
			s.Throw("runtime: double wait")
		}
		return true, false
	}
	//course:step From now on gp counts as one that waits (NetpollAdjustWaiters).
	s.NetpollAdjustWaiters(1)
	//course:step Look for a reason not to wait, now that PdWait can be seen. If there is one, gp leaves its half.
	if s.Netpollcheckerr(pd, mode) != gmp.PollNoError {
		return s.NetpollblockDone(pd, mode), false
	}
	//course:step Park. The unlockf puts gp in place of PdWait; if that has gone, gp does not wait.
	gp.Cont.Set((*gmp.Sched).PollWaitDone)
	s.Gopark(mp, gp, func(gp *gmp.G, _ any) bool {
		return half.CompareAndSwap(gmp.PdWait, gp)
	}, nil, gmp.WaitReasonIOWait)
	return false, true
}

// NetpollblockDone takes what has ended a wait.
//
//course:exercise
func (p *poller) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	//course:question Another M may make the half PdReady at this moment. What do you return then, and what is left in the half?
	//course:step gp no longer waits (NetpollAdjustWaiters). Empty the half and look at what was there, in one step.
	p.s.NetpollAdjustWaiters(-1)
	was := pd.Half(mode).Swap(nil)
	if was != nil && was != gmp.PdReady && was != gmp.PdWait {
		p.s.Throw("runtime: corrupted polldesc")
	}
	return was == gmp.PdReady
}

// Netpollunblock takes the G that waits out of its half.
//
//course:exercise
func (p *poller) Netpollunblock(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	//course:holds Of all callers one gets the G. PdReady is lost to nobody but the G that waits for it.
	//course:lead Two decisions: what the half becomes, and what is returned. Make a table: nil, PdReady, PdWait, a G; with ioready, and without it.
	half := pd.Half(mode)
	for {
		was := half.Load()
		//course:step PdReady stays. And without ioready nil stays, too.
		if was == gmp.PdReady || was == nil && !ioready {
			return nil
		}
		//course:step What does it become? If another M was faster, look again.
		var becomes *gmp.G
		if ioready {
			becomes = gmp.PdReady
		}
		if !half.CompareAndSwap(was, becomes) {
			continue
		}
		//course:step A G that was about to wait sees that by itself. One that waited is the caller's.
		if was == gmp.PdWait {
			return nil
		}
		return was
	}
}

// Netpollready makes pd ready, and collects the Gs that wait for that.
//
//course:exercise
func (p *poller) Netpollready(list gmp.GList, pd *gmp.PollDesc, mode int) gmp.GList {
	//course:step For each of the two modes that is meant: Netpollunblock.
	for _, m := range [...]int{'r', 'w'} {
		if mode != m && mode != 'r'+'w' {
			continue
		}
		if gp := p.s.Netpollunblock(pd, m, true); gp != nil {
			list.Push(gp)
		}
	}
	return list
}
