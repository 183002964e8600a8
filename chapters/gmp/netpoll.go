package gmp

import (
	"sync/atomic"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is what package net finds in the scheduler, and what the part of chapter 16
// finds in place: the PollDescs, what their timers do, and who polls in versions whose Ms
// do not.

// What Rg and Wg of a PollDesc can be besides nil and a G that waits. No such G runs. The
// runtime's pdReady and pdWait.
var (
	PdReady = new(G)
	PdWait  = new(G)
)

// The bits of PollDesc.PollInfo.
const (
	PollClosing              uint32 = 1 << iota // Closing
	PollEventErr                                // the last event was an error and nothing else
	PollExpiredReadDeadline                     // Rd is below 0
	PollExpiredWriteDeadline                    // Wd is below 0
)

// A PollError is why a G cannot wait for a descriptor. The program has the same numbers.
type PollError int

const (
	PollNoError        PollError = iota
	PollErrClosing               // the descriptor is being closed
	PollErrTimeout               // the deadline is over
	PollErrNotPollable           // the descriptor reports nothing but an error
)

// polling is the state of this file in a Sched.
type polling struct {
	used   atomic.Bool // there has been a descriptor
	descs  numbered[PollDesc]
	lock   machine.Mutex // protects free
	free   machine.Cell[*PollDesc]
	server atomic.Bool // it has been started
}

// Pollalloc returns a PollDesc for fd: Closing is false, there are no deadlines, and
// nothing has come. The runtime's pollcache.alloc.
func (s *Sched) Pollalloc(fd int) *PollDesc {
	c := &s.run.polling
	c.lock.Lock()
	pd := c.free.Get()
	if pd != nil {
		c.free.Set(pd.Link.Get())
	}
	c.lock.Unlock()
	if pd == nil {
		pd = &PollDesc{Rt: Timer{F: deadlineOf('r')}, Wt: Timer{F: deadlineOf('w')}}
		pd.Rt.Arg, pd.Wt.Arg = pd, pd
		pd.Lock.Init("pollDesc.lock")
		pd.Lock.On(s.Machine)
		pd.together()
		pd.Number = c.descs.add(pd, 0)
	}
	pd.Link.Set(nil)
	pd.FD.Set(fd)
	pd.Closing.Set(false)
	pd.Rd.Set(0)
	pd.Wd.Set(0)
	pd.Rg.Store(nil)
	pd.Wg.Store(nil)
	pd.PollInfo.Store(0)
	return pd
}

// Pollfree takes pd back, whose descriptor the poller no longer knows and whose timers are
// not set. The runtime's pollcache.free.
func (s *Sched) Pollfree(pd *PollDesc) {
	pd.Fdseq.Add(1)
	c := &s.run.polling
	c.lock.Lock()
	pd.Link.Set(c.free.Get())
	c.free.Set(pd)
	c.lock.Unlock()
}

// deadlineOf is what the timer of a deadline for mode does. The runtime's
// netpollReadDeadline and netpollWriteDeadline.
func deadlineOf(mode int) TimerFunc {
	return func(s *Sched, mp *M, arg any, delay int64) {
		s.record(mp, trace.Event{Kind: trace.Fire, G: trace.None, Text: "deadline"})
		s.Netpolldeadline(mp, arg.(*PollDesc), mode)
	}
}

// Data is what an event of pd's descriptor is to bring: which PollDesc it is, and which of
// its lives. It is never machine.BreakData. The runtime's taggedPointer.
func (pd *PollDesc) Data() uint64 { return pd.Number<<32 | uint64(pd.Fdseq.Load()) }

// PollDescOf returns the PollDesc whose Data an event has brought; nil if the event is of
// a former life of it.
func (s *Sched) PollDescOf(data uint64) *PollDesc {
	pd := s.run.polling.descs.at(data >> 32)
	if pd.Fdseq.Load() != uint32(data) {
		return nil
	}
	return pd
}

// PollWaitDone is the continuation of a G that has waited in PollWait: the rest of it.
func (s *Sched) PollWaitDone(mp *M, gp *G) {
	pd, mode := s.waitsFor(gp)
	if s.NetpollblockDone(pd, mode) {
		s.setPollError(gp, PollNoError)
		return
	}
	s.pollWait(mp, gp, pd, mode) // which finds out why, or waits on
}

// waitsFor returns what gp, which has called the runtime with TrapPollWait, waits for.
func (s *Sched) waitsFor(gp *G) (pd *PollDesc, mode int) {
	return s.run.polling.descs.at(s.Machine.Word(gp.Sched.Args)), int(s.Machine.Word(gp.Sched.Args + 8))
}

// setPollError gives gp the result of TrapPollWait.
func (s *Sched) setPollError(gp *G, err PollError) {
	s.Machine.SetWord(gp.Sched.Args+16, uint64(err))
}

// pollWait lets gp wait, or gives it its result.
func (s *Sched) pollWait(mp *M, gp *G, pd *PollDesc, mode int) {
	if err, done := s.PollWait(mp, gp, pd, mode); done {
		s.setPollError(gp, err)
	}
}

// polls is the part of the router for TrapPollOpen and the others.
func (s *Sched) polls(mp *M, gp *G, trap machine.Trap) {
	args := func(i int) uint64 { return s.Machine.Word(gp.Sched.Args + machine.Addr(8*i)) }
	result := func(i int, v uint64) { s.Machine.SetWord(gp.Sched.Args+machine.Addr(8*i), v) }
	if trap == machine.TrapPollOpen {
		s.run.polling.used.Store(true)
		pd, errno := s.PollOpen(mp, int(args(0)))
		if pd != nil {
			result(1, pd.Number)
		} else {
			result(1, 0)
		}
		result(2, uint64(errno))
		s.run.polling.serve(s)
		return
	}
	pd := s.run.polling.descs.at(args(0))
	switch trap {
	case machine.TrapPollClose:
		s.PollClose(mp, pd)
	case machine.TrapPollReset:
		result(2, uint64(s.PollReset(pd, int(args(1)))))
	case machine.TrapPollWait:
		s.pollWait(mp, gp, pd, int(args(1)))
	case machine.TrapPollSetDeadline:
		s.PollSetDeadline(mp, pd, int64(args(1)), int(args(2)))
	case machine.TrapPollUnblock:
		s.PollUnblock(mp, pd)
	}
}

// serve starts a thread that polls, in versions with many Ms and no Finder: the first
// descriptor starts it. It stands for the goroutine that package net of Go 1.0 had for
// that, pollServer, which sat in a system call for ever; so an M was never idle, and a
// deadlock never seen. Here, too, its M counts as one that may make a G ready.
func (c *polling) serve(s *Sched) {
	if !s.run.many || s.run.version.Finder != nil || !c.server.CompareAndSwap(false, true) {
		return
	}
	s.Lock.Lock()
	id := s.MReserveID()
	s.Lock.Unlock()
	mp := s.NewM(id)
	mp.Mstartfn.Set(func(mp *M) {
		for !s.Exited() {
			s.Injectglist(mp, s.Netpoll(mp, -1))
		}
		mp.Gone = true
	})
	s.Newosproc(mp)
}
