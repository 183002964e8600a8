// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch16

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
//
// NetPoller turns the readiness of descriptors into runnable Gs.
//
// A G of the program reads from a socket by a system call, which never waits. If there is
// nothing to read the G calls PollWait, and tries again when that returns. Each descriptor
// has a PollDesc, and that has two halves, Rg for reading and Wg for writing; mode says
// which, 'r', 'w', or where both may be meant 'r'+'w'. In each mode one G waits at most:
// package internal/poll sees to that.
//
// A half is in one of four states: nil, PdReady, PdWait, or a G. Whoever finds the
// descriptor ready, or closes it, or ends a deadline, may be on another M at any moment,
// with no lock in common with the G that is about to wait: the halves change by
// compare-and-swap. A G goes from nil to PdWait, parks, and only then puts itself in place
// of PdWait; whoever comes in between replaces PdWait, and the G does not wait. Whoever
// takes a G out of a half must make it ready, and nobody else does.
//
// PollInfo says why a G cannot wait. It is written before the halves are looked at, and a
// G looks at it after it has set PdWait: so one of the two notices the other.
//
// What is under pd.Lock says its comment; PublishInfo writes PollInfo, under that lock. A
// timer may fire with locks of Timers held, and Netpolldeadline takes pd.Lock: so no method
// of Timers is called with pd.Lock held, and neither is Goready. SetDeadlineTimer makes, sets and
// stops the timers.
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

// Netpollblock is the heart of PollWait. It reports two things: ready, whether pd was
// PdReady in mode, and parked, whether gp has parked. If pd is PdReady in mode, that is
// used up: ready, not parked. Otherwise PdWait says that gp is about to wait; throws
// "runtime: double wait" if there is a G or PdWait already. gp then counts as one that
// waits (NetpollAdjustWaiters). After PdWait is there it looks at Netpollcheckerr. If that
// has nothing, gp parks (Gopark), for WaitReasonIOWait, with (*Sched).PollWaitDone in
// gp.Cont, and the unlockf puts gp in place of PdWait; if PdWait has gone, since something
// has come, gp does not wait, and its continuation is called at once. In both cases:
// parked, not ready. If Netpollcheckerr has an error, gp does not park: gp's half, and the
// number of those that wait, are as NetpollblockDone leaves them, and ready is what that
// returns; gp still runs on mp, and gp.Cont is nil. The runtime's netpollblock.
func (p *poller) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	// Holds: Whatever comes while gp is on its way to sleep finds PdWait, or
	//        gp, or is found by gp.
	// Question: From which moment on may another M make gp ready, and how do
	//           you know that gp waits by then?
	panic(gmp.TODO("Netpollblock"))
}

// NetpollblockDone is the rest of it when gp goes on: gp no longer counts as one that
// waits, and its half becomes nil. It reports whether it was PdReady. Throws "runtime:
// corrupted polldesc" if there is a G. The end of the runtime's netpollblock.
func (p *poller) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	// Question: Another M may make the half PdReady at this moment. What do
	//           you return then, and what is left in the half?
	panic(gmp.TODO("NetpollblockDone"))
}

// Netpollunblock takes the G that waits for pd in mode, 'r' or 'w', out of its half,
// and returns it; nil if none waits. If ioready is set the half is PdReady afterwards;
// otherwise it is nil, but PdReady stays. A G that was about to wait (PdWait) will not.
// The runtime's netpollunblock.
func (p *poller) Netpollunblock(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	// Holds: Of all callers one gets the G. PdReady is lost to nobody but the
	//        G that waits for it.
	panic(gmp.TODO("Netpollunblock"))
}

// Netpollready adds to list the Gs that wait for pd in mode, 'r', 'w' or 'r'+'w', and
// makes it ready in that mode (Netpollunblock with ioready set). It returns the list.
// The runtime's netpollready.
func (p *poller) Netpollready(list gmp.GList, pd *gmp.PollDesc, mode int) gmp.GList {
	panic(gmp.TODO("Netpollready"))
}
